import { isInstalled } from '../capture/install.ts'
import { queueDir, queueLength } from '../capture/queue.ts'
import { UserError } from '../model/errors.ts'
import { hookPlace, withHooks } from './hook-change.ts'
import { operation, type OperationContext } from './operation.ts'
import { choice, count, flag, list, nullable, object, text, type TypeOf } from './schema.ts'

const hook = object({
  agent: text(),
  file: text(),
  installed: nullable(flag('null where a problem keeps it from being known')),
  problem: nullable(text()),
})

const output = object({ hooks: list(hook), queued: count(), cadence: choice(['daily', 'weekly', 'on-hook']) })

export const hookStatus = operation({
  name: 'hook.status',
  summary: 'which agents call recall, and what waits in the queue',
  effect: 'reads',
  input: object({}, { agent: text('which agent; all that have hooks, without') }),
  output,
  async run(context, { agent }): Promise<TypeOf<typeof output>> {
    const { settings, sources } = context
    const names = agent === undefined ? withHooks(sources).map(({ name }) => name) : [agent]
    const hooks = await Promise.all(names.map((name) => stateOf(context, name)))
    return { hooks, queued: queueLength(queueDir(settings.dataDir)), cadence: settings.cadence }
  },
  document: (status: TypeOf<typeof output>) => status,
})

async function stateOf(context: OperationContext, name: string): Promise<TypeOf<typeof hook>> {
  const { source, place } = await hookPlace(context, name)
  const row = { agent: source.name, file: place.file }
  try {
    return { ...row, installed: isInstalled(place), problem: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { ...row, installed: null, problem: error.message }
  }
}
