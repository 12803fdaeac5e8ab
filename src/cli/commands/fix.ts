import { sessionJson } from '../../model/shapes.ts'
import { oneLine } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { sessionOptions, type Command, type Context } from '../command.ts'
import { flag, sessionFilter } from '../given.ts'
import { noteRest, printHeading, printWhere, printWrapped } from '../sessions.ts'

const DEFAULT_LIMIT = 3
const SHOWN_STEP = 160

export const fix: Command = {
  name: 'fix',
  summary: 'where an error was met before, and what followed until it was gone',
  details:
    'Paste the error, one line or many; numbers, directories, ids and times may differ. The same error about another module, ' +
    'symbol or file is only near. Shows the edits and commands after it, what the agent said, and how sure it is that they ' +
    'are why it went away; the latest that was solved first.',
  args: [{ name: 'error', help: 'the text of the error', required: true, many: true }],
  options: sessionOptions(DEFAULT_LIMIT),
  examples: [
    `recall fix "ECONNREFUSED 127.0.0.1:5432"`,
    `recall fix "error TS2345: Argument of type 'string' is not assignable" --json`,
  ],
  rows: 'occurrences',
  async run(context, args, given) {
    const { recall, terminal } = context
    const error = args.join(' ')
    const filter = sessionFilter(context, given, DEFAULT_LIMIT)
    const found = await recall.evidence.fix({ error, filter })
    if (flag(given, 'json')) {
      const occurrences = found.occurrences.map(occurrenceJson)
      return terminal.json({ query: found.error, total: found.total, occurrences })
    }
    if (found.occurrences.length === 0) return terminal.note('this error was not met before')
    if (found.occurrences[0]?.match === 'alike') terminal.note('this very error was not met before; these come near it')
    for (const occurrence of found.occurrences) print(context, occurrence)
    noteRest(terminal, found.occurrences.length, found.total, 'session')
  },
}

type Occurrence = Awaited<ReturnType<Context['recall']['evidence']['fix']>>['occurrences'][number]

function occurrenceJson(met: Occurrence) {
  const { uid } = met.session
  return {
    session: sessionJson(met.session),
    seq: met.seq,
    at: isoTime(met.at),
    error: met.error,
    match: met.match,
    count: met.count,
    confidence: met.confidence,
    resolution: met.resolution,
    solved_seq: met.solvedSeq,
    steps: met.steps,
    explanation: met.explanation,
    pasted: met.pasted,
    evidence: [met.seq, met.solvedSeq].flatMap((seq) => (seq === null ? [] : [`${uid}#${seq}`])),
  }
}

const RESOLUTIONS: Readonly<Record<Occurrence['resolution'], string>> = {
  succeeded: 'the same call went through afterwards',
  similar_succeeded: 'the same program went through afterwards',
  not_seen_again: 'it did not come back in that session',
  unsolved: 'nothing in that session solved it',
  unknown: 'only the digest of that session is left',
}

function print({ terminal }: Context, met: Occurrence): void {
  const { session } = met
  const sure = `${Math.round(met.confidence * 100)} % sure`
  printHeading(terminal, session, [sure, RESOLUTIONS[met.resolution]], met.at)
  const marks = [...(met.match === 'alike' ? ['near'] : []), ...(met.pasted ? ['pasted by a person'] : [])]
  const mark = marks.length === 0 ? '' : terminal.dim(`  (${marks.join(', ')})`)
  terminal.line(`  ${terminal.red(terminal.cell(met.error))}${mark}`)
  for (const step of met.steps) {
    const mark = step.ok === false ? terminal.red('✗') : terminal.green('✓')
    const what = terminal.isTTY ? oneLine(step.what, SHOWN_STEP) : step.what.replace(/\s+/g, ' ')
    terminal.line(`  ${mark} ${step.kind === 'command' ? `$ ${what}` : what}`)
  }
  if (met.explanation !== null) printWrapped(terminal, met.explanation, '  ')
  if (met.seq !== null) printWhere(terminal, session.uid, met.seq, ' --tools')
  terminal.line()
}
