import type { GroupTool } from '../groups/tools.ts'
import { ANSWER_SCHEMA } from './answer.ts'
import type { Tool } from './tool.ts'

/** In a group's memory there is one agent and one project: nobody needs to hear that they could be named. */
const NOT_IN_GROUPS: ReadonlySet<string> = new Set(['project', 'source'])
/** Names that say all there is to say; the instructions tell of them once for all tools. */
const PLAIN: ReadonlySet<string> = new Set(['budget_tokens', 'cursor'])

/** As agents are told of them before they ask, and pay for it: in as few words as will do. */
export function listedTools(tools: readonly Tool[], groupTools: readonly GroupTool[]) {
  const without = groupTools.length > 0 ? NOT_IN_GROUPS : new Set<string>()
  return [...tools.map((tool) => toolDocument(tool, without)), ...groupTools.map(groupToolDocument)]
}

function toolDocument({ name, description, isReadOnly, input }: Tool, without: ReadonlySet<string>) {
  return {
    name,
    description,
    inputSchema: inShort(input, without),
    outputSchema: ANSWER_SCHEMA as { type: 'object' },
    annotations: isReadOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  }
}

function groupToolDocument({ name, description, isReadOnly, input, output }: GroupTool) {
  return {
    name,
    description,
    inputSchema: inShort(input),
    outputSchema: output as { type: 'object' },
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
  }
}

/** Without what is said when it matters, and what goes without saying. */
function inShort(schema: object, without: ReadonlySet<string> = new Set()): { type: 'object' } {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'minimum' || without.has(key)) return undefined
      if (key === 'required' && Array.isArray(value) && value.length === 0) return undefined
      return PLAIN.has(key) ? { type: (value as { type: string }).type } : value
    }),
  )
}
