import path from 'node:path'
import type { OperationContext } from '../operations/operation.ts'
import type { GroupTool } from '../groups/tools.ts'
import { callersOf } from './caller.ts'
import { memoryOf } from './memory.ts'
import type { Served } from './server.ts'
import { toolsFor } from './tools.ts'

export interface ServeOptions {
  readonly version: string
  readonly isReadOnly: boolean
  /** Null: on standard input and output. */
  readonly port: number | null
  readonly onListening: (place: { readonly url: string; readonly token: string }) => void
  readonly onBug: (error: unknown) => void
}

async function groupToolsOf({ settings, now }: OperationContext, isReadOnly: boolean): Promise<readonly GroupTool[]> {
  const { group, groupsRoot } = settings
  if (group === undefined) return []
  const { groupTools } = await import('../groups/tools.ts')
  const { ipc } = await import('../groups/places.ts')
  const tools = groupTools(path.join(groupsRoot, ...ipc(group)), group, now)
  return isReadOnly ? tools.filter((tool) => tool.isReadOnly) : tools
}

/** Answers agents until they close the connection, or for good. */
export async function serve(context: OperationContext, options: ServeOptions): Promise<void> {
  const { version, isReadOnly, port, onBug } = options
  // Over HTTP nobody knows who asks.
  const callers = () => (port === null ? callersOf(context, process.ppid) : new Set<string>())
  const served: Served = {
    version,
    tools: toolsFor({ isReadOnly }),
    groupTools: await groupToolsOf(context, isReadOnly),
    memory: memoryOf(context, { callers, isReadOnly }),
    agents: context.sources.map(({ label }) => label),
    onBug,
  }
  if (port === null) await (await import('./stdio.ts')).overStdio(served)
  else await (await import('./http.ts')).overHttp(served, port, options.onListening)
}
