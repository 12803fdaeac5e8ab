import type { Outcome } from '../../src/model/digest.ts'
import type { Shape } from './script.ts'

/** A session as its log tells it, and what a careful reader of the whole log would say came of it. */
export interface Ending {
  readonly name: string
  readonly shape: Shape
  readonly outcome: Outcome
  readonly why: string
  /** Endings that must never be called a success. */
  readonly ends?: 'red' | 'interrupted' | 'refused'
  /** Started by a program, or nothing but the work of a subagent; a person's own session otherwise. */
  readonly by?: 'program' | 'subagent'
  readonly script: string
}

type Words = 'you' | 'meanwhile' | 'says' | 'thinks' | 'retry' | 'fault' | 'crash' | 'stop' | 'compacted' | 'summary'

export type Step =
  | { readonly does: Words; readonly text: string }
  | { readonly does: 'edit' | 'write' | 'read'; readonly file: string }
  | {
      readonly does: 'run' | 'call'
      readonly what: string
      readonly output: string
      readonly exit: number
      /** How a call ends that gives nothing back; words of a denial or a refusal are its output. */
      readonly end: 'answered' | 'open' | 'denied' | 'refused'
    }

export interface Played {
  readonly steps: readonly Step[]
  /** The log ends here, the turn does not. */
  readonly cut: boolean
}

/**
 * One step a line:
 *
 * - `you: …`, `says: …`, `thinks: …`, more lines of theirs after `>`; `meanwhile: …` is said while the agent works
 * - `edit <file>`, `write <file>`, `read <file>`
 * - `run <command>` or `call <tool> <json>`, below it what it gave back, each line after `|`, and then, if it is not
 *   zero, `exit <status>`; or `open` (it never answers), `denied` (which ends the turn) or `refused` (it goes on)
 * - `retry: …` and `fault: …`, an error of the service that is tried again and one that is not; `crash <text>`
 * - `stop <why>`, `compacted`, `summary: …` and, at the end, `cut`
 */
export function stepsOf(script: string): Played {
  const lines = script.split('\n').map((line) => line.trim())
  const told = lines.filter((line) => line !== '')
  const cut = told.at(-1) === 'cut'
  const steps: Step[] = []
  for (const line of cut ? told.slice(0, -1) : told) {
    const last = steps.at(-1)
    const after = last === undefined ? null : continued(line, last)
    if (after === null) steps.push(stepOf(line))
    else steps[steps.length - 1] = after
  }
  return { steps, cut }
}

type CallStep = Extract<Step, { does: 'run' | 'call' }>

function continued(line: string, last: Step): Step | null {
  if (last.does === 'run' || last.does === 'call') return endOf(line, last)
  if (!('text' in last) || !line.startsWith('>')) return null
  return { ...last, text: `${last.text}\n${line.slice(1).replace(/^ /, '')}` }
}

function endOf(line: string, call: CallStep): CallStep | null {
  if (line.startsWith('|')) return { ...call, output: `${call.output}${line.slice(1).replace(/^ /, '')}\n` }
  if (line === 'open' || line === 'denied' || line === 'refused') return { ...call, end: line }
  const exit = /^exit (\d+)$/.exec(line)?.[1]
  return exit === undefined ? null : { ...call, exit: Number(exit) }
}

function stepOf(line: string): Step {
  const [, does = '', rest = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? []
  switch (does) {
    case 'you':
    case 'meanwhile':
    case 'says':
    case 'thinks':
    case 'retry':
    case 'fault':
    case 'crash':
    case 'stop':
    case 'compacted':
    case 'summary':
      return { does, text: rest }
    case 'edit':
    case 'write':
    case 'read':
      return { does, file: rest }
    case 'run':
    case 'call':
      return { does, what: rest, output: '', exit: 0, end: 'answered' }
    default:
      throw new Error(`no such step: ${line}`)
  }
}

/** `Agent {"prompt":"…"}` as a name and what it is given. */
export function toolOf(what: string): { readonly name: string; readonly input: Readonly<Record<string, unknown>> } {
  const [name = '', ...rest] = what.split(' ')
  return { name, input: rest.length === 0 ? {} : (JSON.parse(rest.join(' ')) as Record<string, unknown>) }
}
