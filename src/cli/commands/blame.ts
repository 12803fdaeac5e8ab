import { UserError } from '../../model/errors.ts'
import { pointerOf } from '../../model/pointers.ts'
import { sessionJson } from '../../model/shapes.ts'
import { FRESH_OPTION, JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'
import { printHeading, printWhere } from '../sessions.ts'

const REASONS = {
  commit: 'made the commit',
  commit_message: 'committed with these words at that time',
  edit: 'wrote the line',
} as const

export const blame: Command = {
  name: 'blame',
  summary: 'the session behind a commit or a line',
  details:
    'From commits and edits that sessions recorded; for a line also from `git blame`. Names none where it is not sure.',
  args: [{ name: 'commit|path:line', help: 'at least 7 digits of a hash, or a line of a file', required: true }],
  options: [FRESH_OPTION, JSON_OPTION],
  examples: ['recall blame 4f2a9c1', 'recall blame src/auth/handler.ts:42 --json'],
  async run(context, args, given) {
    const { recall, terminal } = context
    const target = args[0] ?? ''
    if (!/^[0-9a-f]{7,40}$|.:\d+$/i.test(target)) {
      const hint = 'give at least 7 digits of a commit, or path:line'
      throw new UserError('USAGE', `cannot tell what ${JSON.stringify(target)} is`, hint)
    }
    const { session, confidence, reason, commit, seq } = await recall.evidence.blame(target, process.cwd())
    if (flag(given, 'json')) {
      return terminal.json({
        target,
        session: session === null ? null : sessionJson(session),
        confidence: session === null ? null : confidence,
        reason,
        commit,
        seq,
        pointer: seq === null ? null : pointerOf(seq),
        evidence: session === null || seq === null ? [] : [`${session.uid}#${seq}`],
      })
    }
    if (session === null || reason === null)
      return terminal.note(terminal.dim(`no session is known to be behind ${target}`))
    printHeading(terminal, session, [REASONS[reason], `${Math.round(confidence * 100)} % sure`])
    printWhere(terminal, session.uid, seq, seq === null ? '' : ' --tools')
  },
}
