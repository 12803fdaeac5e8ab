import { UserError } from '../model/errors.ts'
import { pointerOf, readPointer, splitPointer, type Pointed } from '../model/pointers.ts'
import { hasTranscript } from '../model/regular-file.ts'
import type { SessionRecord } from '../model/session.ts'
import { localTime } from '../model/time.ts'
import { FLAG, type EventPlace, type EventRecord } from '../store/store.ts'
import { called, choice, count, text } from './schema.ts'

const MARGIN = 10

/** Who speaks. */
export const role = choice(['user', 'assistant', 'system', 'tool'])

export const around = called('n', text('only what stands around this event: 45, or k3f9x2a.12 in another thread'))

/** Whole messages, or single events. */
export const messageFields = {
  around,
  tail: called('n', count('only the last n messages; with --events: events')),
  limit: called('n', count('at most n messages (0 = all); with --events: events')),
}
export const eventFields = {
  around,
  tail: called('n', count('only the last n events')),
  limit: called('n', count('at most n events (0 = all)')),
}

interface Part {
  readonly id: string
  readonly around?: string | undefined
  readonly tail?: number | undefined
  readonly limit?: number | undefined
}

/** The event that `around` or the end of the id points at; null for none. */
export function pointedAt({ id, around: typed }: Part): Pointed | null {
  if (typed === undefined) return splitPointer(id).event
  const found = readPointer(typed)
  if (found !== null) return found
  const hint = 'it takes what `recall show` prints: 45, or k3f9x2a.12 in another thread'
  throw new UserError('USAGE', `--around cannot be ${JSON.stringify(typed)}`, hint)
}

/** Those at the end, at the start, or all. */
export function someOf<T>(all: readonly T[], { tail, limit }: Part): readonly T[] {
  if (tail) return all.slice(-tail)
  return limit ? all.slice(0, limit) : all
}

/** The events of whole messages at the end, at the start, or all. */
export function someMessages(events: readonly EventRecord[], part: Part): readonly EventRecord[] {
  const starts = [
    ...new Set(events.flatMap((event) => (event.message === null ? [] : [`${event.lane}\n${event.message}`]))),
  ]
  const kept = someOf(starts, part)
  if (kept.length === starts.length) return events
  const wanted = new Set(kept)
  const calls = new Set(
    events.filter((e) => e.call !== null && wanted.has(`${e.lane}\n${e.message}`)).map((e) => `${e.lane}\n${e.call}`),
  )
  return events.filter((e) =>
    e.message === null ? calls.has(`${e.lane}\n${e.call}`) : wanted.has(`${e.lane}\n${e.message}`),
  )
}

/** What stands around an event: of the conversation, or of the thread in which it was said. */
export function placesAround(
  session: SessionRecord,
  places: readonly EventPlace[],
  pointed: Pointed,
  { limit: margin = MARGIN }: Part,
): readonly EventPlace[] {
  const { thread, at } = placeOf(session, places, pointed)
  return thread.slice(Math.max(0, at - margin), at + margin + 1)
}

/** The thread that an event stands in, or the whole conversation, and which one of it the event is. */
export function placeOf(
  session: SessionRecord,
  places: readonly EventPlace[],
  pointed: Pointed,
): { readonly thread: readonly EventPlace[]; readonly at: number } {
  const found = places.filter((place) => pointed.fits(place.seq))
  const [place] = found
  if (place === undefined) {
    if (session.evictedAt !== null) throw evicted(session)
    const hint = 'numbers come from `recall search` and `recall show`, which print them as #45'
    throw new UserError('NOT_FOUND', 'the session has no such event', hint)
  }
  if (found.length > 1) {
    const fitting = found.map(({ seq }) => pointerOf(seq)).join(', ')
    throw new UserError('AMBIGUOUS', `${found.length} threads are called so`, `it may be ${fitting}`)
  }
  const isAside = (place.flags & FLAG.sidechain) !== 0
  const thread = isAside ? places.filter(({ lane }) => lane === place.lane) : places
  return { thread, at: thread.indexOf(place) }
}

function evicted({ shortId, evictedAt, evictReason, sourcePath }: SessionRecord): UserError {
  const message = `the raw text of this session went on ${localTime(evictedAt)} (${evictReason ?? 'let go'})`
  const hint = hasTranscript(sourcePath)
    ? `\`recall index --restore ${shortId}\` reads it again: its transcript is still there`
    : `its transcript is gone too; \`recall digest ${shortId}\` tells what is known`
  return new UserError('NOT_FOUND', message, hint)
}
