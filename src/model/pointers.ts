import { COMPLETION_POS, DECISIONS_LANE, HASHED_BLOCKS, laneBase, LANE_BLOCK } from './event.ts'

/** Digits that nobody takes for one another. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const NAME_LENGTH = 7
const SHORTEST_NAME = 3
const DECISIONS = 'decisions'
const END = 'end'
const FIRST_BLOCK = laneBase(DECISIONS_LANE) - HASHED_BLOCKS * LANE_BLOCK

/**
 * The number of an event as people read and type it: `#45` in the main thread, `#k3f9x2a.12` elsewhere, of which the
 * first part names the thread. Follows from the number alone, so it never rots either.
 */
export function pointerOf(seq: number): string {
  if (seq === COMPLETION_POS) return `#${END}`
  if (seq < FIRST_BLOCK) return `#${seq}`
  const block = Math.floor((seq - FIRST_BLOCK) / LANE_BLOCK)
  return `#${threadName(block)}.${((seq - FIRST_BLOCK) % LANE_BLOCK) + 1}`
}

function threadName(block: number): string {
  if (block >= HASHED_BLOCKS) return DECISIONS
  let name = ''
  for (let rest = block, i = 0; i < NAME_LENGTH; i++, rest = Math.floor(rest / DIGITS.length))
    name = DIGITS.charAt(rest % DIGITS.length) + name
  return name
}

/** An event as somebody names it: one number, or the numbers it may be where only the beginning of a thread's name is given. */
export interface Pointed {
  readonly fits: (seq: number) => boolean
  /** Also where subagents speak. */
  readonly aside: boolean
}

/** What `#45`, `45`, `#k3f9x2a.12`, `k3f.12` or a whole number of 16 digits points at. Null for what is no pointer. */
export function readPointer(text: string): Pointed | null {
  const plain = text.trim().replace(/^#/, '').toLowerCase()
  if (/^\d+$/.test(plain)) return one(Number(plain))
  if (plain === END) return one(COMPLETION_POS)
  const [, name = '', number] = /^([0-9a-z]+)\.(\d+)$/.exec(plain) ?? []
  if (number === undefined || name.length < SHORTEST_NAME) return null
  const ending = `.${number}`
  return {
    aside: true,
    fits: (seq) => seq >= FIRST_BLOCK && seq !== COMPLETION_POS && isNamed(pointerOf(seq), `#${name}`, ending),
  }
}

function one(wanted: number): Pointed {
  return { fits: (seq) => seq === wanted, aside: wanted >= FIRST_BLOCK && wanted !== COMPLETION_POS }
}

function isNamed(pointer: string, start: string, ending: string): boolean {
  return pointer.startsWith(start) && pointer.endsWith(ending)
}

/** Of an id that begins with its time (UUID 7) so much is the time, of another this. */
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}(?=-7)/
const SHORT = 8

/** The beginning of a session's own id, as people type it: as much of it as tells it from others. */
export function shortName(uid: string): string {
  const id = uid.slice(uid.indexOf(':') + 1)
  return TIMED.exec(id)?.[0] ?? id.slice(0, SHORT)
}

/** The name of a session, and the pointer behind its last `#` if there is one. */
export function splitPointer(text: string): { readonly session: string; readonly event: Pointed | null } {
  const at = text.lastIndexOf('#')
  const event = at < 1 ? null : readPointer(text.slice(at + 1))
  return { session: event === null ? text : text.slice(0, at), event }
}

const PAYLOAD = 'blob://'
const PAYLOAD_REF = /^blob:\/\/(.+)\/(\d+)$/

/** The name of what an event holds in full: `blob://<session uid>/<seq>`. */
export function payloadRef(uid: string, seq: number): string {
  return `${PAYLOAD}${uid}/${seq}`
}

/** Whether this is meant as a `payload_ref`, and not as the name of a session. */
export function isPayloadRef(text: string): boolean {
  return text.startsWith(PAYLOAD)
}

/** Null for what names none. */
export function readPayloadRef(text: string): { readonly session: string; readonly seq: number } | null {
  const [, session, seq] = PAYLOAD_REF.exec(text) ?? []
  return session === undefined ? null : { session, seq: Number(seq) }
}
