import { UserError } from '../model/errors.ts'
import { EVENT_KINDS, type EventKind } from '../model/event.ts'
import { readPayloadRef } from '../model/pointers.ts'
import { firstChars } from '../model/first-chars.ts'
import { operation } from './operation.ts'
import { called, choice, count, integer, object, positive, text } from './schema.ts'

export interface Payload {
  readonly uid: string
  readonly seq: number
  readonly kind: EventKind
  readonly text: string
}

export const payload = operation({
  name: 'payload',
  summary: 'the whole payload that a `payload_ref` names',
  effect: 'reads',
  input: object(
    { payload_ref: text('as `recall show <id> --events --json` prints it') },
    { from: count('only from this character on'), chars: called('n', positive('at most so many characters')) },
  ),
  output: object({
    payload_ref: text(),
    session_uid: text(),
    seq: integer(),
    kind: choice(EVENT_KINDS),
    text: text(),
    total_chars: count(),
  }),
  async run({ recall }, { payload_ref: reference }): Promise<Payload> {
    const place = readPayloadRef(reference)
    if (place === null) throw new UserError('USAGE', `${reference} names no payload`, HINT)
    const session = await recall.find(place.session)
    const { seq } = place
    const [event] = await recall.events(session, { sidechains: true, fromSeq: seq, toSeq: seq })
    const body = (await recall.bodies(session, [seq])).get(seq)
    if (event?.hasBody === true && body === undefined) throw damaged(reference)
    const whole = body ?? event?.text ?? event?.input ?? null
    if (event === undefined || whole === null) throw notThere(reference, session.evictedAt !== null)
    return { uid: session.uid, seq, kind: event.kind, text: whole }
  },
  document: ({ uid, seq, kind, text: whole }: Payload, { payload_ref, from = 0, chars }) => ({
    payload_ref,
    session_uid: uid,
    seq,
    kind,
    text: firstChars(whole.slice(from), chars ?? Infinity),
    total_chars: whole.length,
  }),
})

const HINT = '`recall show <id> --events --json` prints them as `payload_ref`'

function damaged(reference: string): UserError {
  const hint = '`recall doctor --repair` reads it again if its transcript is still there'
  return new UserError('STORE_BROKEN', `the payload ${reference} is damaged`, hint)
}

function notThere(reference: string, isEvicted: boolean): UserError {
  if (!isEvicted) return new UserError('NOT_FOUND', `there is no payload ${reference}`, HINT)
  const hint = '`recall index --restore <id>` reads it again if its transcript is still there'
  return new UserError('NOT_FOUND', `the raw text of this session has gone, and ${reference} with it`, hint)
}
