import type { Readable } from 'node:stream'
import { sweepOnHook, type Program } from './capture/announce.ts'
import { queueDir, type QueueEntry } from './capture/queue.ts'
import { isCompaction, runHook, type BriefWish } from './capture/hook-run.ts'
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
  const call = { args, env, read, dataDir, origins: [grokOrigin], now: Date.now() }
  const heard = await runHook(call).catch(() => null)
  if (heard !== null && isCompaction(heard.entry)) await archiveFirst(heard.entry, env)
  await sweepOnHook(queueDir(dataDir), program)
  return heard?.wish ?? null
}

/** Nothing is loaded for it but then. */
async function archiveFirst({ agent, sessionId, transcriptPath, cwd }: QueueEntry, env: Env): Promise<void> {
  if (transcriptPath === null) return
  const { beforeCompaction } = await import('./compaction.ts')
  await beforeCompaction(agent, { sessionId, transcriptPath, cwd }, env)
}

interface Outside {
  readonly env: Env
  readonly stdin: () => Readable
  readonly program: Program
}
