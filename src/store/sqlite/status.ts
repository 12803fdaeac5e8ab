import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { SPARE } from '../../model/spare-room.ts'
import type { SourceTotals, StoreStatus, Totals } from '../store.ts'
import { boundedSum } from './amounts.ts'
import type { Database, Row } from './database.ts'
import { VISIBLE } from './session-conditions.ts'
import { readMeta } from './meta.ts'
import { DIGEST_LANE } from './lane-names.ts'

export function readStatus(db: Database, blobDir: string): Omit<StoreStatus, 'vectors'> {
  const databaseBytes = ['', '-wal', '-shm'].reduce(
    (sum, suffix) => sum + fileBytes(`${db.path}${suffix}`),
    besideBytes(db),
  )
  const packBytes = directoryBytes(blobDir)
  const tiers = readTiers(db)
  const lastIndex = readMeta(db, 'last_index')
  return {
    path: db.path,
    bytes: databaseBytes + packBytes,
    tier1Bytes: tiers.raw,
    tier2Bytes: tiers.distilled,
    lastIndex: lastIndex === null ? null : Number(lastIndex),
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

/** Tables that hold raw text or point into it; all others are durable. */
const RAW_TABLES = [
  'event',
  'touch',
  'made',
  'exchange',
  'chunk',
  'pack',
  'form',
  'ruled',
  'question',
  'embedding_link',
  'problem',
]
/** What a digest takes in the full-text index, against its length. */
const INDEXED_SHARE = 1.1

/**
 * What counts against the budgets: raw text with its rows and index, and everything durable: digests, signals, the
 * ledger, titles, sums, what is known of transcripts, the hub.
 */
export function readTiers(db: Database): { raw: number; distilled: number } {
  const row = db.get(
    `SELECT (SELECT coalesce(sum(row_bytes), 0) FROM session WHERE evicted_at IS NULL AND event_count > 0)
         + (SELECT coalesce(sum(c.length), 0) FROM chunk c JOIN session s ON s.id = c.session
            WHERE s.evicted_at IS NULL AND s.event_count > 0) AS raw,
       (SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN (
          SELECT name FROM sqlite_master WHERE rootpage > 0 AND name NOT LIKE 'exchange_fts%'
            AND tbl_name NOT IN (${RAW_TABLES.map((name) => `'${name}'`).join(', ')})))
         + (SELECT coalesce(sum(x.size), 0) * ${INDEXED_SHARE} FROM lane l JOIN exchange x ON x.lane = l.id WHERE l.name = '${DIGEST_LANE}')
         AS distilled`,
  )
  const hub = directoryBytes(path.join(path.dirname(db.path), 'hub'))
  return { raw: Number(row?.['raw']), distilled: Math.round(Number(row?.['distilled'])) + hub + besideBytes(db) }
}

function readSources(db: Database): SourceTotals[] {
  const files = db.all('SELECT source, status, count(*) AS n FROM file GROUP BY source, status')
  const totals = db.all(
    `SELECT flavor, count(*) AS sessions, sum(prompt_count) AS prompts, sum(message_count) AS messages, sum(tool_count) AS calls,
       sum(event_count) AS events, ${boundedSum('input_tokens')} AS input, ${boundedSum('output_tokens')} AS output, ${boundedSum('cache_read')} AS cache_read,
       ${boundedSum('cache_write_5m')} AS w5, ${boundedSum('cache_write_1h')} AS w1, ${boundedSum('reasoning')} AS reasoning
     FROM session s WHERE ${VISIBLE} GROUP BY flavor`,
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

/** Checksums, and what is kept of the disk for when it is full: there as long as the store is. */
function besideBytes(db: Database): number {
  return fileBytes(`${db.path}-sums`) + fileBytes(path.join(path.dirname(db.path), SPARE))
}

function fileBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function directoryBytes(dir: string): number {
  if (!statSync(dir, { throwIfNoEntry: false })) return 0
  return readdirSync(dir).reduce((sum, name) => sum + fileBytes(path.join(dir, name)), 0)
}
