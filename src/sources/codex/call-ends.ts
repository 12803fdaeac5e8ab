import { fileURLToPath } from 'node:url'
import type { DeniedBy } from '../../model/marks.ts'
import { asArray, asCount, asObject, asString, asText, type Json } from '../kit/json.ts'
import { argumentsOf } from './arguments.ts'
import { writeCall, writeOutput } from './call-events.ts'
import { refusedBy } from './denials.ts'
import { exited, outputOf, textOf, type Output } from './outputs.ts'
import { patchOf } from './patches.ts'
import { keyOf, mapInner, type Ended } from './programs.ts'
import type { ItemWriter } from './item-writer.ts'

/** Calls inside a program have ids that begin like this. */
const INNER = 'exec-'
/** What stands still longer than this before it begins waits for an answer. */
const NOTICEABLE_MS = 200
const MAX_WAIT_MS = 30 * 24 * 3600 * 1000

/** A command that has ended. */
export function mapCommandEnd(id: string, end: Json, turn: string | null, writer: ItemWriter): void {
  const code = end['exit_code']
  const text = asText(end['aggregated_output']) ?? asText(end['formatted_output']) ?? asText(end['stdout']) ?? ''
  const ending = typeof code === 'number' ? exited(code, text) : { body: text, failed: end['status'] === 'failed' }
  const command = scriptOf(end['command'])
  const workdir = pathOf(end['cwd'])
  const input = id.startsWith(INNER) ? { cmd: command, workdir } : { command: end['command'] ?? null, workdir }
  const output = refused(end, text, ending, writer)
  const ended = {
    id,
    tool: 'exec_command',
    key: keyOf(command),
    input,
    output,
    raw: text,
    turn,
    ...startOf(end),
    ...stoodStill(end),
  }
  tellEnd(ended, writer)
}

/** A patch that was applied, or was not. */
export function mapPatchEnd(id: string, end: Json, turn: string | null, writer: ItemWriter): void {
  const body = [asText(end['stdout']), asText(end['stderr'])].filter((text) => text !== null).join('\n')
  const failed = end['success'] === false || end['status'] === 'failed'
  const input = patchOf(end['changes'])
  const output = refused(end, body, { body, failed }, writer)
  tellEnd({ id, tool: 'apply_patch', key: '', input, output, raw: body, turn, ...startOf(end) }, writer)
}

interface ServerCall {
  readonly server?: unknown
  readonly tool?: unknown
  readonly arguments?: unknown
  readonly started_at_ms?: unknown
}

/** A call of a server's tool. */
export function mapServerEnd(
  id: string,
  call: ServerCall,
  ending: Output,
  turn: string | null,
  writer: ItemWriter,
): void {
  const tool = `mcp__${asText(call.server) ?? ''}__${asText(call.tool) ?? ''}`
  const denied = ending.denied ?? refusedBy(ending.body)
  const output = denied === null ? ending : { ...ending, denied }
  const input = argumentsOf(call.arguments, true)
  tellEnd({ id, tool, key: '', input, output, raw: ending.body, turn, ...startOf(call) }, writer)
}

export function serverOutput(result: unknown): Output {
  const object = asObject(result)
  if (object === null) return { body: typeof result === 'string' ? result : '', failed: false }
  if ('Err' in object) return { body: textOf(object['Err']) || JSON.stringify(object['Err']), failed: true }
  return outputOf(object['Ok'] ?? object)
}

/** A call of another kind that the log itself tells the end of. */
export function mapOtherEnd(id: string, tool: string, item: Json, turn: string | null, writer: ItemWriter): void {
  const failed = item['status'] === 'failed' || item['success'] === false
  const body = asText(item['error']) ?? (textOf(item['content_items']) || statesOf(item['agents_states']))
  const asked = { prompt: item['prompt'], receivers: item['receiver_thread_ids'] }
  const input = 'arguments' in item ? argumentsOf(item['arguments'], true) : asked
  tellEnd({ id, tool, key: '', input, output: { body, failed }, raw: body, turn, ...startOf(item) }, writer)
}

function statesOf(states: unknown): string {
  const object = asObject(states)
  return object === null || Object.keys(object).length === 0 ? '' : JSON.stringify(object)
}

/** The end of a call, told beside its output: it says how the call ended. Where nothing else tells of the call, it is the call. */
function tellEnd(ended: Ended, writer: ItemWriter): void {
  const { id, tool, input, output, turn } = ended
  const known = writer.calls.get(id)
  if (known !== null) {
    known.failed ||= output.failed
    if (output.denied !== undefined) known.denied = output.denied
    if (ended.waitedMs !== undefined && writer.asksPerson) known.waitedMs = ended.waitedMs
    if (output.exitCode !== undefined) known.exitCode = output.exitCode
    if (known.answered !== 'open' || output.exitCode === undefined) return
    known.answered = 'done'
    if (writer.calls.polled-- <= 0) writeOutput({ id, output, turn, as: `${id}:end` }, writer)
    return
  }
  if (id.startsWith(INNER)) return mapInner(ended, writer)
  if (!writer.calls.isNew(id)) return
  writeCall({ id, tool, input, turn, byEvent: true, at: ended.startedAt }, writer)
  writeOutput({ id, output, turn }, writer)
}

/** The output of a call that was declined instead of run. */
function refused(end: Json, text: string, output: Output, writer: ItemWriter): Output {
  if (end['status'] !== 'declined') return output
  const denied: DeniedBy = refusedBy(text) ?? (writer.mayAsk ? 'person' : 'rule')
  return { body: text, failed: false, denied }
}

function startOf(end: { readonly started_at_ms?: unknown }): { startedAt?: number } {
  const startedAt = asCount(end.started_at_ms)
  return startedAt === 0 ? {} : { startedAt }
}

/** The time between start and end in which the command did not run. */
function stoodStill(end: Json): { waitedMs?: number } {
  const duration = asObject(end['duration'])
  const ran = asCount(duration?.['secs']) * 1000 + asCount(duration?.['nanos']) / 1e6
  const waitedMs = Math.round(asCount(end['completed_at_ms']) - asCount(end['started_at_ms']) - ran)
  const known = duration !== null && asCount(end['started_at_ms']) > 0
  return known && waitedMs >= NOTICEABLE_MS && waitedMs <= MAX_WAIT_MS ? { waitedMs } : {}
}

/** The script of a shell, or the words of a command. */
function scriptOf(command: unknown): string {
  if (typeof command === 'string') return command
  const words = asArray(command).map((word) => asString(word) ?? '')
  const isScript = words.length === 3 && /^-\w*c$/i.test(words[1] ?? '')
  return isScript ? (words[2] ?? '') : words.join(' ')
}

/** Later versions write directories as addresses. */
function pathOf(cwd: unknown): string | null {
  const text = asText(cwd)
  if (text === null || !text.startsWith('file:///')) return text
  try {
    return fileURLToPath(text)
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return text
    throw error
  }
}
