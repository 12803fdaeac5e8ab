import { parseObjects, type Json } from '../kit/json.ts'
import { IGNORED_UPDATES } from './kinds.ts'

const HEAD_BYTES = 1024
const KIND = /"sessionUpdate":\s?"([a-z_]+)"/
const STATUS = /"status":\s?"([a-z_]+)"/
const CALL_ID = /"toolCallId":\s?"([^"\\]+)"/
const CLOSING_BRACE = 125
const SEAM = Buffer.from('}{"timestamp":')
const TERMINAL = [Buffer.from('"completed"'), Buffer.from('"failed"')]

/** What the bytes of a line tell without parsing it. */
export type Glance =
  /** Worth parsing. */
  | { readonly is: 'open' }
  /** Of a kind that is passed over. */
  | { readonly is: 'ignored' }
  /** News of a call that still runs: the same output again, a little longer. */
  | { readonly is: 'running'; readonly call: string }

const OPEN: Glance = { is: 'open' }
const IGNORED: Glance = { is: 'ignored' }

/**
 * Tells lines that need not be parsed by their first bytes. In doubt a line is open: nothing is ever
 * passed over that parsing it would have kept.
 */
export function glanceAt(bytes: Buffer): Glance {
  const head = bytes.toString('latin1', 0, HEAD_BYTES)
  const found = KIND.exec(head)
  if (found === null) return OPEN
  const kind = found[1] ?? ''
  if (Object.hasOwn(IGNORED_UPDATES, kind)) return isOneObject(bytes) ? IGNORED : OPEN
  if (kind !== 'tool_call_update') return OPEN
  const rest = head.slice(found.index + found[0].length)
  const nested = rest.search(/[{[]/)
  const siblings =
    head.slice(head.lastIndexOf('{', found.index), found.index) + rest.slice(0, nested === -1 ? undefined : nested)
  const call = CALL_ID.exec(siblings)?.[1]
  if (call === undefined || !isRunning(siblings, bytes) || !isOneObject(bytes)) return OPEN
  return { is: 'running', call }
}

function isRunning(siblings: string, bytes: Buffer): boolean {
  const status = STATUS.exec(siblings)?.[1]
  if (status !== undefined) return status === 'in_progress' || status === 'pending'
  return TERMINAL.every((word) => bytes.indexOf(word) === -1)
}

/** False for a torn line and for one whose writer lost a newline. */
function isOneObject(bytes: Buffer): boolean {
  return bytes.at(-1) === CLOSING_BRACE && bytes.indexOf(SEAM) === -1
}

/** The records on a line, null if it is broken. Outputs told as arrays of bytes are cut out before parsing. */
export function parseLine(bytes: Buffer): readonly Json[] | null {
  const cut = withoutByteArrays(bytes)
  return (cut === null ? null : parseObjects(cut)) ?? parseObjects(bytes.toString('utf8'))
}

const BYTE_ARRAY = Buffer.from('"output":[')
const CLOSING_BRACKET = 93
const WORTH_CUTTING = 256
/** Quote, brace, bracket. */
const NESTING = [34, 123, 91]

function withoutByteArrays(bytes: Buffer): string | null {
  const parts: string[] = []
  let done = 0
  for (let at = bytes.indexOf(BYTE_ARRAY); at !== -1; at = bytes.indexOf(BYTE_ARRAY, at + 1)) {
    const start = at + BYTE_ARRAY.length
    const end = bytes.indexOf(CLOSING_BRACKET, start)
    if (end - start < WORTH_CUTTING || !isNumbers(bytes, start, end)) continue
    parts.push(bytes.toString('utf8', done, start))
    done = end
  }
  if (done === 0) return null
  parts.push(bytes.toString('utf8', done))
  return parts.join('')
}

/** Up to its first closing bracket, an array without texts, objects or arrays in it holds numbers. */
function isNumbers(bytes: Buffer, start: number, end: number): boolean {
  const array = bytes.subarray(start, end)
  return NESTING.every((byte) => array.indexOf(byte) === -1)
}
