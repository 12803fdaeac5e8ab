import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The config file of this environment. */
export function writeConfig(env: Readonly<Record<string, string>>, toml: string): void {
  const dir = path.join(env['XDG_CONFIG_HOME'] ?? '', 'recall')
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, 'config.toml'), toml)
}
