import { buildConversation, type Call, type Message } from '../model/conversation.ts'
import { pointerOf } from '../model/pointers.ts'
import { hasTranscript } from '../model/regular-file.ts'
import { projectOf, type SessionRecord } from '../model/session.ts'
import { oneLine, plural } from '../model/text.ts'
import { humanDuration } from '../model/time.ts'
import { FLAG, type EventRecord } from '../store/store.ts'
import type { Terminal } from './terminal.ts'
import { localTime } from '../model/time.ts'
import { wrap } from './wrap.ts'

export interface ShowOptions {
  readonly tools: boolean
  readonly thinking: boolean
  /** What the client put into the conversation. */
  readonly plumbing: boolean
  /** Only a part of the session is shown. */
  readonly folded: boolean
}

/**
 * A session in the form people read: who said what, with its pointer, and in the margin what went wrong. Calls that
 * failed or were not allowed are told in any case.
 */
export function printConversation(
  terminal: Terminal,
  session: SessionRecord,
  events: readonly EventRecord[],
  options: ShowOptions,
): void {
  printHead(terminal, session)
  const { messages, orphans, notes } = buildConversation(events)
  const prints = new Map<EventRecord, () => void>()
  const plumbing = new Plumbing(terminal)
  for (const message of messages) {
    if (!options.plumbing && isPlumbing(message)) prints.set(message.start, () => plumbing.add(message.start))
    else if (isSilent(message, options)) continue
    else prints.set(message.start, () => printMessage(terminal, message, options))
  }
  for (const note of notes.filter(isWorthALine)) prints.set(note, () => printNote(terminal, note))
  for (const call of orphans)
    if (options.tools || markOf(call) !== '') prints.set(call.event, () => printCall(terminal, call))
  for (const event of events) {
    const print = prints.get(event)
    if (print === undefined) continue
    if (!isFolding(event, options)) plumbing.end()
    print()
  }
  plumbing.end()
  if (options.folded) terminal.note(terminal.dim('(a part of the session)'))
  if (session.threadCount > 0) {
    terminal.note(terminal.dim(`${session.threadCount} subagent conversation(s): --sidechains shows them`))
  }
}

function isWorthALine(event: EventRecord): boolean {
  return event.kind !== 'completion' && (event.flags & FLAG.inferred) === 0 && event.marks.turn !== 'completed'
}

function printHead(terminal: Terminal, session: SessionRecord): void {
  const { startedAt, endedAt } = session
  const took = startedAt === null || endedAt === null ? 'unknown' : humanDuration((endedAt - startedAt) / 1000)
  terminal.line(
    terminal.bold(`[${localTime(startedAt) || 'no time'}] Session ${session.shortId} (${session.longSource})`),
  )
  if (session.title !== null) terminal.line(terminal.cell(session.title))
  const branch = session.gitBranch === null ? '' : ` (${session.gitBranch})`
  terminal.line(terminal.cell(`Project: ${projectOf(session) ?? 'unknown'}${branch}`))
  terminal.line(`Duration: ${took} | Messages: ${session.messageCount} | Tools: ${session.toolCount}`)
  if (session.evictedAt !== null) printEvicted(terminal, session)
  if (!session.isComplete) terminal.line(terminal.yellow('Parts of this session could not be read.'))
  terminal.line()
}

const WHY_EVICTED: Readonly<Record<string, string>> = {
  backstop: 'it was older than raw_max_age_days',
  budget: 'the store was above raw_soft_cap_bytes',
  overflow: 'the store was above raw_hard_cap_bytes',
}

function printEvicted(terminal: Terminal, session: SessionRecord): void {
  const why = WHY_EVICTED[session.evictReason ?? ''] ?? 'it was let go'
  terminal.line(terminal.yellow(`The raw text went on ${localTime(session.evictedAt)}: ${why}.`))
  const here = hasTranscript(session.sourcePath)
  terminal.line(`  recall digest ${session.shortId}`)
  if (here) terminal.line(`  recall index --restore ${session.shortId}   # its transcript is still there`)
}

const MARGIN = 8
const POINTER = 5

/** What stands beside a line: `✗` it failed, `⊘` it was not allowed, `!` a person stepped in. */
type Mark = '' | '✗' | '⊘' | '!'

interface Shown {
  readonly mark: Mark
  readonly seq: number
  /** Who speaks, styled. */
  readonly head: string
  readonly text: string
}

/** On a terminal text is wrapped beside its margin; elsewhere it stays as it is. */
function printBeside(terminal: Terminal, { mark, seq, head, text }: Shown): void {
  const paint = mark === '✗' ? terminal.red : terminal.yellow
  const margin = `${mark === '' ? ' ' : paint(mark)} ${terminal.dim(pointerOf(seq).padEnd(POINTER))} `
  if (!terminal.isTTY) return terminal.line(`${margin}${head}${text}`)
  const width = Math.max(20, terminal.width - MARGIN)
  const [first = '', ...rest] = `${head}${text}`
    .split('\n')
    .flatMap((line) => wrap(terminal.cell(line.replaceAll('\t', '  ')), width))
  terminal.line([margin + first, ...rest.map((line) => ' '.repeat(MARGIN) + line)].join('\n'))
}

function markOf({ event, result }: Call<EventRecord>): Mark {
  const { denied, stopped } = { ...event.marks, ...result?.marks }
  if (denied !== undefined) return '⊘'
  if (result?.kind === 'error') return '✗'
  return stopped === true ? '!' : ''
}

function messageMark({ words }: Message<EventRecord>): Mark {
  if (words.some(({ kind, marks }) => kind === 'human_intervention' || marks.interrupted || marks.onDenial)) return '!'
  return words.some(({ kind }) => kind === 'error') ? '✗' : ''
}

/** Nothing in it but what the client put there. */
function isPlumbing({ words, thoughts, calls }: Message<EventRecord>): boolean {
  return words.length > 0 && thoughts.length + calls.length === 0 && words.every(({ marks }) => marks.injected === true)
}

/** Neither words nor anything else that is shown. */
function isSilent(message: Message<EventRecord>, { tools, thinking }: ShowOptions): boolean {
  if (wordsOf(message) !== '' || (thinking && message.thoughts.length > 0)) return false
  return !message.calls.some((call) => tools || markOf(call) !== '')
}

function isFolding(event: EventRecord, { plumbing }: ShowOptions): boolean {
  return !plumbing && event.marks.injected === true
}

/** One line for as many messages of the client as follow one another. */
class Plumbing {
  readonly #terminal: Terminal
  #folded: EventRecord[] = []

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  add(event: EventRecord): void {
    this.#folded.push(event)
  }

  end(): void {
    const [first] = this.#folded
    if (first === undefined) return
    const text = `(${plural(this.#folded.length, 'message')} of the client; --plumbing shows)`
    printBeside(this.#terminal, { mark: '', seq: first.seq, head: '', text: this.#terminal.dim(text) })
    this.#folded = []
  }
}

function wordsOf({ words }: Message<EventRecord>): string {
  const said = words.filter(({ role, marks }) => role !== 'assistant' || !marks.injected)
  return said
    .map((event) => event.text ?? '')
    .filter((text) => text.trim() !== '')
    .join('\n')
    .trim()
}

function printMessage(terminal: Terminal, message: Message<EventRecord>, options: ShowOptions): void {
  const { start } = message
  const lost = start.flags & FLAG.superseded ? ' (no longer in the transcript)' : ''
  const side = start.flags & FLAG.sidechain ? `${terminal.cell(start.thread ?? 'side')} ` : ''
  const name = terminal.bold(start.role === 'user' ? terminal.green('user') : terminal.cyan(start.role))
  if (options.thinking) for (const thought of message.thoughts) printThought(terminal, thought)
  const text = wordsOf(message)
  if (text !== '') {
    const head = `${side}${name}${lost}: `
    printBeside(terminal, { mark: messageMark(message), seq: start.seq, head, text })
  }
  for (const call of message.calls) if (options.tools || markOf(call) !== '') printCall(terminal, call)
}

function printThought(terminal: Terminal, thought: EventRecord): void {
  if (!thought.text) return
  const text = thought.text.trim().replaceAll('\n', terminal.isTTY ? '\n' : '\n  ')
  printBeside(terminal, { mark: '', seq: thought.seq, head: terminal.dim('(thinking) '), text: terminal.dim(text) })
}

function printNote(terminal: Terminal, note: EventRecord): void {
  const mark = note.kind === 'error' ? '✗' : note.marks.interrupted || note.kind === 'human_intervention' ? '!' : ''
  printBeside(terminal, { mark, seq: note.seq, head: '', text: terminal.dim(terminal.cell(`-- ${note.summary}`)) })
}

function printCall(terminal: Terminal, call: Call<EventRecord>): void {
  const { event, result } = call
  const mark = markOf(call)
  const what = oneLine(event.text ?? event.summary, 160)
  const ended = {
    '': '',
    '✗': terminal.red(' — failed'),
    '⊘': terminal.yellow(' — not allowed'),
    '!': terminal.yellow(' — stopped'),
  }
  const text = `${terminal.cell(`[${event.tool}] ${what}`)}${ended[mark]}`
  printBeside(terminal, { mark, seq: event.seq, head: '', text })
  if (mark !== '✗' || result === null) return
  const why = terminal.dim(terminal.cell(result.summary))
  printBeside(terminal, { mark: '', seq: result.seq, head: '  ', text: why })
}
