import { UserError } from '../../model/errors.ts'
import { humanBytes, plural } from '../../model/text.ts'
import { exportHtml, exportJson, exportMd } from '../../operations/export-documents.ts'
import { exportDuckdb, exportParquet } from '../../operations/export-duckdb.ts'
import { exportTraces } from '../../operations/export-traces.ts'
import type { Command, Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'

/** A bar while sessions are written one after the other. */
export function counting({ terminal, watching }: Context) {
  return {
    watching: {
      ...watching,
      onCount: (done: number, total: number, what: string) =>
        terminal.progress(done, total, `${done} of ${plural(total, what)}`),
    },
    end: () => terminal.progressDone(),
  }
}

const traces = commandOf({
  operation: exportTraces,
  examples: [],
  watch: counting,
  print({ terminal }, { dir, sessions, events, bytes }) {
    const { written, unchanged, removed } = sessions
    const rest = [...(unchanged > 0 ? [`${unchanged} unchanged`] : []), ...(removed > 0 ? [`${removed} removed`] : [])]
    const what = `${plural(written, 'session')}, ${plural(events, 'event')}, ${humanBytes(bytes)}`
    terminal.line(terminal.cell(`wrote ${[what, ...rest].join('; ')} to ${dir}`))
  },
})

function documents(operation: typeof exportHtml): Command {
  return commandOf({
    operation,
    args: [{ name: 'id', help: 'which session', required: false }],
    examples: [],
    watch: counting,
    print: ({ terminal }, { out, sessions, bytes }) =>
      terminal.line(terminal.cell(`wrote ${plural(sessions, 'session')}, ${humanBytes(bytes)} to ${out}`)),
  })
}

function tables(operation: typeof exportDuckdb): Command {
  return commandOf({
    operation,
    args: [{ name: 'path', field: 'out', help: 'where to', required: false }],
    examples: [],
    watch: counting,
    print({ terminal }, { out, sessions, messages, tool_calls: calls, full_text: isIndexed }) {
      const what = [plural(sessions, 'session'), plural(messages, 'message'), plural(calls, 'call')].join(', ')
      terminal.line(terminal.cell(`wrote ${what} to ${out}`))
      if (operation === exportDuckdb && !isIndexed)
        terminal.note(
          'without a full-text index: the extension `fts` of DuckDB is not on this machine, and nothing is fetched',
        )
    },
  })
}

const FORMATS: Readonly<Record<string, Command>> = {
  html: documents(exportHtml),
  md: documents(exportMd),
  json: documents(exportJson),
  traces,
  duckdb: tables(exportDuckdb),
  parquet: tables(exportParquet),
}

export const exporting = commandOfSeveral({
  name: 'export',
  summary: 'take the memory with you, in a form that other programs read',
  details: `Files are there whole or not at all, and none is replaced without --force. docs/portable.md describes them.`,
  args: [
    { name: 'format', help: Object.keys(FORMATS).join(', '), required: true },
    { name: 'what', help: 'for html, md and json: which session; for duckdb and parquet: where to', required: false },
  ],
  examples: [
    'recall export duckdb memory.duckdb',
    'recall export html last --out session.html',
    'recall export html --project api --anonymize --out site',
    'recall export traces --out ~/memory',
    'recall export traces --out shared --project api --since 30d',
  ],
  parts: Object.entries(FORMATS).map(([label, command]) => ({ command, label })),
  choose([format = '', ...words]) {
    const command = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    if (command !== undefined) return [command, ...words]
    const hint = `formats are: ${Object.keys(FORMATS).join(', ')}`
    throw new UserError('USAGE', `no format ${JSON.stringify(format)}`, hint)
  },
})
