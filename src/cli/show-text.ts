import { existsSync } from 'node:fs'
import { buildConversation, type Call, type Message } from '../model/conversation.ts'
import { projectOf, type SessionRecord } from '../model/session.ts'
import { oneLine } from '../model/text.ts'
import { humanDuration } from '../model/time.ts'
import { FLAG, type EventRecord } from '../store/store.ts'
import type { Terminal } from './terminal.ts'
import { localTime } from './when.ts'

export interface ShowOptions {
  readonly tools: boolean
  readonly thinking: boolean
  /** Only a part of the session is shown. */
  readonly folded: boolean
}

/** A session in the form people read: who said what, tool calls indented under their message. */
export function printConversation(
  terminal: Terminal,
  session: SessionRecord,
  events: readonly EventRecord[],
  options: ShowOptions,
): void {
  printHead(terminal, session)
  const { messages, orphans, notes } = buildConversation(events)
  const prints = new Map<EventRecord, () => void>()
  for (const message of messages) prints.set(message.start, () => printMessage(terminal, message, options))
  for (const note of notes.filter(isTold))
    prints.set(note, () => terminal.line(terminal.dim(terminal.cell(`-- ${note.summary}`))))
  if (options.tools) for (const call of orphans) prints.set(call.event, () => printCall(terminal, call))
  for (const event of events) prints.get(event)?.()
  if (options.folded) terminal.note(terminal.dim('(a part of the session)'))
  if (session.threadCount > 0) {
    terminal.note(terminal.dim(`${session.threadCount} subagent conversation(s): --sidechains shows them`))
  }
}

function isTold(event: EventRecord): boolean {
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
  const here = existsSync(session.sourcePath)
  terminal.line(`  recall digest ${session.shortId}`)
  if (here) terminal.line(`  recall index --restore ${session.shortId}   # its transcript is still there`)
}

function printMessage(terminal: Terminal, message: Message<EventRecord>, options: ShowOptions): void {
  const { start } = message
  const side = start.flags & FLAG.sidechain ? `${terminal.cell(start.thread ?? 'side')} ` : ''
  const lost = start.flags & FLAG.superseded ? ' (no longer in the transcript)' : ''
  const name = terminal.bold(start.role === 'user' ? terminal.green('user') : terminal.cyan(start.role))
  if (options.thinking) for (const thought of message.thoughts) printThought(terminal, thought)
  const said = message.words.filter(({ role, marks }) => role !== 'assistant' || !marks.injected)
  const words = said.map((event) => event.text ?? '').filter((text) => text.trim() !== '')
  if (words.length > 0) terminal.line(`${side}${name}${lost}: ${words.join('\n')}`)
  else if (options.tools && message.calls.length > 0) terminal.line(`${side}${name}${lost}:`)
  if (options.tools) for (const call of message.calls) printCall(terminal, call)
}

function printThought(terminal: Terminal, thought: EventRecord): void {
  if (thought.text) terminal.line(terminal.dim(`  (thinking) ${thought.text.trim().replaceAll('\n', '\n  ')}`))
}

function printCall(terminal: Terminal, { event, result }: Call<EventRecord>): void {
  const what = event.text ?? event.summary
  const failed = result?.kind === 'error' ? terminal.red(' — failed') : ''
  terminal.line(`${terminal.cell(`  [${event.tool}] ${oneLine(what, 160)}`)}${failed}`)
  if (result?.kind === 'error') terminal.line(terminal.dim(terminal.cell(`    ${result.summary}`)))
}
