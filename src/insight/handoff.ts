import { analysisOf, type AnalysisSettings } from '../distill/analysis.ts'
import { isCorrection } from '../distill/person-phrases.ts'
import { inTime, isDenial, isPrompt, isStop } from '../distill/timeline.ts'
import type { Digest, DigestEvent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import type { SessionRecord } from '../model/session.ts'
import type { EventRecord, Store } from '../store/store.ts'

/** Something that was said or run, and where. */
export interface Quoted {
  readonly seq: number
  readonly text: string
}

export interface Failing {
  readonly seq: number
  readonly command: string
  /** How what it said begins. */
  readonly output: string
}

/** What somebody else must know to go on with a session. */
export interface HandoffFacts {
  readonly session: SessionRecord
  readonly digest: Digest
  /** True if the raw text is gone, and all this is what the digest still says. */
  readonly fromDigest: boolean
  readonly prompts: readonly (Quoted & { readonly isCorrection: boolean })[]
  /** How the agent ended each exchange, in order. */
  readonly answers: readonly Quoted[]
  readonly decisions: readonly Quoted[]
  /** Commands whose last run failed. */
  readonly failing: readonly Failing[]
  /** What the agent's last list of things to do leaves open. */
  readonly todos: readonly string[]
  /** What is open, in our words. */
  readonly openEnds: readonly string[]
}

/** Reads a session for whoever goes on with it. Null if neither its text nor its digest is left. */
export async function handoffFacts(
  store: Store,
  session: SessionRecord,
  settings: AnalysisSettings,
): Promise<HandoffFacts | null> {
  if (session.evictedAt !== null) {
    const json = await store.keeping.digest(session.uid)
    return json === null ? null : ofDigest(session, JSON.parse(json) as Digest)
  }
  const input = await store.keeping.analysisInput(session.rowId)
  const digest = JSON.parse(analysisOf({ ...input, session }, settings).json) as Digest
  const events = inTime(input.events).filter((event) => !event.sidechain)
  const failing = failingCommands(events)
  return {
    session,
    digest,
    fromDigest: false,
    prompts: events.filter((event) => isPrompt(event) && hasText(event)).map(toPrompt),
    answers: lastAnswers(events),
    decisions: events.filter((event) => event.kind === 'decision' && hasText(event)).map(toQuoted),
    failing,
    todos: openTodos(await store.events(session.rowId, { sidechains: false })),
    openEnds: openEnds(events),
  }
}

function ofDigest(session: SessionRecord, digest: Digest): HandoffFacts {
  const said = (text: string | null): Quoted[] => (text === null ? [] : [{ seq: 0, text }])
  return {
    session,
    digest,
    fromDigest: true,
    prompts: said(digest.first_prompt).map((prompt) => ({ ...prompt, isCorrection: false })),
    answers: said(digest.last_assistant),
    decisions: [],
    failing: [],
    todos: [],
    openEnds: [],
  }
}

function hasText({ text }: DigestEvent): boolean {
  return (text ?? '').trim() !== ''
}

function toQuoted({ seq, text }: DigestEvent): Quoted {
  return { seq, text: (text ?? '').trim() }
}

function toPrompt(event: DigestEvent): HandoffFacts['prompts'][number] {
  return { ...toQuoted(event), isCorrection: isCorrection(event.text ?? '') }
}

function lastAnswers(events: readonly DigestEvent[]): Quoted[] {
  const last = new Map<number, Quoted>()
  for (const event of events)
    if (event.kind === 'assistant_msg' && hasText(event)) last.set(event.exchange, toQuoted(event))
  return [...last.values()]
}

/** A command that failed once and succeeded later fails no more. */
function failingCommands(events: readonly DigestEvent[]): Failing[] {
  const calls = new Map<string, DigestEvent>()
  const failing = new Map<string, Failing>()
  for (const event of events) {
    if (event.call === null) continue
    if (isToolCall(event.kind)) {
      calls.set(event.call, event)
      continue
    }
    const call = calls.get(event.call)
    const command = call?.base == null ? '' : (call.text ?? '').trim()
    if (call === undefined || command === '' || isDenial(event)) continue
    failing.delete(command)
    const isFailed = event.kind === 'error' || event.tests === 'failed'
    if (isFailed) failing.set(command, { seq: call.seq, command, output: (event.text ?? '').trim() })
  }
  return [...failing.values()]
}

/** What ends here without an end, the weightiest first. */
function openEnds(events: readonly DigestEvent[]): string[] {
  const at = (is: (event: DigestEvent) => boolean) => events.findLastIndex(is)
  const [asked, answered] = [at(isPrompt), at((event) => event.kind === 'assistant_msg' && hasText(event))]
  const ends: string[] = []
  const stopped = at(isStop)
  if (stopped > asked) ends.push('The person stopped the agent; nothing was asked since.')
  else if (asked > answered) ends.push('The last prompt has no answer.')
  if (answered > asked && /\?\s*$/.test(events[answered]?.text ?? ''))
    ends.push('The agent ended with a question that nobody answered.')
  const tests = events.findLast(({ tests: verdict }) => verdict !== null)
  if (tests?.tests === 'failed') ends.push('The last test run failed.')
  const denied = events.findLast((event) => event.call !== null && !isToolCall(event.kind))
  if (denied !== undefined && isDenial(denied)) ends.push('The last call was not allowed.')
  return ends
}

const DONE = /^(?:completed|done|cancell?ed|deleted)$/i

/** Agents keep lists of what is to be done; each has its own tool for it, and all lists look alike. */
function openTodos(events: readonly EventRecord[]): string[] {
  for (const { input } of events.toReversed()) {
    const items = input?.includes('"status"') === true ? itemsIn(JSON.parse(input)) : []
    if (items.length > 0) return items.filter(({ status }) => !DONE.test(status)).map(({ text }) => text)
  }
  return []
}

function itemsIn(input: unknown): { readonly text: string; readonly status: string }[] {
  const lists = Object.values(asRecord(input)).filter((value) => Array.isArray(value))
  return lists.flat().flatMap((item: unknown) => {
    const { content, step, title, status } = asRecord(item)
    const text = [content, step, title].find((words) => typeof words === 'string')
    return typeof text === 'string' && typeof status === 'string' ? [{ text, status }] : []
  })
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
