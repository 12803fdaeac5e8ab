import type { DocumentOf } from '../operations/operation.ts'
import type { OperationNamed } from '../operations/index.ts'
import { choice, object, text } from '../operations/schema.ts'
import { pointerOf } from '../model/pointers.ts'
import { budgetTokens, project, rowOf, type Confidence, type Found, type Row } from './answer.ts'
import type { Memory } from './memory.ts'
import { cutQuote, quoted } from './quote.ts'
import { tool, type Call } from './tool.ts'

const MOST = 12
const QUOTE = 500
const SHORT = 120
const STEPS = 8

interface Solution extends Row {
  /** Texts and lists of texts by what they are. */
  readonly [what: string]: unknown
}

/** Each question: what it asks the memory, and what of the answer is told. */
type Asker = (
  memory: Memory,
  words: string,
  where: { readonly project?: string },
  call: Call,
) => Promise<Found<Solution>>

const ASKERS: Readonly<Record<'error' | 'task' | 'similar' | 'file' | 'commit', Asker>> = {
  async error(memory, error, where) {
    const { occurrences, total } = await memory.ask('fix', { error, ...where, limit: MOST })
    const met = occurrences.filter(({ session }) => !memory.isCaller(session))
    return {
      rows: met.map((one) => ({
        ...rowOf(one.session, one.seq === null ? null : pointerOf(one.seq), confidenceOf(one.confidence)),
        match: one.match,
        resolution: one.resolution,
        error: cutQuote(one.error, QUOTE),
        steps: one.steps.slice(0, STEPS).map(({ kind, what, ok, seq }) => stepText(kind, what, ok, seq)),
        ...(one.explanation === null ? {} : { explanation: cutQuote(one.explanation, QUOTE) }),
      })),
      notes: [met.length === 0 ? 'this error was not met before' : null],
      rest: others(total - (occurrences.length - met.length), 'places where it was met'),
    }
  },
  async task(memory, task, where, call) {
    const { commands, total } = await memory.ask('how', { task, ...where, limit: MOST })
    const rows: Solution[] = []
    for (const one of commands) {
      call.signal.throwIfAborted()
      const elsewhere = await ranElsewhere(memory, one.evidence)
      if (elsewhere === null) continue
      rows.push({
        ...rowOf(elsewhere.session, elsewhere.pointer, one.low_confidence ? 'guess' : 'likely'),
        command: cutQuote(one.command, QUOTE),
        ...(one.purpose === null ? {} : { purpose: cutQuote(one.purpose, SHORT) }),
        worked: one.count,
        failed: one.failed,
        last_used: one.last_used?.slice(0, 10) ?? null,
      })
    }
    return {
      rows,
      notes: [rows.length === 0 ? 'no command for this is known' : null],
      rest: others(total - (commands.length - rows.length), 'commands'),
    }
  },
  async similar(memory, to, where) {
    const { hits, total } = await memory.ask('similar', { to, ...where, limit: MOST })
    const found = hits.filter(({ session }) => !memory.isCaller(session))
    return {
      rows: found.map(({ session, low_confidence: isGuess, shared }) => ({
        ...rowOf(session, null, isGuess ? 'guess' : 'likely'),
        shared: shared.map((word) => quoted(word)).slice(0, STEPS),
      })),
      notes: [found.length === 0 ? 'no session is like it' : null],
      rest: others(total - (hits.length - found.length), 'sessions'),
    }
  },
  async file(memory, path, where) {
    const { sessions, total, elsewhere } = await memory.ask('files', { path, ...where, limit: MOST })
    const visits = sessions.filter(({ session }) => !memory.isCaller(session))
    return {
      rows: visits.map(({ session, path: file, edits, reads, last_at: at, evidence }) => ({
        ...rowOf(session, pointerIn(evidence[0]), 'sure'),
        path: quoted(file),
        edits,
        reads,
        last_at: at?.slice(0, 10) ?? null,
      })),
      notes: [
        visits.length === 0 ? 'no session touched it' : null,
        elsewhere === 0 ? null : `files of this name in other projects: ${elsewhere}; give project`,
      ],
      rest: others(total - (sessions.length - visits.length), 'sessions'),
    }
  },
  async commit(memory, target) {
    const { session, confidence, reason, pointer, commit } = await memory.ask('blame', { target })
    if (session === null) return { rows: [], notes: ['no session is known to be behind it'] }
    if (memory.isCaller(session)) return { rows: [], notes: ['this very session is behind it'] }
    return { rows: [{ ...rowOf(session, pointer, confidenceOf(confidence ?? 0)), reason, commit }] }
  },
}

/** Where a command ran that whoever asks has not run just now; null if that is nowhere. */
async function ranElsewhere(memory: Memory, evidence: readonly string[]) {
  for (const place of evidence) {
    const [, id = '', seq = ''] = /^(.*)#(\d+)$/.exec(place) ?? []
    const { session } = await memory.ask('read', { id, limit: 1 })
    if (!memory.isCaller(session)) return { session, pointer: pointerOf(Number(seq)) }
  }
  return null
}

export const findSolution = tool({
  name: 'find_solution',
  title: 'Find how it was done',
  description:
    'What was done about an error (paste it), a task (commands that worked), similar work, a file (who changed it), a commit or path:line (its session).',
  isReadOnly: true,
  input: object(
    { for: choice(['error', 'task', 'similar', 'file', 'commit']), text: text() },
    { project, budget_tokens: budgetTokens },
  ),
  async find(memory, { for: what, text: words, project: where }, call): Promise<Found<Solution>> {
    const lag = await memory.refreshed()
    call.signal.throwIfAborted()
    call.progress(1, 2, 'looking')
    const found = await ASKERS[what](memory, words, where === undefined ? {} : { project: where }, call)
    return { ...found, notes: [...(found.notes ?? []), lag], shorter }
  },
})

type Step = DocumentOf<OperationNamed<'fix'>>['occurrences'][number]['steps'][number]

function stepText(kind: Step['kind'], what: string, ok: Step['ok'], seq: number): string {
  const end = ok === false ? ' (failed)' : ''
  return `${pointerOf(seq)} ${kind}: ${cutQuote(what, SHORT)}${end}`
}

/** With texts that are shorter, and fewer of them. */
function shorter(row: Solution, room: number): Solution | null {
  if (room < 100) return null
  const small = Object.entries(row).map(([name, value]) => {
    if (name === 'session_uid') return [name, value]
    if (typeof value === 'string') return [name, cutQuote(value, SHORT)]
    return [name, Array.isArray(value) ? value.slice(0, 2) : value]
  })
  return Object.fromEntries(small) as Solution
}

function others(total: number, what: string): (shownRows: readonly Solution[]) => { left_out: string } | null {
  return (shownRows) =>
    shownRows.length >= total
      ? null
      : { left_out: `${total - shownRows.length} other ${what}: ask with more budget_tokens, or name the project` }
}

/** As words: an agent cannot weigh a number that it does not know the scale of. */
function confidenceOf(share: number): Confidence {
  if (share >= 0.75) return 'sure'
  return share >= 0.4 ? 'likely' : 'guess'
}

function pointerIn(evidence: string | undefined): string | null {
  const seq = /#(\d+)$/.exec(evidence ?? '')?.[1]
  return seq === undefined ? null : pointerOf(Number(seq))
}
