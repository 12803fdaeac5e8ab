import { parseObjects, type Json } from '../kit/json.ts'

const SEALED_KEY = Buffer.from('"encrypted_content":"')
const WORTH_CUTTING = 256
const QUOTE = 34
const SPACE = 32
const CLOSE = 125
const DELETE = 127
const BEGINNING = 160
const WORTH_SKIPPING = 1024

/** What the client notes of its own state, and definitions of tools: up to a third of the newest rollouts. */
const NOTHING_TO_TELL =
  /^\{"timestamp":"[^"\\]{1,40}",(?:"ordinal":\d{1,15},)?"type":"(?:world_state","payload":\{|response_item","payload":\{"type":"additional_tools")/

/**
 * The records on a line, null if it is broken. What holds nothing to tell is known by its first bytes, and only those
 * are parsed. Thoughts that only the service can read are a quarter of most rollouts: they are cut before parsing. A
 * cut that does not parse was none; then the whole line is read.
 */
export function parseLine(bytes: Buffer): readonly Json[] | null {
  const cut = beginningOf(bytes) ?? withoutSealed(bytes)
  return (cut === null ? null : parseObjects(cut)) ?? parseObjects(bytes.toString('utf8'))
}

function beginningOf(bytes: Buffer): string | null {
  if (bytes.length < WORTH_SKIPPING || bytes[bytes.length - 1] !== CLOSE) return null
  const found = NOTHING_TO_TELL.exec(bytes.toString('latin1', 0, BEGINNING))
  return found === null ? null : `${found[0]}}}`
}

function withoutSealed(bytes: Buffer): string | null {
  const key = bytes.length < WORTH_CUTTING ? -1 : bytes.indexOf(SEALED_KEY)
  if (key === -1) return null
  const start = key + SEALED_KEY.length
  const end = bytes.indexOf(QUOTE, start)
  if (end - start < WORTH_CUTTING || !isSealed(bytes.subarray(start, start + WORTH_CUTTING))) return null
  return bytes.toString('utf8', 0, start) + bytes.toString('utf8', end)
}

/** False for words: clients without a key leave open what others seal. */
function isSealed(beginning: Buffer): boolean {
  for (const byte of beginning) if (byte <= SPACE || byte >= DELETE) return false
  return true
}
