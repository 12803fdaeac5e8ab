import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

const MEMORY = '/dev/shm'
const ROOM = 2 ** 32

/**
 * Where the tests' files are: in memory if there is enough and programs may be started there. Every commit waits for
 * the disk, and what a disk does to them is the subject of `npm run faults`. TMPDIR says another place.
 */
function temporary(): string {
  if (process.env['TMPDIR']) return tmpdir()
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const { bavail, bsize } = statfsSync(MEMORY)
    if (mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize > ROOM) return MEMORY
  } catch {
    // There is no such place.
  }
  return tmpdir()
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By default one core is left idle: of two, half.
    maxWorkers: '100%',
    env: { TMPDIR: temporary() },
    reporters: ['default', './test/skips.ts'],
  },
})
