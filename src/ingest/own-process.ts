import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compileLess } from './compiler.ts'

/** To plan so many takes megabytes that are not needed any more. */
const MANY_JOBS = 10_000

/** What the program does to its own process before it reads; nobody's library does. */
export function readyToRead(jobs: number): void {
  compileLess()
  if (jobs >= MANY_JOBS) collectGarbage()
}

/** Node itself waits until the heap has grown by as much again, and by then other threads read and need room, too. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}
