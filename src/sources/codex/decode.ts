import { parseObjects, type Json } from '../kit/json.ts'

const SEALED_KEY = Buffer.from('"encrypted_content":"')
const WORTH_CUTTING = 256
const QUOTE = 34

/**
 * The records on a line, null if it is broken. Thoughts that only the service can read are a quarter of most
 * rollouts: they are cut before parsing. A cut that does not parse was none; then the whole line is read.
 */
export function parseLine(bytes: Buffer): readonly Json[] | null {
  const cut = withoutSealed(bytes)
  return (cut === null ? null : parseObjects(cut)) ?? parseObjects(bytes.toString('utf8'))
}

function withoutSealed(bytes: Buffer): string | null {
  const key = bytes.length < WORTH_CUTTING ? -1 : bytes.indexOf(SEALED_KEY)
  if (key === -1) return null
  const start = key + SEALED_KEY.length
  const end = bytes.indexOf(QUOTE, start)
  return end - start < WORTH_CUTTING ? null : bytes.toString('utf8', 0, start) + bytes.toString('utf8', end)
}
