import { operation } from './operation.ts'
import { called, count, object, record, number, text } from './schema.ts'
import { taskLine, taskName, workingDirectory } from './task-document.ts'

export const timeStop = operation({
  name: 'time.stop',
  summary: 'notes in the journal that a task has ended',
  effect: 'writes',
  input: object(
    { name: text('the task') },
    {
      metric: called('k=v...', record(number(), 'what came of the task, in numbers')),
      exit: called('n', count('exit code of the task (0)')),
    },
  ),
  output: object({ task: taskLine }),
  async run(context, asked) {
    const name = taskName(asked.name, 'stop')
    const end = { exit: asked.exit ?? 0, metric: asked.metric ?? {}, source: workingDirectory(context) }
    return (await context.recall.chronicle.books()).stopTask(name, end)
  },
  document: (task) => ({ task }),
})
