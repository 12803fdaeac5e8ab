import { isInstalled, type SlotPlace } from '../capture/install.ts'
import { UserError } from '../model/errors.ts'
import { connectables, serverPlace, skillPlace, type Connectable } from './connect-places.ts'
import { callsUs, hookPlaces } from './hook-change.ts'
import { operation, type OperationContext } from './operation.ts'
import { flag, list, nullable, object, text, type TypeOf } from './schema.ts'

const row = object({
  agent: text(),
  file: text(),
  server: nullable(flag('null where a problem keeps it from being known')),
  project_file: text(),
  project_server: nullable(flag()),
  skill: nullable(flag()),
  hooks: nullable(flag()),
  problem: nullable(text()),
})

const output = object({ agents: list(row) })

export const connectStatus = operation({
  name: 'connect.status',
  summary: 'which agents have the memory',
  effect: 'reads',
  input: object({}),
  output,
  async run(context): Promise<TypeOf<typeof output>> {
    return { agents: await Promise.all(connectables(context).map((one) => stateOf(context, one))) }
  },
  document: (status: TypeOf<typeof output>) => status,
})

async function stateOf(context: OperationContext, one: Connectable): Promise<TypeOf<typeof row>> {
  const user = serverPlace(context, one, 'user')
  const shared = serverPlace(context, one, 'project')
  const { places } = await hookPlaces(context, one.source.name)
  const problems: string[] = []
  const known = (look: () => boolean): boolean | null => {
    try {
      return look()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(error.message)
      return null
    }
  }
  const has = (place: SlotPlace) => known(() => isInstalled(place))
  return {
    agent: one.source.name,
    file: user.file,
    server: has(user),
    project_file: shared.file,
    project_server: has(shared),
    skill: has(skillPlace(context, one, 'user')),
    hooks: known(() => callsUs(places)),
    problem: problems[0] ?? null,
  }
}
