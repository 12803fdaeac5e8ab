import { parseObjects, type Json } from '../kit/json.ts'

const RESULT_KEY = Buffer.from(',"toolUseResult":')
const AGENT_KEY = Buffer.from('"agentId":"')
const TAIL = /,"sourceToolAssistantUUID":"[0-9a-f-]{36}"\}$/
const TAIL_BYTES = 66
const WORTH_CUTTING = 512

/**
 * The records on a line, null if it is broken. `toolUseResult` repeats the result that the message
 * itself holds and is the larger half of most logs: it is cut before parsing, but for the id of a
 * subagent. A cut that does not parse was none; then the whole line is read.
 */
export function parseLine(bytes: Buffer): readonly Json[] | null {
  const cut = withoutResult(bytes)
  return (cut === null ? null : parseObjects(cut)) ?? parseObjects(bytes.toString('utf8'))
}

function withoutResult(bytes: Buffer): string | null {
  const start = bytes.indexOf(RESULT_KEY)
  if (start === -1 || bytes.length - start < WORTH_CUTTING) return null
  const tail = TAIL.exec(bytes.toString('latin1', bytes.length - TAIL_BYTES))
  if (!tail && !endsLikeItsStart(bytes, start + RESULT_KEY.length)) return null
  const head = bytes.toString('utf8', 0, start)
  if (!head.includes('"sessionId":') || !head.includes('"timestamp":') || !head.includes('"uuid":')) return null
  const agent = agentId(bytes.subarray(start))
  return agent === null ? `${head}}` : `${head},"toolUseResult":{"agentId":${JSON.stringify(agent)}}}`
}

/** True if the value that opens at `at` can be the last of the line. */
function endsLikeItsStart(bytes: Buffer, at: number): boolean {
  if (bytes.at(-1) !== 125) return false
  const open = bytes[at]
  const close = bytes.at(-2)
  return (open === 34 && close === 34) || (open === 123 && close === 125) || (open === 91 && close === 93)
}

function agentId(result: Buffer): string | null {
  const at = result.indexOf(AGENT_KEY)
  if (at === -1) return null
  const start = at + AGENT_KEY.length
  const end = result.indexOf(34, start)
  return end === -1 ? null : result.toString('utf8', start, end)
}
