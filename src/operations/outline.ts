import { UserError } from '../model/errors.ts'
import { isRemark, type Marks } from '../model/marks.ts'
import { EVENT_KINDS, type EventKind } from '../model/event.ts'
import { pointerOf } from '../model/pointers.ts'
import type { SessionRecord } from '../model/session.ts'
import { firstChars } from '../model/first-chars.ts'
import { isoTime } from '../model/time.ts'
import type { BilledResponse } from '../insight/insight.ts'
import type { Tokens } from '../model/usage.ts'
import { FLAG, type EventPlace, type PlacesPart } from '../store/store.ts'
import { tokenFields, tokensDocument } from './cost-document.ts'
import { operation } from './operation.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'
import { role } from './part-of-session.ts'
import { called, choice, count, flag, instant, integer, list, nullable, number, object, text } from './schema.ts'

const PROMPT_CHARS = 160

const TROUBLES = ['error', 'denied', 'retry', 'intervention', 'interrupted', 'compacted'] as const
export type Trouble = (typeof TROUBLES)[number]

/** A prompt of a person, and what followed until the next. */
export interface Turn {
  /** Null: what came before the first prompt. */
  readonly prompt: { readonly seq: number; readonly text: string } | null
  readonly at: number | null
  /** Where its events begin among all, and how many there are. */
  readonly first: number
  events: number
  readonly spent: { -readonly [K in keyof Tokens]: Tokens[K] }
  usd: number
  responses: number
}

export interface Outline {
  readonly session: SessionRecord
  readonly isWhole: boolean
  readonly places: readonly EventPlace[]
  readonly turns: readonly Turn[]
  readonly threads: readonly Thread[]
}

/** What a subagent said, and the call that started it. */
export interface Thread {
  readonly thread: string
  readonly first: number
  events: number
  parent: number | null
}

export const outline = operation({
  name: 'outline',
  summary: 'the shape of a session without its words: its prompts, every event, what each turn took',
  details:
    'Events stand in columns, in the order in which they are read; `read` with `seqs` gives the words. A response counts for the turn in which it came.',
  effect: 'reads',
  input: object(
    { id: text('which session') },
    {
      part: called(
        'n',
        count('of a session with more, only n events, and neither turns nor subagents: the first of the conversation'),
      ),
      at: called('n', text('with `part`: those around the event with this `seq`, or at the `end`, of its transcript')),
    },
  ),
  output: object({
    session_uid: text(),
    session: sessionSchema,
    whole: flag('false: a part, and there is more'),
    total: count('how many events are told here'),
    turns: list(
      object({
        seq: nullable(integer()),
        pointer: nullable(text()),
        prompt: nullable(text()),
        at: instant,
        first: count(),
        events: count(),
        ...tokenFields,
        usd: number(),
        responses: count(),
      }),
    ),
    threads: list(object({ thread: text(), first: count(), events: count(), parent: nullable(integer()) })),
    events: object({
      seq: list(integer()),
      kind: list(choice(EVENT_KINDS)),
      role: list(role),
      tool: list(nullable(text())),
      thread: list(nullable(text())),
      answers: list(nullable(integer()), 'the event whose result this one is'),
      trouble: list(nullable(choice(TROUBLES))),
    }),
  }),
  async run({ recall }, { id, part, at }): Promise<Outline> {
    const session = await recall.find(id)
    if (part !== undefined) {
      const some = await recall.places(session, false, stretch(at, part))
      if (session.eventCount > part || some.length > part)
        return { session, isWhole: false, places: some.slice(0, part), turns: [], threads: [] }
    }
    const places = await recall.places(session, true)
    const prompts = places.filter(isPrompt).map(({ seq }) => seq)
    const texts = new Map(
      (await recall.events(session, { sidechains: true, seqs: prompts })).map((event) => [
        event.seq,
        firstChars(event.text ?? event.summary, PROMPT_CHARS),
      ]),
    )
    const threads = threadsOf(places)
    const firsts = threads.map(({ first }) => places[first]?.seq ?? 0)
    const parents = new Map(
      (await recall.events(session, { sidechains: true, seqs: firsts })).map((event) => [event.seq, event.parentSeq]),
    )
    threads.forEach((one, i) => (one.parent = parents.get(firsts[i] ?? 0) ?? null))
    const turns = turnsOf(places, texts, await recall.insight.responses(session.rowId))
    return { session, isWhole: true, places, threads, turns }
  },
  document: ({ session, isWhole, places, turns, threads }: Outline) => ({
    session_uid: session.uid,
    session: sessionDocument(session),
    whole: isWhole,
    total: places.length,
    turns: turns.map(({ prompt, at, first, events, spent, usd, responses }) => ({
      seq: prompt?.seq ?? null,
      pointer: prompt === null ? null : pointerOf(prompt.seq),
      prompt: prompt?.text ?? null,
      at: isoTime(at),
      first,
      events,
      ...tokensDocument(spent),
      usd,
      responses,
    })),
    threads: threads.map((one) => ({ ...one })),
    events: columns(places),
  }),
})

/** Of the first, one more than is wanted: whether there is more. */
function stretch(at: string | undefined, part: number): PlacesPart {
  if (at === undefined) return { from: 'start', most: part + 1 }
  if (at === 'end') return { from: 'end', most: part }
  const seq = Number(at)
  if (Number.isSafeInteger(seq)) return { from: seq, most: Math.floor(part / 2) }
  throw new UserError('USAGE', `at cannot be ${JSON.stringify(at)}`, 'it takes the seq of an event, or end')
}

function isPrompt({ kind, flags, marks }: EventPlace): boolean {
  return kind === 'user_msg' && (flags & FLAG.human) !== 0 && (flags & FLAG.sidechain) === 0 && !isRemark(marks)
}

function threadsOf(places: readonly EventPlace[]): Thread[] {
  const threads = new Map<string, Thread>()
  places.forEach(({ lane, thread, flags }, i) => {
    if ((flags & FLAG.sidechain) === 0) return
    const known = threads.get(lane)
    if (known === undefined) threads.set(lane, { thread: thread ?? lane, first: i, events: 1, parent: null })
    else known.events++
  })
  return [...threads.values()]
}

function turnsOf(
  places: readonly EventPlace[],
  prompts: ReadonlyMap<number, string>,
  responses: readonly BilledResponse[],
): Turn[] {
  const turns: Turn[] = []
  places.forEach((place, i) => {
    const isSidechain = (place.flags & FLAG.sidechain) !== 0
    const text = prompts.get(place.seq)
    if (text !== undefined && isPrompt(place)) turns.push(turn(i, place.at, { seq: place.seq, text }))
    else if (turns.length === 0) turns.push(turn(i, place.at, null))
    const last = turns.at(-1)
    if (last !== undefined && !isSidechain) last.events++
  })
  if (turns.length === 0 && responses.length > 0) turns.push(turn(0, null, null))
  bill(turns, responses)
  return turns
}

/** Each response to the last turn that had begun by then; to the last of all what tells no time. */
function bill(turns: readonly Turn[], responses: readonly BilledResponse[]): void {
  let at = 0
  for (const one of responses.toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity))) {
    for (let next = at + 1; next < turns.length && (turns[next]?.at ?? 0) <= (one.at ?? Infinity); next++) at = next
    const of = turns[at]
    if (of === undefined) return
    for (const name of Object.keys(of.spent) as (keyof Tokens)[]) of.spent[name] += one[name]
    of.usd += one.usd
    of.responses++
  }
}

function turn(first: number, at: number | null, prompt: Turn['prompt']): Turn {
  const spent = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 }
  return { prompt, at, first, events: 0, spent, usd: 0, responses: 0 }
}

function columns(places: readonly EventPlace[]) {
  const calls = new Map<string, number>()
  for (const { lane, call, kind, seq } of places)
    if (call !== null && !isResult(kind)) calls.set(`${lane}\n${call}`, seq)
  return {
    seq: places.map(({ seq }) => seq),
    kind: places.map(({ kind }) => kind),
    role: places.map(({ role: who }) => who),
    tool: places.map(({ tool }) => tool),
    thread: places.map(({ thread, flags }) => ((flags & FLAG.sidechain) === 0 ? null : thread)),
    answers: places.map(({ lane, call, kind }) =>
      call === null || !isResult(kind) ? null : (calls.get(`${lane}\n${call}`) ?? null),
    ),
    trouble: places.map(troubleOf),
  }
}

function isResult(kind: EventKind): boolean {
  return kind === 'tool_result' || kind === 'error'
}

function troubleOf({ kind, marks }: { readonly kind: EventKind; readonly marks: Marks }): Trouble | null {
  if (marks.compacted !== undefined) return 'compacted'
  if (marks.denied !== undefined) return 'denied'
  if (marks.interrupted === true) return 'interrupted'
  if (kind === 'error') return 'error'
  if (kind === 'retry') return 'retry'
  return kind === 'human_intervention' ? 'intervention' : null
}
