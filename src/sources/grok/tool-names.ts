import { asObject, asText } from '../kit/json.ts'

const GATEWAY = 'use_tool'

/** Tools of servers are called through one tool that is told their name. */
export function toolName(tool: string, input: unknown): string {
  return tool === GATEWAY ? (asText(asObject(input)?.['tool_name']) ?? tool) : tool
}
