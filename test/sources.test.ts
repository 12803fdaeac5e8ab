import { appendFileSync, readFileSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { claude } from '../src/sources/claude/claude.ts'
import { copilot } from '../src/sources/copilot/copilot.ts'
import { opencode } from '../src/sources/opencode/opencode.ts'
import { sourceConformance } from './conformance.ts'
import { eventfulLog, laySession } from './kit/copilot-log.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { layTree } from './kit/opencode-home.ts'
import { readdirSync } from 'node:fs'

/** The longest demo transcript of an agent, as a fixture. */
function demoTranscript(root: string, pattern: RegExp) {
  return {
    lay() {
      const home = demoHome()
      const dir = path.join(home, root)
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file))
      const file =
        files.map((name) => path.join(dir, name)).sort((a, b) => readFileSync(b).length - readFileSync(a).length)[0] ??
        ''
      return {
        unit: { path: file, root: dir },
        bytes: readFileSync(file),
        append: (bytes: Uint8Array) => appendFileSync(file, bytes),
        truncate: (bytes: number) => truncateSync(file, bytes),
      }
    },
  }
}

sourceConformance(claude, demoTranscript('.claude', /^projects\/[^/]+\/[^/]+\.jsonl$/))

sourceConformance(copilot, {
  lay() {
    const unit = laySession(tempDir(), eventfulLog())
    return {
      unit,
      bytes: readFileSync(unit.path),
      append: (bytes) => appendFileSync(unit.path, bytes),
      truncate: (bytes) => truncateSync(unit.path, bytes),
    }
  },
})

sourceConformance(opencode, {
  lay: () => ({
    unit: layTree(tempDir(), 'ses_1'),
    bytes: new Uint8Array(),
    append: () => undefined,
    truncate: () => undefined,
  }),
})
