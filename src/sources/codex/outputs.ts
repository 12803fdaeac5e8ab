import { asArray, asObject, asString, isObject, parseObjects, type Json } from '../kit/json.ts'

export interface Output {
  readonly body: string
  readonly failed: boolean
}

/** Lines that the client puts before an output. */
const HEADER_LINE =
  /^(?:Chunk ID|Exit code|Wall time|Process exited with code|Original token count|Total output lines|Script (?:completed|failed|terminated))\b/
const EXIT = /^(?:Exit code:|Process exited with code) (-?\d+)$/
const AFTER_COMMAND = /\n(?=(?:Chunk ID|Exit code|Wall time|Process (?:exited|running)))/
const FAILURE = new RegExp(
  '^(?:(?:execution )?error: |failed in sandbox |failed to parse function arguments|unsupported (?:custom )?(?:tool )?call|' +
    'apply_patch verification failed|(?:exec_command|write_stdin|apply_patch|collab \\w+|tool call) (?:failed|error)|' +
    'err: |command timed out|aborted|(?:exec command|patch|command|user) rejected|rejected by user|user (?:cancelled|rejected) |' +
    'wall time: [^\\n]*\\naborted by user)',
  'i',
)

/** What a call gave back, in any of the forms it was ever written in. */
export function outputOf(output: unknown): Output {
  if (typeof output === 'string') return fromText(output)
  if (Array.isArray(output)) return fromText(textOf(output))
  return isObject(output) ? fromObject(output) : { body: '', failed: false }
}

/** The text of content blocks: `[image]` for what is none. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((value) => {
      const part = asObject(value)
      const text = asString(part?.['text'])
      return text ?? (/image/i.test(asString(part?.['type']) ?? '') ? '[image]' : '')
    })
    .filter((text) => text !== '')
    .join('\n')
}

function fromObject(output: Json): Output {
  const inner = output['content'] ?? output['output'] ?? output['body']
  const told = inner === undefined ? { body: JSON.stringify(output), failed: false } : outputOf(inner)
  const denied = output['success'] === false || output['isError'] === true || output['is_error'] === true
  return denied ? { ...told, failed: true } : told
}

function fromText(text: string): Output {
  return fromJson(text) ?? fromHeader(text) ?? { body: text, failed: FAILURE.test(text.trimStart()) }
}

/** `{"output":…,"metadata":{"exit_code":…}}` and the like; null for a JSON that is itself the output. */
function fromJson(text: string): Output | null {
  if (!text.startsWith('{')) return null
  const object = parseObjects(text)?.[0]
  if (object === undefined) return null
  const code = asObject(object['metadata'])?.['exit_code'] ?? object['exit_code']
  if (typeof code === 'number' && 'output' in object) return exited(code, textOf(object['output']))
  const failed = object['success'] === false || object['isError'] === true || object['is_error'] === true
  return failed ? { body: text, failed } : null
}

/** Lines on exit code and time, `Output:`, and the output. Null if it does not begin like that. */
function fromHeader(text: string): Output | null {
  let at = 0
  if (text.startsWith('Command: ')) {
    const end = AFTER_COMMAND.exec(text)
    if (end === null) return null
    at = end.index + 1
  }
  let code: number | null = null
  let failed = false
  for (;;) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? text.length : end)
    if (line.trimEnd() === 'Output:') {
      const rest = end === -1 ? '' : text.slice(end + 1)
      const told = code === null ? (fromJson(rest.trim()) ?? { body: rest, failed: false }) : exited(code, rest)
      return failed ? { ...told, failed } : told
    }
    if (!HEADER_LINE.test(line) || end === -1) return null
    failed ||= line.startsWith('Script failed')
    const exit = EXIT.exec(line.trimEnd())?.[1]
    if (exit !== undefined) code = Number(exit)
    at = end + 1
  }
}

export function exited(code: number, output: string): Output {
  return code === 0 ? { body: output, failed: false } : { body: `Exit code: ${code}\n${output}`, failed: true }
}
