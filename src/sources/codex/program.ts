import { JsLiterals, type Parsed } from './js-literals.ts'

const MAX_CALLS = 64
const MAX_LENGTH = 256 * 1024
const MAX_PATCH = 16 * 1024
const NAME = /tools\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*\])\s*\(/y

export interface InnerCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** False if an argument is known only to the program that ran. */
  readonly whole: boolean
}

/**
 * The calls `tools.<name>({…})` that a program of the `exec` tool spells out. Nothing is run: arguments
 * that are no literals are left out. A call in a loop is told once.
 */
export function innerCalls(text: string): InnerCall[] {
  const program = text.slice(0, MAX_LENGTH)
  const calls: InnerCall[] = []
  const source = new JsLiterals(program)
  let at = 0
  while (at < program.length && calls.length < MAX_CALLS) {
    const next = source.skipToken(at)
    if (next.code) {
      const found = callAt(program, at, source)
      if (found !== null) {
        calls.push(found.call)
        at = found.inside
        continue
      }
    }
    at = next.end
  }
  return calls
}

function callAt(program: string, at: number, source: JsLiterals): { call: InnerCall; inside: number } | null {
  if (program[at] !== 't' || /[\w$.]/.test(program[at - 1] ?? '')) return null
  NAME.lastIndex = at
  const name = NAME.exec(program)
  if (name === null) return null
  const inside = NAME.lastIndex
  const tool = name[1] ?? name[2] ?? name[3] ?? ''
  return { call: { tool, ...argumentsOf(source.value(inside), source) }, inside }
}

function argumentsOf(first: Parsed, source: JsLiterals): Omit<InnerCall, 'tool'> {
  const end = source.next(first.end)
  const only = end === ')' || end === ','
  if (first.empty) return { input: {}, whole: true }
  if (!only || !first.known) return { input: {}, whole: false }
  const { value } = first
  const input = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { input: value }
  return { input, whole: first.whole && end === ')' }
}

/** True if the versions that tell of calls inside programs tell of calls of this tool. */
export function hasOwnEnd(tool: string): boolean {
  return tool === 'exec_command' || tool === 'apply_patch' || tool.startsWith('mcp__')
}

/** What a patch is to change, unless that is more than can wait for its end. */
export function patchOf({ tool, input }: InnerCall): { patch?: unknown } {
  return tool === 'apply_patch' && JSON.stringify(input).length <= MAX_PATCH ? { patch: input } : {}
}
