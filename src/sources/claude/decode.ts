import { parseObjects, type Json } from '../kit/json.ts'
import { IGNORED_ATTACHMENTS } from './types.ts'

const RESULT_KEY = Buffer.from(',"toolUseResult":')
const AGENT_KEY = Buffer.from('"agentId":"')
const EXIT_KEY = Buffer.from('"exitCode":')
const ATTACHMENT_KEY = Buffer.from(',"attachment":{"type":"')
const SOURCE_KEY = Buffer.from(',"sourceToolAssistantUUID":"')
const DENIAL_KEY = Buffer.from(',"toolDenialKind":"')
const UUID_KEY = Buffer.from('"type":"attachment","uuid":"')
const REQUEST_LOG = Buffer.from('{"type":"api-request')
const QUESTIONS = '{"questions":['
const WORTH_CUTTING = 512
/** What stands behind a result, and what a result ends with. */
const TAIL_BYTES = 1024
const UUID_LENGTH = 36

/** True for what is known by its first bytes to say nothing: most of a transcript of the newest versions. */
export function isIgnored(bytes: Buffer): boolean {
  return (
    bytes.length > REQUEST_LOG.length && bytes.compare(REQUEST_LOG, 0, REQUEST_LOG.length, 0, REQUEST_LOG.length) === 0
  )
}

/**
 * The records on a line, null if it is broken. `toolUseResult` repeats the result that the message itself holds and is
 * the larger half of most logs: it is cut before parsing, but for the id of a subagent, an exit code and the word that
 * it failed. Of an attachment that is never kept only its place in the chain is read. A cut that does not parse was
 * none; then the whole line is read.
 */
export function parseLine(bytes: Buffer): readonly Json[] | null {
  const cut = linkOf(bytes) ?? withoutResult(bytes)
  return (cut === null ? null : parseObjects(cut)) ?? parseObjects(bytes.toString('utf8'))
}

/** A long attachment that says nothing, as the link it is in the chain of records. */
function linkOf(bytes: Buffer): string | null {
  if (bytes.length < WORTH_CUTTING) return null
  const at = bytes.subarray(0, 256).indexOf(ATTACHMENT_KEY)
  if (at === -1) return null
  const start = at + ATTACHMENT_KEY.length
  const type = bytes.toString('latin1', start, bytes.indexOf(34, start))
  const named = IGNORED_ATTACHMENTS.has(type) ? bytes.indexOf(UUID_KEY, start) : -1
  if (named === -1) return null
  const uuid = bytes.toString('latin1', named + UUID_KEY.length, named + UUID_KEY.length + UUID_LENGTH)
  return `${bytes.toString('latin1', 0, at)},"attachment":{"type":"${type}"},"type":"attachment","uuid":"${uuid}"}`
}

function withoutResult(bytes: Buffer): string | null {
  const start = bytes.indexOf(RESULT_KEY)
  if (start === -1 || bytes.length - start < WORTH_CUTTING) return null
  const end = endOfResult(bytes, start)
  if (end === null || isAnswer(bytes, start + RESULT_KEY.length)) return null
  const head = bytes.toString('utf8', 0, start)
  const tail = bytes.toString('utf8', end)
  const known = head + tail
  if (!known.includes('"sessionId":') || !head.includes('"timestamp":') || !head.includes('"uuid":')) return null
  return `${head}${summaryOf(bytes.subarray(start + RESULT_KEY.length, end))}${tail}`
}

/** What a person answered to the agent's questions stands there alone. */
function isAnswer(bytes: Buffer, at: number): boolean {
  return bytes.toString('latin1', at, at + QUESTIONS.length) === QUESTIONS
}

/** Where the record goes on behind the result, or where it is closed; null if that cannot be told. */
function endOfResult(bytes: Buffer, start: number): number | null {
  const tail = Math.max(start, bytes.length - TAIL_BYTES)
  const end = bytes.subarray(tail)
  const next = [DENIAL_KEY, SOURCE_KEY].map((key) => end.indexOf(key)).filter((at) => at !== -1)
  if (next.length > 0) return tail + Math.min(...next)
  return endsLikeItsStart(bytes, start + RESULT_KEY.length) ? bytes.length - 1 : null
}

/** What is worth knowing of a result that its message does not say. Keys stand only where they are keys: in texts quotes are escaped. */
function summaryOf(result: Buffer): string {
  if (result[0] === 34) return result.toString('latin1', 1, 6) === 'Error' ? ',"toolUseResult":"Error"' : ''
  const agent = /^[^"]*/.exec(after(result, AGENT_KEY))?.[0]
  const code = /^\d{1,10}(?=[,}])/.exec(after(result.subarray(-TAIL_BYTES), EXIT_KEY))?.[0]
  const facts = [
    ...(agent ? [`"agentId":${JSON.stringify(agent)}`] : []),
    ...(code === undefined ? [] : [`"exitCode":${Number(code)}`]),
  ]
  return facts.length === 0 ? '' : `,"toolUseResult":{${facts.join()}}`
}

/** True if the value that opens at `at` can be the last of the line. */
function endsLikeItsStart(bytes: Buffer, at: number): boolean {
  if (bytes.at(-1) !== 125) return false
  const open = bytes[at]
  const close = bytes.at(-2)
  return (open === 34 && close === 34) || (open === 123 && close === 125) || (open === 91 && close === 93)
}

const LONGEST_VALUE = 128

function after(result: Buffer, key: Buffer): string {
  const at = result.indexOf(key)
  return at === -1 ? '' : result.toString('latin1', at + key.length, at + key.length + LONGEST_VALUE)
}
