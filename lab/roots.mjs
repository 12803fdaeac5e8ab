// The agents of a lab's home live in `HOME`, recall's own files elsewhere: agents that follow `XDG_DATA_HOME` are named.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tells a recall with this config directory where they keep their sessions, and who reads those of Pi. */
export function nameRoots(home, config) {
  mkdirSync(join(config, 'recall'), { recursive: true })
  const root = JSON.stringify(join(home, '.local/share/opencode'))
  const plugin = JSON.stringify(join(import.meta.dirname, '../examples/pi.mjs'))
  const lines = ['[sources.opencode]', `roots = [${root}]`, '[sources.plugins]', `pi = ${plugin}`, '']
  writeFileSync(join(config, 'recall', 'config.toml'), lines.join('\n'))
}
