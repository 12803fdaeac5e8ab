import { asText, type Json } from '../kit/json.ts'
import { asksForMore, writeCall, writeOutput } from './call-events.ts'
import { isBarred } from './denials.ts'
import { digest } from './text-hash.ts'
import type { Output } from './outputs.ts'
import { hasOwnEnd, innerCalls, patchOf, type InnerCall } from './program.ts'
import type { ItemWriter } from './item-writer.ts'
import { namedTurn } from './turns.ts'

const PROGRAM_TOOL = 'exec'
const REMEMBERED = 4
const MAX_KEY = 1000
const LONG = '\0'
const MAX_OUTPUTS = 64
const MAX_FAILURE = 200

/** The program that a call of the `exec` tool runs. */
export function programIn(item: Json): string | null {
  return item['type'] === 'custom_tool_call' && item['name'] === PROGRAM_TOOL ? asText(item['input']) : null
}

interface Spelled {
  readonly tool: string
  /** What tells one call of a tool from another; empty if only the run could tell. */
  readonly key: string
  /** Where the call was told, or -1 if the log tells it itself when it ends. */
  readonly pos: number
  /** Of a patch that is not told yet: what it was to change. One that fails has no end of its own. */
  readonly patch?: unknown
  /** A permission beyond the sandbox is asked for with it. */
  readonly asks: boolean
  done: boolean
}

interface Program {
  readonly id: string
  readonly calls: Spelled[]
  /** Where the latest call in it was told, -1 if none was. */
  last: number
  /** What its calls gave back. */
  readonly outputs: string[]
  /** The beginning of what the latest of them that failed said. */
  failure: string
  /** A person stopped it: so were the calls of it that end later. */
  stopped: boolean
}

export type ProgramsState = Program[]

/** A call that the log itself tells of when it has ended. */
export interface Ended {
  readonly id: string
  readonly tool: string
  readonly key: string
  readonly input: unknown
  readonly output: Output
  /** What it put out, as a program sees it. */
  readonly raw: string
  readonly turn: string | null
  readonly startedAt?: number
  /** How long it stood still before it began, if that is worth a word. */
  readonly waitedMs?: number
}

/** The programs that run, and which of the calls they spell out have been told. Bounded. */
export class Programs {
  readonly #running: Program[]

  constructor(state: ProgramsState = []) {
    this.#running = state.map(copyOf)
  }

  get latest(): Program | null {
    return this.#running.at(-1) ?? null
  }

  start(id: string, calls: Spelled[]): void {
    const last = calls.reduce((latest, { pos }) => Math.max(latest, pos), -1)
    this.#running.push({ id, calls, last, outputs: [], failure: '', stopped: false })
    if (this.#running.length > REMEMBERED) this.#running.shift()
  }

  find(id: string): Program | null {
    return this.#running.find((program) => program.id === id) ?? null
  }

  /** What comes with the next turn is no part of them. */
  forget(): void {
    this.#running.length = 0
  }

  end(id: string): void {
    const at = this.#running.findIndex((program) => program.id === id)
    if (at !== -1) this.#running.splice(at, 1)
  }

  /** Which call of which program ended: one that is spelled out like this, else one whose arguments are not known. */
  ended(tool: string, key: string): { program: Program; index: number } | null {
    for (const wanted of [key, '']) {
      for (const program of this.#running.toReversed()) {
        const index = program.calls.findIndex((call) => !call.done && call.tool === tool && call.key === wanted)
        if (index !== -1) return { program, index }
      }
    }
    return null
  }

  state(): ProgramsState {
    return this.#running.map(copyOf)
  }
}

function copyOf(program: Program): Program {
  return { ...program, calls: program.calls.map((call) => ({ ...call })), outputs: [...program.outputs] }
}

/** Equal for a call as a program spells it out and as the log tells that it ended. */
export function keyOf(text: string): string {
  return text.length > MAX_KEY ? `${LONG}${digest(text)}` : text.trim()
}

interface Started {
  readonly id: string
  readonly program: string
  readonly turn: string | null
}

/**
 * Appends the calls that a program spells out, apart from those that the log itself tells of when they end, as later
 * versions do. False if there are none: then the program is all there is to tell.
 */
export function mapProgram({ id, program, turn }: Started, writer: ItemWriter): boolean {
  const inner = innerCalls(program)
  const native = writer.place.ran === 'told'
  if (inner.length === 0 && !native) return false
  const whole = inner.every((call) => call.whole)
  const calls = inner.map((call, index): Spelled => {
    const spelled = { tool: call.tool, key: keyIn(call), asks: asksForMore(call.input), done: false }
    if (native && hasOwnEnd(call.tool)) return { ...spelled, ...patchOf(call), pos: -1 }
    const input = index === 0 && !whole ? { ...call.input, program } : call.input
    return { ...spelled, pos: writeCall({ id: nameOf(id, index), tool: call.tool, input, turn }, writer) }
  })
  writer.programs.start(id, calls)
  return true
}

/** Appends a call inside a program and its result; only the result if the program has spelled out the call. */
export function mapInner(ended: Ended, writer: ItemWriter): void {
  const { id, tool, key, input, output, turn } = ended
  const found = writer.programs.ended(tool, key)
  const program = found?.program ?? writer.programs.latest
  if (program !== null && program.outputs.length < MAX_OUTPUTS) program.outputs.push(digest(ended.raw))
  if (program !== null && output.failed) program.failure = ended.raw.trim().slice(0, MAX_FAILURE)
  const call = found?.program.calls[found.index]
  const name = found === null ? id : nameOf(found.program.id, found.index)
  if (call !== undefined) call.done = true
  const result = program?.stopped ? { body: output.body, failed: false, stopped: true as const } : output
  if (call !== undefined && call.pos >= 0) {
    if (!program?.stopped) writeOutput({ id: name, output, turn, as: `${name}:end` }, writer)
    return
  }
  const { startedAt: at, waitedMs } = ended
  const pos = writeCall({ id, tool, input, turn, as: name, at, asks: call?.asks, waitedMs }, writer)
  if (program !== null) program.last = pos
  writeOutput({ id, output: result, turn, as: name }, writer)
}

/** Appends what a program gave back, unless one of its calls gave back the same. False if it is no program that runs. */
export function mapProgramOutput(item: Json, output: Output, writer: ItemWriter): boolean {
  const id = asText(item['call_id']) ?? ''
  const program = writer.programs.find(id)
  if (program === null) return false
  program.stopped = output.stopped === true
  if (!output.running && !program.stopped) writer.programs.end(id)
  const turn = namedTurn(item)
  const refused = refusedCall(program, output, writer)
  const failed = refused === null ? failedPatch(program, output) : null
  const first = program.calls[0]
  if (refused === null && first !== undefined && first.pos >= 0 && !first.done) {
    writeOutput({ id, output: failed === first ? { ...output, failed: true } : output, turn }, writer)
  } else if (refused !== null) {
    tellRefused(program, refused, { id, output, turn }, writer)
  } else if (failed !== null && failed.pos === -1) {
    const name = nameOf(id, program.calls.indexOf(failed))
    writeCall({ id: name, tool: failed.tool, input: failed.patch ?? {}, turn }, writer)
    writeOutput({ id: name, output: { ...output, failed: true }, turn, as: `${id}:program` }, writer)
  } else if (!isRepeated(program, output)) {
    writeProgramOutput(program, output, turn, writer)
  }
  return true
}

/** A program that fails with one of its calls says again what that call said. */
function writeProgramOutput(program: Program, output: Output, turn: string | null, writer: ItemWriter): void {
  const { id, last, failure } = program
  const failed = output.failed && (failure === '' || !output.body.includes(failure))
  writer.event({
    kind: failed ? 'error' : 'tool_result',
    role: 'tool',
    tool: PROGRAM_TOOL,
    body: output.body,
    what: `o:${id}:program`,
    turn,
    ...(last === -1 ? {} : { parent: last }),
    marks: output.denied !== undefined ? { denied: output.denied } : output.stopped ? { stopped: true } : {},
  })
}

function isRepeated(program: Program, output: Output): boolean {
  return !output.failed && (output.body.trim() === '' || program.outputs.includes(digest(output.body)))
}

/** The one call that a refusal can be about: the log does not tell that it ended. Null if nothing was refused. */
function refusedCall(program: Program, output: Output, writer: ItemWriter): number | null {
  const barred = writer.sandboxed && !output.failed && isBarred(output.body, null)
  if (output.denied === undefined && !barred) return null
  const open = program.calls.flatMap((call, index) => (call.done || !hasOwnEnd(call.tool) ? [] : [index]))
  return open.length === 1 ? (open[0] ?? null) : null
}

/** The one patch that can have failed where the client says that one did. */
function failedPatch(program: Program, output: Output): Spelled | null {
  if (output.running || !output.body.includes('apply_patch verification failed')) return null
  const open = program.calls.filter((call) => call.tool === 'apply_patch' && !call.done)
  return open.length === 1 ? (open[0] ?? null) : null
}

interface Refused {
  readonly id: string
  readonly output: Output
  readonly turn: string | null
}

function tellRefused(program: Program, index: number, { id, output, turn }: Refused, writer: ItemWriter): void {
  const call = program.calls[index]
  if (call === undefined) return
  const name = nameOf(id, index)
  const input = call.tool === 'exec_command' && !call.key.startsWith(LONG) ? { cmd: call.key } : {}
  if (call.pos === -1) writeCall({ id: name, tool: call.tool, input, turn }, writer)
  const denied = output.denied ?? 'sandbox'
  writeOutput({ id: name, output: { ...output, denied }, turn, as: call.pos === -1 ? `${id}:program` : name }, writer)
}

function nameOf(id: string, index: number): string {
  return index === 0 ? id : `${id}#${index + 1}`
}

function keyIn({ tool, input }: InnerCall): string {
  if (tool !== 'exec_command') return ''
  const command = input['cmd'] ?? input['command']
  return typeof command === 'string' ? keyOf(command) : ''
}
