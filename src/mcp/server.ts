import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type jsonSchemaValidator,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { diskError, UserError } from '../model/errors.ts'
import type { GroupTool, ToolAnswer } from '../groups/tools.ts'
import { fitted, toolResult, type ToolResult } from './fit.ts'
import { inTurn } from './in-turn.ts'
import { instructionsFor } from './instructions.ts'
import type { Memory } from './memory.ts'
import { within } from './patience.ts'
import { PROMPTS, promptNamed, type Prompt } from './prompts.ts'
import { quoted, quotedDeep, WHOLE } from './quote.ts'
import { resourceAt, RESOURCES } from './resources.ts'
import type { Call, Tool } from './tool.ts'
import { listedTools } from './tool-list.ts'

export interface Served {
  readonly version: string
  readonly tools: readonly Tool[]
  /** Of the group whose memory this is: they see its messages alone. */
  readonly groupTools: readonly GroupTool[]
  readonly memory: Memory
  /** Names of the agents whose sessions are remembered. */
  readonly agents: readonly string[]
  /** Told of what nobody foresaw: never on standard output. */
  readonly onBug: (error: unknown) => void
}

/** The lists never change while the program runs. */
const LASTING = { ttlMs: 3_600_000, cacheScope: 'public' } as const

/** Makes a server for each connection, or each request; all of them share one memory. */
export function serversOf(served: Served): () => Server {
  const turn = inTurn()
  return () => serverOf(served, turn)
}

function serverOf(
  { version, tools, groupTools, memory, agents, onBug }: Served,
  turn: ReturnType<typeof inTurn>,
): Server {
  const server = new Server(
    { name: 'recall', title: 'recall', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructionsFor(agents),
      jsonSchemaValidator: NO_VALIDATOR,
      cacheHints: {
        'tools/list': LASTING,
        'prompts/list': LASTING,
        'resources/list': LASTING,
        'resources/templates/list': LASTING,
        'server/discover': LASTING,
      },
    },
  )
  const listed = listedTools(tools, groupTools)
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }, context) => {
    const ofGroup = groupTools.find((one) => one.name === name)
    if (ofGroup !== undefined) return groupResult(ofGroup.run(input ?? {}))
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${quoted(name)}`)
    return resultOf(await turn(() => answered(tool, memory, input ?? {}, callOf(context), onBug)))
  })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCES }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
    contents: [
      { uri, ...(await resourceAt(memory, uri).catch((error: unknown) => Promise.reject(protocolError(error)))) },
    ],
  }))
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(promptDocument),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given } }) => {
    const { prompt, text } = asProtocol(() => promptNamed(name, given ?? {}))
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

/** Nothing that clients send is checked against a schema by the server: inputs are checked by `accepted`. */
const NO_VALIDATOR = {
  getValidator:
    <T>() =>
    (input: unknown) => ({ valid: true, data: input as T, errorMessage: undefined }),
} as jsonSchemaValidator

function groupResult({ text, content, isError }: ToolAnswer) {
  return {
    content: [{ type: 'text' as const, text }],
    structuredContent: quotedDeep(content, WHOLE) as Record<string, unknown>,
    isError,
  }
}

/** Longer than any answer takes; only who waits for another writer may. */
const PATIENCE_MS = 30_000

function promptDocument({ name, title, description, arguments: all }: Prompt) {
  return { name, title, description, arguments: [...all] }
}

type Outcome = ToolResult & { readonly isError?: true }

/** What a person can mend is an answer, too: an agent reads it and does better. */
async function answered(
  tool: Tool,
  memory: Memory,
  input: unknown,
  call: Call,
  onBug: Served['onBug'],
): Promise<Outcome> {
  try {
    call.signal.throwIfAborted()
    const asked = await within(PATIENCE_MS, tool.ask(memory, input, call))
    if (asked === null) throw new UserError('LOCKED', 'the memory is busy', 'ask again in a minute')
    return fitted(asked.found, asked.budget)
  } catch (error) {
    if (call.signal.aborted) throw error
    const known = error instanceof UserError ? error : diskError(error)
    if (known?.code === 'NO_STORE')
      return toolResult({
        rows: [],
        notes: ['the memory is empty: nothing was read yet (`recall index` reads what there is)'],
      })
    if (known === null) onBug(error)
    const words =
      known === null ? 'recall failed, and says why on its standard error' : `${known.message}; ${known.hint}`
    return { ...toolResult({ rows: [], notes: [quoted(words)] }), isError: true }
  }
}

function resultOf({ text, answer, isError }: Outcome) {
  return {
    content: [{ type: 'text' as const, text }],
    structuredContent: answer as unknown as Record<string, unknown>,
    ...(isError === undefined ? {} : { isError }),
  }
}

function callOf({ mcpReq }: ServerContext): Call {
  const progressToken = mcpReq._meta?.progressToken
  return {
    signal: mcpReq.signal,
    progress(progress, total, message) {
      if (progressToken === undefined || mcpReq.signal.aborted) return
      const params = { progressToken, progress, total, message }
      void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}

function asProtocol<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw protocolError(error)
  }
}

function protocolError(error: unknown): unknown {
  if (!(error instanceof UserError)) return error
  return new ProtocolError(ProtocolErrorCode.InvalidParams, quoted(`${error.message}; ${error.hint}`))
}
