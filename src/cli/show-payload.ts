import { UserError } from '../model/errors.ts'
import type { Context, Given } from './command.ts'
import { flag } from './given.ts'

const REFERENCE = /^blob:\/\/(.+)\/(\d+)$/

/** Whether this is a `payload_ref`, and not the name of a session. */
export function isPayloadRef(text: string): boolean {
  return text.startsWith('blob://')
}

/** Prints the whole payload that a `payload_ref` names: its very bytes, or on a terminal what they say. */
export async function showPayload({ recall, terminal }: Context, reference: string, given: Given): Promise<void> {
  const [, uid, number] = REFERENCE.exec(reference) ?? []
  if (uid === undefined) throw new UserError('USAGE', `${reference} names no payload`, HINT)
  const session = await recall.find(uid)
  const seq = Number(number)
  const [event] = await recall.events(session, { sidechains: true, fromSeq: seq, toSeq: seq })
  const body = (await recall.bodies(session, [seq])).get(seq)
  if (event?.hasBody === true && body === undefined) throw damaged(reference)
  const text = body ?? event?.text ?? event?.input ?? null
  if (event === undefined || text === null) throw notThere(reference, session.evictedAt !== null)
  if (!flag(given, 'json')) return terminal.exact(text)
  terminal.json({ payload_ref: reference, session_uid: session.uid, seq, kind: event.kind, text })
}

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
