import path from 'node:path'
import { sweepOnHook } from '../../capture/announce.ts'
import { endBySignal, passThrough } from '../../capture/pass-through.ts'
import { enqueue, queueDir } from '../../capture/queue.ts'
import type { Command, Context } from '../command.ts'

export const exec: Command = {
  name: 'exec',
  summary: 'run an agent, and note in the queue that it ran',
  details:
    'For agents without hooks and for scripts. Standard input, output and error, the exit code and signals are passed through as they are.',
  args: [{ name: 'command', help: 'the command and its arguments, after `--`', required: true, many: true }],
  options: [],
  examples: ['recall exec -- codex exec "mend the tests"'],
  async run(context, args) {
    const [command = '', ...rest] = args
    const { started, code, signal } = await passThrough(command, rest)
    if (started) await note(context, args)
    else context.terminal.note(`recall: cannot run ${command}: is it installed?`)
    if (signal !== null) endBySignal(signal)
    return code
  },
}

/** What the command did is done: a full disk here must not change how it ended. */
async function note({ settings, sources, terminal, program, now }: Context, args: readonly string[]): Promise<void> {
  const queue = queueDir(settings.dataDir)
  const words = args.map((word) => path.basename(word))
  const agent = sources.find((source) => words.includes(source.name))?.name ?? words[0] ?? ''
  try {
    enqueue(queue, { agent, event: 'exec', sessionId: null, transcriptPath: null, cwd: process.cwd(), at: now() })
    await sweepOnHook(queue, program())
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    terminal.note(`recall: could not note this run (${error.message})`)
  }
}
