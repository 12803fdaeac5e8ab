import { realpathSync } from 'node:fs'
import type { Program } from './announce.ts'

/** How to start this program again from anywhere, under the same Node. */
export function programOf(running: Pick<NodeJS.Process, 'execPath' | 'argv'>): Program {
  return [running.execPath, realpathSync(running.argv[1] ?? '')]
}
