import type { DuckDbReport } from '../portable/duckdb.ts'
import { exportFields, exportFilter, outPath } from './export-traces.ts'
import { operation } from './operation.ts'
import { called, count, flag, object, text } from './schema.ts'

function tables(as: 'duckdb' | 'parquet', summary: string, where: string) {
  return operation({
    name: `export.${as}`,
    summary,
    details:
      'Tables `sessions`, `messages` and `tool_calls`. It needs the package @duckdb/node-api, which recall brings along for ' +
      'nothing else; a full-text index is made where the extension `fts` is on this machine already.',
    effect: 'writes',
    input: object({ out: called('path', text(where)) }, { ...exportFields, force: flag('replace what is there') }),
    output: object({ out: text(), sessions: count(), messages: count(), tool_calls: count(), full_text: flag() }),
    run(context, { out, force, ...narrow }): Promise<DuckDbReport> {
      const { recall, watching } = context
      return recall.portable.exportDuckDb({
        as,
        out: outPath(context, out),
        filter: exportFilter(context, narrow),
        force: force === true,
        ...(watching.onCount ? { onCount: watching.onCount } : {}),
      })
    },
    document: (report: DuckDbReport) => ({ ...report }),
  })
}

export const exportDuckdb = tables('duckdb', 'sessions as a DuckDB file', 'the file to write')
export const exportParquet = tables('parquet', 'sessions as Parquet files', 'the directory to write to')
