import type { Task } from '../insight/bookkeeping.ts'
import { operation } from './operation.ts'
import { choice, count, list, nullable, number, object, text } from './schema.ts'
import { metricSchema } from './task-document.ts'

const task = object({
  name: text(),
  start_epoch: number(),
  end_epoch: nullable(number()),
  duration_s: nullable(number()),
  exit: nullable(number()),
  metric: nullable(metricSchema),
  source: nullable(text()),
  state: choice(['running', 'done']),
})

export interface Tasks {
  readonly tasks: readonly Task[]
  readonly unread: number
  /** Where the journals are. */
  readonly dir: string
}

export const timeTasks = operation({
  name: 'time.tasks',
  summary: 'the journal of tasks',
  effect: 'reads',
  input: object({}),
  output: object({ tasks: list(task), unread: count() }),
  async run({ recall }): Promise<Tasks> {
    const books = await recall.chronicle.books()
    return { ...books.tasks(), dir: books.dir }
  },
  document: ({ tasks, unread }: Tasks) => ({ tasks, unread }),
})
