import { drain, queueDir } from '../../capture/queue.ts'
import { takeSignals } from '../../capture/signals.ts'
import { watchRoots } from '../../capture/watch.ts'
import type { IndexReport } from '../../ingest/run.ts'
import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import type { Command, Context } from '../command.ts'
import { count, flag } from '../option-values.ts'
import { indexFirst } from '../indexing.ts'

const INTERRUPTED = 130
const TRY_AGAIN_MS = 200

export const watch: Command = {
  name: 'watch',
  summary: 'index sessions as they are written',
  details:
    'Indexes what is new, then waits for changes and indexes again, seconds after they happen, until it is interrupted. ' +
    'Idle it costs nothing. It writes no digests and evicts nothing: that is what `recall sweep` does.',
  args: [],
  options: [
    { flags: '--poll <seconds>', help: 'look every so often instead of being told, e.g. on a network drive' },
    { flags: '--quiet', help: 'say nothing unless something fails' },
  ],
  examples: ['recall watch', 'recall watch --poll 10'],
  async run(context, _args, values) {
    const quiet = flag(values, 'quiet')
    const seconds = count(values, 'poll')
    const session = new Ending()
    const index = () => indexOnce(context, quiet, session).catch((error: unknown) => session.fail(error))
    const queue = queueDir(context.settings.dataDir)
    const watcher = watchRoots({
      roots: [...context.recall.roots(), ...(await pluginRoots(context))],
      also: [queue],
      onChange: index,
      onFallback: (reason) => context.terminal.note(`cannot watch (${reason}); looking every few seconds instead`),
      ...(seconds === undefined ? {} : { pollMs: Math.max(1, seconds) * 1000 }),
    })
    let interrupted = false
    const giveBack = takeSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
      giveBack()
      interrupted = signal === 'SIGINT'
      session.end()
    })
    await watcher.now()
    if (!quiet && !session.isOver) context.terminal.note('watching; Ctrl-C ends it')
    await session.ended
    await watcher.close()
    giveBack()
    if (session.failure !== null) throw session.failure
    return interrupted ? INTERRUPTED : 0
  },
}

/** Of plugins any file counts: which are theirs, only their own code can say. */
async function pluginRoots({ recall }: Context) {
  const loaded = await (await recall.addedSources()).loaded()
  return (loaded?.roots ?? []).map(({ source, dir }) => ({ dir, source: { ...source, owns: () => true } }))
}

/** Until someone ends it, or something breaks. */
class Ending {
  failure: Error | null = null
  isOver = false
  #resolve: () => void = () => undefined
  readonly ended = new Promise<void>((resolve) => (this.#resolve = resolve))

  end(): void {
    this.isOver = true
    this.#resolve()
  }

  /** Waits so long, or until the end. */
  async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.ended, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
    clearTimeout(timer)
  }

  fail(error: unknown): void {
    this.failure = error instanceof Error ? error : new Error(String(error))
    this.end()
  }
}

async function indexOnce(context: Context, quiet: boolean, ending: Ending): Promise<void> {
  const { settings, now, terminal } = context
  const drained = drain(queueDir(settings.dataDir), now())
  const report = await indexWhenFree(context, ending)
  if (report === null) return
  const { sessions } = report
  drained.done()
  if (quiet || sessions.new + sessions.updated === 0) return
  const time = new Date(now()).toTimeString().slice(0, 8)
  terminal.line(`${time}  ${plural(sessions.new, 'new session')}, ${sessions.updated} updated`)
}

/** Waits for another writer to end; null if it is to end itself before that. */
async function indexWhenFree(context: Context, ending: Ending): Promise<IndexReport | null> {
  while (!ending.isOver) {
    try {
      return await indexFirst(context)
    } catch (error) {
      if (!(error instanceof UserError && error.code === 'LOCKED')) throw error
    }
    await ending.pause(TRY_AGAIN_MS)
  }
  return null
}
