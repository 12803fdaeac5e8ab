import { accepted } from '../operations/input.ts'
import type { Schema } from '../operations/schema.ts'
import type { Found, Row } from './answer.ts'
import { DEFAULT_BUDGET } from './budget.ts'
import type { Memory } from './memory.ts'

/** One call of a tool: who asked may have lost interest, or want to hear how far it is. */
export interface Call {
  readonly signal: AbortSignal
  progress(done: number, total: number, message: string): void
}

interface Described {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Changes nothing, wherever it is asked. */
  readonly isReadOnly: boolean
}

/** What an agent may ask. */
export interface Tool extends Described {
  readonly input: Schema<unknown>
  /** Takes an input from outside, with a USAGE error if it is wrong. */
  ask(memory: Memory, input: unknown, call: Call): Promise<{ readonly found: Found<Row>; readonly budget: number }>
}

interface ToolOf<Input> extends Described {
  readonly input: Schema<Input>
  /** What there is to say, the best first; what fits the budget is told. */
  find(memory: Memory, input: Input, call: Call): Promise<Found<Row>>
}

export function tool<Input>({ find, ...it }: ToolOf<Input>): Tool {
  return {
    ...it,
    async ask(memory, input, call) {
      const asked = accepted(it.input, input)
      const { budget_tokens: budget } = asked as { readonly budget_tokens?: number }
      return { found: await find(memory, asked, call), budget: budget ?? DEFAULT_BUDGET }
    },
  }
}
