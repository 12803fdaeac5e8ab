import type { Readable } from 'node:stream'
import { sweepOnHook, type Program } from './capture/announce.ts'
import { queueDir } from './capture/queue.ts'
import { runHook, type BriefWish } from './capture/hook-run.ts'
import { readInput } from './capture/input.ts'
import { dataDirOf, type Env } from './settings/settings.ts'
import { grokOrigin } from './sources/grok/hook-origin.ts'

/**
 * `recall hook run`, put together apart from the rest of the program: an agent waits for it, so it loads nothing but
 * what writes one file. What comes is what the agent wants to be told, which another file knows.
 */
export async function hook(args: readonly string[], { env, stdin, program }: Outside): Promise<BriefWish | null> {
  const dataDir = dataDirOf(env)
  const read = () => readInput(stdin)
  const wish = await runHook({ args, env, read, dataDir, origins: [grokOrigin], now: Date.now() })
  await sweepOnHook(queueDir(dataDir), program)
  return wish
}

interface Outside {
  readonly env: Env
  readonly stdin: () => Readable
  readonly program: Program
}
