import { UserError } from '../model/errors.ts'
import { pointerOf } from '../model/pointers.ts'
import type { BlameAnswer } from '../search/blame.ts'
import { operation } from './operation.ts'
import { choice, integer, list, nullable, number, object, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const TARGET = /^[0-9a-f]{7,40}$|.:\d+$/i

export const blame = operation({
  name: 'blame',
  summary: 'the session behind a commit or a line',
  details:
    'From commits and edits that sessions recorded; for a line also from `git blame`. Names none where it is not sure.',
  effect: 'reads',
  isLocal: true,
  input: object({ target: text('at least 7 digits of a hash, or a line of a file') }),
  output: object({
    target: text(),
    session: nullable(sessionSchema),
    confidence: nullable(number()),
    reason: nullable(choice(['commit', 'commit_message', 'edit'])),
    commit: nullable(text()),
    seq: nullable(integer()),
    pointer: nullable(text()),
    evidence: list(text()),
  }),
  async run({ recall, cwd }, { target }): Promise<BlameAnswer> {
    if (TARGET.test(target)) return recall.evidence.blame(target, cwd)
    const hint = 'give at least 7 digits of a commit, or path:line'
    throw new UserError('USAGE', `cannot tell what ${JSON.stringify(target)} is`, hint)
  },
  document: ({ target, session, confidence, reason, commit, seq }: BlameAnswer) => ({
    target,
    session: session === null ? null : sessionDocument(session),
    confidence: session === null ? null : confidence,
    reason,
    commit,
    seq,
    pointer: seq === null ? null : pointerOf(seq),
    evidence: session === null || seq === null ? [] : [`${session.uid}#${seq}`],
  }),
})
