import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

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

/** What takes long begins first, so that every core is busy to the end. */
const LONG = ['browser/page', 'retention', 'backup', 'mcp', 'inert', 'retrieval', 'bad-input', 'damage', 'kei', 'grok-order']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.includes(`/test/${name}`))
      return at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By default one core is left idle: of two, half.
    maxWorkers: '100%',
    env: { TMPDIR: temporary() },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/skips.ts'],
  },
})
