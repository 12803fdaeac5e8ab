import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { DatabaseSync } from '@photostructure/sqlite'
import { readPayloads } from './payloads.ts'
import { filesIn } from './snapshot.ts'
import type { Place } from './workshop.ts'

/** What a digest counts; none of it may ever become less. */
export interface Figures {
  readonly exchanges: number
  readonly turns: number
  readonly events: number
  readonly input: number
  readonly output: number
}

/** What can be seen of a store from outside. */
export interface View {
  readonly evicted: ReadonlySet<string>
  readonly digests: ReadonlyMap<string, Figures>
  /** Tokens of every billed response. */
  readonly ledger: ReadonlyMap<string, number>
  /** Which session each billed response belongs to. */
  readonly billedTo: ReadonlyMap<string, string>
  /** What stands at `uid#seq`. */
  readonly pointers: ReadonlyMap<string, string>
  /** All raw text there is. */
  readonly raw: string
  /** Whether a word stands in any file, as it is or unpacked. */
  has(word: string): boolean
}

export function viewOf(place: Place): View {
  const dir = path.join(place.data, 'recall')
  const db = new DatabaseSync(path.join(dir, 'recall.db'), { readOnly: true })
  try {
    const list = (sql: string) => db.prepare(sql).all() as Readonly<Record<string, string | number | null>>[]
    const { texts } = readPayloads(db, path.join(dir, 'blobs'), String)
    const files = filesIn(place.data).map((file) => readFileSync(file))
    const ledger = list(
      'SELECT g.key, s.uid, g.input + g.output + g.cache_read AS tokens FROM ledger g JOIN session s ON s.id = g.session',
    )
    const events = list(
      `SELECT s.uid || '#' || (l.base + e.pos) AS pointer, e.kind, e.tool, e.text, e.input, e.body_length AS size FROM event e
         JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session WHERE l.name <> '~inferred'`,
    )
    return {
      evicted: new Set(list('SELECT uid FROM session WHERE evicted_at IS NOT NULL').map(({ uid }) => String(uid))),
      digests: new Map(
        list('SELECT session_uid AS uid, json FROM digests').map(({ uid, json }) => [
          String(uid),
          figuresOf(String(json)),
        ]),
      ),
      ledger: new Map(ledger.map(({ key, tokens }) => [String(key), Number(tokens)])),
      billedTo: new Map(ledger.map(({ key, uid }) => [String(key), String(uid)])),
      pointers: new Map(events.map(({ pointer, ...event }) => [String(pointer), hash(JSON.stringify(event))])),
      raw: events.map(({ text }) => text ?? '').join('\n'),
      has: (word) => files.some((bytes) => bytes.includes(word)) || texts.some((bytes) => bytes.includes(word)),
    }
  } finally {
    db.close()
  }
}

function figuresOf(json: string): Figures {
  const digest: unknown = JSON.parse(json)
  return {
    exchanges: numberAt(digest, 'exchanges'),
    turns: numberAt(digest, 'cost', 'turns'),
    events: numberAt(digest, 'event_count'),
    input: numberAt(digest, 'cost', 'input_tokens'),
    output: numberAt(digest, 'cost', 'output_tokens'),
  }
}

/** What is unknown counts as nothing: then it may become known, and not unknown again. */
function numberAt(value: unknown, ...names: readonly string[]): number {
  const found = names.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null ? Object.entries(at).find(([key]) => key === name)?.[1] : null,
    value,
  )
  return typeof found === 'number' ? found : 0
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16)
}
