import { sessionJson } from '../../model/shapes.ts'
import { sessionOptions, type Command, type Context } from '../command.ts'
import { flag, sessionFilter } from '../given.ts'
import { noteRest, printHeading } from '../sessions.ts'

const DEFAULT_LIMIT = 10
/** A uid, a short id or the beginning of one. */
const ID = /^(?:last|[a-z]+:[\w-]{6,}|(?=.*\d)[0-9a-f][0-9a-f-]{5,})(?:#[\w.]+)?$/

export const similar: Command = {
  name: 'similar',
  summary: 'sessions about the same thing as a session or a text',
  details: 'What is only a guess is marked so.',
  args: [{ name: 'id|text', help: 'a session, or words', required: true, many: true }],
  options: sessionOptions(DEFAULT_LIMIT),
  examples: ['recall similar 3f2a9c1e', 'recall similar "flaky login test after the cookie change"'],
  rows: 'hits',
  async run(context, args, given) {
    const { recall, terminal } = context
    const text = args.join(' ').trim()
    const session = ID.test(text) ? await recall.find(text) : null
    const filter = sessionFilter(context, given, DEFAULT_LIMIT)
    const { sessions, total } = await recall.evidence.similar({ to: session ?? text, filter })
    if (flag(given, 'json')) {
      const hits = sessions.map(({ session: found, score, lowConfidence, shared }) => {
        return { session: sessionJson(found), score, low_confidence: lowConfidence, shared }
      })
      return terminal.json({ query: text, similar_to: session?.uid ?? null, total, hits })
    }
    if (sessions.length === 0) return terminal.note('nothing similar')
    for (const found of sessions) print(context, found)
    noteRest(terminal, sessions.length, total, 'session')
  },
}

type Similar = Awaited<ReturnType<Context['recall']['evidence']['similar']>>['sessions'][number]

function print({ terminal }: Context, { session, lowConfidence, shared }: Similar): void {
  printHeading(terminal, session, [session.evictedAt === null ? '' : 'digest only', lowConfidence ? 'a guess' : ''])
  if (shared.length > 0) terminal.line(terminal.cell(`  ${shared.join(', ')}`))
  terminal.line()
}
