import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { SourceTotals, StoreStatus, Totals } from '../store.ts'
import type { Database, Row } from './database.ts'

export function readStatus(db: Database, blobDir: string): StoreStatus {
  const databaseBytes = ['', '-wal', '-shm'].reduce((sum, suffix) => sum + fileBytes(`${db.path}${suffix}`), 0)
  const packBytes = directoryBytes(blobDir)
  const tier2 = Number(db.get('SELECT coalesce(sum(length(json)), 0) AS n FROM digests')?.['n'])
  const lastIndex = db.get("SELECT value FROM meta WHERE key = 'last_index'")?.['value']
  return {
    path: db.path,
    bytes: databaseBytes + packBytes,
    tier1Bytes: databaseBytes + packBytes - tier2,
    tier2Bytes: tier2,
    lastIndex: lastIndex === undefined ? null : Number(lastIndex),
    notices: db
      .all('SELECT at, kind, message FROM notice WHERE acknowledged_at IS NULL ORDER BY id')
      .map((row) => ({ at: Number(row['at']), kind: String(row['kind']), message: String(row['message']) })),
    sources: readSources(db),
    problems: db
      .all(
        `SELECT f.source, p.type, p.level, count(*) AS n FROM problem p JOIN file f ON f.id = p.file
         GROUP BY f.source, p.type, p.level ORDER BY n DESC, f.source, p.type`,
      )
      .map((row) => ({
        source: String(row['source']),
        type: String(row['type']),
        level: String(row['level']),
        count: Number(row['n']),
      })),
  }
}

function readSources(db: Database): SourceTotals[] {
  const files = db.all('SELECT source, status, count(*) AS n FROM file GROUP BY source, status')
  const totals = db.all(
    `SELECT flavor, count(*) AS sessions, sum(prompt_count) AS prompts, sum(message_count) AS messages, sum(tool_count) AS calls,
       sum(event_count) AS events, sum(input_tokens) AS input, sum(output_tokens) AS output, sum(cache_read) AS cache_read,
       sum(cache_write_5m) AS w5, sum(cache_write_1h) AS w1, sum(reasoning) AS reasoning
     FROM session WHERE event_count > 0 OR evicted_at IS NOT NULL OR source_bytes > 0 GROUP BY flavor`,
  )
  const names = new Set([...files.map((row) => String(row['source'])), ...totals.map((row) => String(row['flavor']))])
  return [...names].sort().map((source) => {
    const own = files.filter((row) => row['source'] === source)
    return {
      source,
      files: own.reduce((sum, row) => sum + Number(row['n']), 0),
      byState: Object.fromEntries(own.map((row) => [String(row['status']), Number(row['n'])])),
      totals: toTotals(totals.find((row) => row['flavor'] === source)),
    }
  })
}

function toTotals(row: Row | undefined): Totals {
  const n = (name: string) => Number(row?.[name] ?? 0)
  return {
    sessions: n('sessions'),
    prompts: n('prompts'),
    messages: n('messages'),
    toolCalls: n('calls'),
    events: n('events'),
    tokens: {
      input: n('input'),
      output: n('output'),
      cacheRead: n('cache_read'),
      cacheWrite5m: n('w5'),
      cacheWrite1h: n('w1'),
      reasoning: n('reasoning'),
    },
  }
}

function fileBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function directoryBytes(dir: string): number {
  if (!statSync(dir, { throwIfNoEntry: false })) return 0
  return readdirSync(dir).reduce((sum, name) => sum + fileBytes(path.join(dir, name)), 0)
}
