import type { DeniedBy } from '../../model/marks.ts'
import { asArray, asObject, asString, isObject, parseObjects, type Json } from '../kit/json.ts'
import { isBarred, isStopped, refusedBy } from './denials.ts'

export interface Output {
  readonly body: string
  readonly failed: boolean
  /** Of the command whose output this is. */
  readonly exitCode?: number
  /** Who did not let the call happen. */
  readonly denied?: DeniedBy
  /** A person stopped the call before its end. */
  readonly stopped?: true
  /** The command goes on; this is what it has put out so far. */
  readonly running?: true
}

/** Lines that the client puts before an output. */
const HEADER_LINE =
  /^(?:Chunk ID|Exit code|Wall time|Process exited with code|Process running with session ID|Original token count|Total output lines|Script (?:completed|failed|terminated|running with cell ID))\b/
const RUNNING = /^(?:Process running with session ID|Script running with cell ID) /
const BY_SANDBOX =
  /^failed in sandbox (?!none\b)\w+ with execution error: sandbox denied exec error, exit code: (-?\d+),/i
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
  const read = inner === undefined ? { body: JSON.stringify(output), failed: false } : outputOf(inner)
  const denied = output['success'] === false || output['isError'] === true || output['is_error'] === true
  return denied ? { ...read, failed: true } : read
}

function fromText(text: string): Output {
  return fromJson(text) ?? fromHeader(text) ?? fromWords(text)
}

/** What the client itself says, or an output that nothing stands before. */
function fromWords(text: string): Output {
  const start = text.trimStart()
  const denied = refusedBy(start)
  if (denied !== null) return { body: text, failed: false, denied }
  if (isStopped(start)) return { body: text, failed: false, stopped: true }
  const barred = BY_SANDBOX.exec(start)?.[1]
  if (barred !== undefined) return inSandbox(text, Number(barred))
  const failed = FAILURE.test(start)
  return RUNNING.test(start) ? { body: text, failed, running: true } : { body: text, failed }
}

/** Early versions called every failure within a sandbox a denial. */
function inSandbox(text: string, code: number): Output {
  const denied = isBarred(text, code) ? { denied: 'sandbox' as const } : {}
  return { body: text, failed: true, ...exitCodeOf(code), ...denied }
}

export function exitCodeOf(code: unknown): { exitCode?: number } {
  return typeof code === 'number' ? { exitCode: code } : {}
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
  let running = false
  for (;;) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? text.length : end)
    if (line.trimEnd() === 'Output:') {
      const rest = end === -1 ? '' : text.slice(end + 1)
      if (failed) return failedScript(rest)
      if (code !== null) return exited(code, rest)
      return { ...(fromJson(rest.trim()) ?? { body: rest, failed: false }), ...(running ? { running } : {}) }
    }
    if (!HEADER_LINE.test(line) || end === -1) return null
    failed ||= line.startsWith('Script failed')
    running ||= RUNNING.test(line)
    const exit = EXIT.exec(line.trimEnd())?.[1]
    if (exit !== undefined) code = Number(exit)
    at = end + 1
  }
}

/** A program fails with the call in it that was not let happen. */
function failedScript(said: string): Output {
  const denied = refusedBy(said)
  return denied === null ? { body: said, failed: true } : { body: said, failed: false, denied }
}

export function exited(code: number, output: string): Output {
  const exit = exitCodeOf(code)
  if (code === 0 || !Number.isSafeInteger(code)) return { body: output, failed: code !== 0, ...exit }
  return { body: `Exit code: ${code}\n${output}`, failed: true, ...exit }
}
