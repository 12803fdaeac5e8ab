// Programs that would reach out of the lab, replaced by ones that do nothing. Rules look at names only.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAMES =
  'docker kubectl gh curl cargo go pytest pip ruff tsc make tree rg jq fd uv java systemctl journalctl brew apt pnpm yarn ' +
  'eslint prettier mypy vitest jest mvn python'

/** The directory to put first in PATH. */
export function shims(dir, names = NAMES.split(' ')) {
  mkdirSync(dir, { recursive: true })
  for (const name of names) {
    const file = join(dir, name)
    if (existsSync(file)) continue
    writeFileSync(file, '#!/bin/sh\nexit 0\n')
    chmodSync(file, 0o755)
  }
  return dir
}
