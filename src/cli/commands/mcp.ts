import type { Command } from '../command.ts'
import { count, flag } from '../option-values.ts'

export const mcp: Command = {
  name: 'mcp',
  summary: 'answer agents: the memory as an MCP server',
  details:
    'Speaks the Model Context Protocol on standard input and output, or over HTTP on this machine alone; both its older ' +
    'and its newer generation. An agent starts it itself, once it is registered there: docs/mcp.md. It stays until its ' +
    'input is closed, and sees what others write meanwhile.',
  args: [],
  options: [
    { flags: '--read-only', help: 'change nothing: no decisions, and what is new is not read' },
    {
      flags: '--http <port>',
      help: 'serve http://127.0.0.1:<port>/mcp instead; prints the token it asks for (0: any port)',
    },
  ],
  examples: ['recall mcp', 'recall mcp --read-only', 'recall mcp --http 7777'],
  async run(context, _args, values) {
    const port = count(values, 'http')
    const isReadOnly = flag(values, 'readOnly')
    const { serve } = await import('../../mcp/serve.ts')
    const { terminal } = context
    await serve(context, {
      version: context.version,
      isReadOnly,
      port: port ?? null,
      onListening: ({ url, token }) => terminal.line(`${url}\nAuthorization: Bearer ${token}`),
      onBug: (error) => terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
  },
}
