import { fieldTable } from '../operations/api-reference.ts'
import type { Tool } from './tool.ts'

/** The tools one after the other, for docs/mcp.md. */
export function toolReference(tools: readonly Tool[]): string {
  return tools
    .map(({ name, title, description, isReadOnly, input }) =>
      [
        `### ${name}`,
        `${title}. ${description}${isReadOnly ? '' : ' Absent with `--read-only`.'}`,
        fieldTable('input', input),
      ].join('\n\n'),
    )
    .join('\n\n')
}
