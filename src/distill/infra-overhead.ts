/** Tools that connect, look up tools or keep books, rather than work on the task. `*` stands for any characters. */
export const INFRA_TOOLS: readonly string[] = [
  'mcp__*',
  'ToolSearch',
  'tool_search',
  'TodoWrite',
  'TodoRead',
  'todo_write',
  'todo_read',
  'Task*',
  'update_plan',
]

/** Share of the calls that went to such tools, to three decimals; null without calls. */
export function infraShare(
  histogram: Readonly<Record<string, number>>,
  patterns: readonly string[] = INFRA_TOOLS,
): number | null {
  const matchers = patterns.map(matcher)
  let all = 0
  let infra = 0
  for (const [tool, count] of Object.entries(histogram)) {
    all += count
    if (matchers.some((matches) => matches(tool))) infra += count
  }
  return all === 0 ? null : Math.round((infra / all) * 1000) / 1000
}

function matcher(pattern: string): (tool: string) => boolean {
  if (!pattern.includes('*')) return (tool) => tool === pattern
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const whole = new RegExp(`^${parts.join('.*')}$`, 's')
  return (tool) => whole.test(tool)
}
