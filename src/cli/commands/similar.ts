import { similar as operation } from '../../operations/similar.ts'
import type { SimilarSession } from '../../search/similar.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { noteRest, printHeading } from '../sessions.ts'

export const similar = commandOf({
  operation,
  args: [{ name: 'id|text', field: 'to', help: 'a session, or words', required: true, many: true }],
  options: [FRESH_OPTION],
  examples: ['recall similar 3f2a9c1e', 'recall similar "flaky login test after the cookie change"'],
  rows: 'hits',
  print(context, { sessions, total }) {
    const { terminal } = context
    if (sessions.length === 0) return terminal.note('nothing similar')
    for (const found of sessions) print(context, found)
    noteRest(terminal, sessions.length, total, 'session')
  },
})

function print({ terminal }: Context, { session, lowConfidence, shared }: SimilarSession): void {
  printHeading(terminal, session, [session.evictedAt === null ? '' : 'digest only', lowConfidence ? 'a guess' : ''])
  if (shared.length > 0) terminal.line(terminal.cell(`  ${shared.join(', ')}`))
  terminal.line()
}
