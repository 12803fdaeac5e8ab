import type { Schema } from '../operations/schema.ts'
import type { Memory } from './memory.ts'

/** What an agent may ask. The answer is complete in itself and fits the budget; `brief` tells it in a few lines. */
export interface Tool<Input, Answer extends Readonly<Record<string, unknown>>> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Changes nothing, wherever it is asked. */
  readonly isReadOnly: boolean
  readonly input: Schema<Input>
  readonly output: Schema<Answer>
  run(memory: Memory, input: Input): Promise<Answer>
  brief(answer: Answer): string
}

export function tool<Input, Answer extends Readonly<Record<string, unknown>>>(
  it: Tool<Input, Answer>,
): Tool<Input, Answer> {
  return it
}
