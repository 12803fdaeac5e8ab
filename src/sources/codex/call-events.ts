import type { DeniedBy, Marks } from '../../model/marks.ts'
import { asArray, asObject, asText, type Json } from '../kit/json.ts'
import { waited } from './approvals.ts'
import type { KnownCall } from './calls.ts'
import { isBarred } from './denials.ts'
import { digest } from './text-hash.ts'
import { outputOf, type Output } from './outputs.ts'
import type { ItemWriter } from './item-writer.ts'
import { namedTurn } from './turns.ts'

/** A look at a command that runs in the background. */
const POLL_TOOL = 'write_stdin'
/** Its output is told with an exit code, too, though it is no command. */
const PATCH_TOOL = 'apply_patch'

interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly turn: string | null
  readonly byEvent?: boolean
  /** When it was made, if that was not now. */
  readonly at?: number | undefined
  /** A permission beyond the sandbox is asked for with it; if absent, its input tells. */
  readonly asks?: boolean | undefined
  /** How long it stood still before it began. */
  readonly waitedMs?: number | undefined
  /** What its own id is made of, if not of the id of the call. */
  readonly as?: string
  /** Key of the message it stands in, if any. */
  readonly message?: string
}

/** Appends a call and returns its position. It belongs to no message unless it stands inside one. */
export function writeCall(made: Call, writer: ItemWriter): number {
  const { id, tool, input, turn, byEvent = false, as = id, message } = made
  const { lane } = writer
  const within = message === undefined ? {} : { message: lane.message(message) }
  const callIdx = message === undefined ? lane.orphanIndex() : lane.callIndex(message)
  const what = `c:${as === '' ? digest(`${tool} ${JSON.stringify(input)}`) : as}`
  const call = id === '' ? {} : { call: id }
  const pos = writer.event({
    kind: 'tool_call',
    role: 'assistant',
    tool,
    input,
    ...call,
    ...within,
    callIdx,
    what,
    turn,
    at: made.at,
  })
  const asked = (made.asks ?? asksForMore(input)) && writer.mayAsk ? { asked: true as const } : {}
  const waitedMs = writer.asksPerson ? made.waitedMs : undefined
  const still = waitedMs === undefined ? {} : { waitedMs }
  writer.calls.add(id, { pos, tool, byEvent, failed: false, at: made.at ?? writer.at, ...asked, ...still })
  return pos
}

/** True if the agent asks for more than the sandbox allows: then a person is asked, unless a rule answers. */
export function asksForMore(input: unknown): boolean {
  const fields = asObject(input)
  return fields?.['sandbox_permissions'] === 'require_escalated' || fields?.['with_escalated_permissions'] === true
}

/** Appends what a call gave back; its parent is the call. */
export function mapOutput(item: Json, output: Output, writer: ItemWriter): void {
  const id = asText(item['call_id']) ?? ''
  const known = writer.calls.get(id)
  if (known?.byEvent) return
  const tool = asText(item['name'])
  writeOutput({ id, output, turn: namedTurn(item), ...(tool === null ? {} : { tool }) }, writer)
}

interface Answer {
  readonly id: string
  readonly output: Output
  readonly turn: string | null
  /** What its own id is made of, if not of the id of the call. */
  readonly as?: string
  /** The tool, where no call tells it. */
  readonly tool?: string
}

/** Appends the result of a call: an error if it failed, but not if it was refused or stopped. */
export function writeOutput({ id, output, turn, as = id, tool }: Answer, writer: ItemWriter): void {
  const known = writer.calls.get(id)
  const marks = marksOf(id, output, known, writer)
  const failed = (output.failed || known?.failed === true) && !isInAnEvent(known, output, writer)
  writer.event({
    kind: failed && marks.denied === undefined && !marks.stopped ? 'error' : 'tool_result',
    role: 'tool',
    body: output.body,
    what: `o:${as === '' ? digest(output.body) : as}`,
    turn,
    ...(id === '' ? {} : { call: id }),
    ...(known === null ? (tool === undefined ? {} : { tool }) : { parent: known.pos, tool: known.tool }),
    marks,
  })
  if (known !== null) known.answered = output.running && known.exitCode === undefined ? 'open' : 'done'
}

function marksOf(id: string, output: Output, known: KnownCall | null, writer: ItemWriter): Marks {
  const exitCode = known?.tool === PATCH_TOOL ? undefined : (output.exitCode ?? known?.exitCode)
  const exit = exitCode === undefined ? {} : { exitCode }
  const denied = output.denied ?? known?.denied ?? (barred(output, exitCode, writer) ? 'sandbox' : undefined)
  const question = writer.approvals.answered(id, writer.at, denied !== undefined)
  if (denied !== undefined) return { denied, ...refusal(denied, known, writer), ...question, ...exit }
  return { ...permission(known), ...question, ...(output.stopped ? { stopped: true as const } : exit) }
}

/** What is known of the question that a person said no to: nothing else took its time. */
function refusal(denied: DeniedBy, known: KnownCall | null, writer: ItemWriter): Marks {
  if (denied !== 'person') return known?.asked ? { asked: true } : {}
  const waitedMs = known?.waitedMs ?? waited(known?.at ?? null, writer.at)
  return { asked: true, ...(waitedMs === null ? {} : { waitedMs }) }
}

/** What is known of the question about a call that happened: where it stood still before it began, a person let it. */
function permission(known: KnownCall | null): Marks {
  if (!known?.asked) return {}
  return known.waitedMs === undefined ? { asked: true } : { asked: true, approved: true, waitedMs: known.waitedMs }
}

function barred(output: Output, exitCode: number | undefined, writer: ItemWriter): boolean {
  return writer.sandboxed && output.failed && exitCode !== undefined && isBarred(output.body, exitCode)
}

/** True if the end that a look at a command shows was told when the command ended. */
function isInAnEvent(known: KnownCall | null, output: Output, writer: ItemWriter): boolean {
  if (known?.tool !== POLL_TOOL || output.exitCode === undefined) return false
  return writer.calls.polled++ < 0
}

/** The outputs inside a message of the oldest kind. */
export function mapToolResults(payload: Json, writer: ItemWriter): void {
  for (const value of asArray(payload['content'])) {
    const part = asObject(value)
    if (part?.['type'] !== 'tool_result') continue
    const output = outputOf(part['content'] ?? part['output'])
    const failed = output.failed || part['is_error'] === true
    const id = asText(part['tool_use_id']) ?? asText(part['call_id']) ?? ''
    writeOutput({ id, output: { ...output, failed }, turn: null }, writer)
  }
}
