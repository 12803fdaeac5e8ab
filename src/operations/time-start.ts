import { operation } from './operation.ts'
import { object, text } from './schema.ts'
import { taskLine, taskName, workingDirectory } from './task-document.ts'

export const timeStart = operation({
  name: 'time.start',
  summary: 'notes in the journal that a task begins',
  effect: 'writes',
  input: object({ name: text('the task') }),
  output: object({ task: taskLine }),
  async run(context, asked) {
    const name = taskName(asked.name, 'start')
    return (await context.recall.chronicle.books()).startTask(name, workingDirectory(context))
  },
  document: (task) => ({ task }),
})
