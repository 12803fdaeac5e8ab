import { asArray, asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import type { InnerTranscript } from '../source.ts'
import type { Look, Row } from './database.ts'
import type { Mark, Message, SessionRow, SessionStore } from './rows.ts'

const PAGE = 100
const MAX_BYTES = 64 * 1024 * 1024

/** All sessions of a database, and what changes whenever one of them does. */
export function sessionsIn(look: Look): InnerTranscript[] {
  if (!look.has('session') || !look.has('message')) return []
  const hasLog = look.has('event_sequence')
  // Before there was a log of changes, every row has to be asked for its time.
  const sql = hasLog
    ? `SELECT s.id, s.time_updated AS updated, q.seq AS changed, '' AS parts FROM session s LEFT JOIN event_sequence q ON q.aggregate_id = s.id`
    : `SELECT s.id, s.time_updated AS updated,
         (SELECT count(*) || '-' || max(time_updated) FROM message m WHERE m.session_id = s.id) AS changed,
         (SELECT count(*) || '-' || max(time_updated) FROM part p WHERE p.session_id = s.id) AS parts FROM session s`
  return look.all(sql).map((row) => ({
    name: String(row['id']),
    version: [row['updated'], row['changed'], row['parts']].map((value) => String(value ?? '')).join('_'),
    size: 1,
    mtimeMs: Number(row['updated'] ?? 0),
  }))
}

/** A session in a database. */
export class DatabaseSession implements SessionStore {
  readonly #look: Look
  readonly #id: string
  readonly #hasLog: boolean

  constructor(look: Look, id: string) {
    this.#look = look
    this.#id = id
    this.#hasLog = look.has('event') && look.has('event_sequence')
  }

  close(): void {
    this.#look.close()
  }

  session(): SessionRow | null {
    const row = this.#look.get('SELECT * FROM session WHERE id = ?', this.#id)
    if (row === undefined) return null
    const revert = parse(row['revert'])
    return {
      id: this.#id,
      parent: asText(row['parent_id']),
      directory: asText(row['directory']),
      title: asText(row['title']),
      version: asText(row['version']),
      createdAt: timeOf(row['time_created']),
      archivedAt: timeOf(row['time_archived']),
      revertedFrom: asText(revert?.['messageID']),
      permission: parseList(row['permission']),
    }
  }

  changed(): number {
    if (this.#hasLog) {
      const row = this.#look.get('SELECT seq FROM event_sequence WHERE aggregate_id = ?', this.#id)
      return Number(row?.['seq'] ?? -1)
    }
    const sql = `SELECT max(coalesce((SELECT max(time_updated) FROM message WHERE session_id = ?1), 0),
      coalesce((SELECT max(time_updated) FROM part WHERE session_id = ?1), 0)) AS latest`
    return Number(this.#look.get(sql, this.#id)?.['latest'] ?? 0)
  }

  stillStands(mark: Mark): boolean {
    const { count } = this.#look.get(
      'SELECT count(*) AS count FROM message WHERE session_id = ? AND (time_created < ? OR (time_created = ? AND id <= ?))',
      this.#id,
      mark.at,
      mark.at,
      mark.id,
    ) ?? { count: 0 }
    return Number(count) === mark.count && !this.#changedBefore(mark)
  }

  /** What a message of a person is about to be shown with, and that an output was left out of the context, says nothing new. */
  #changedBefore(mark: Mark): boolean {
    const isBefore = 'm.session_id = ?1 AND (m.time_created < ?3 OR (m.time_created = ?3 AND m.id <= ?4))'
    const isAssistant = `json_extract(m.data, '$.role') = 'assistant'`
    const isSaid = `json_extract(p.data, '$.state.time.compacted') IS NULL`
    const values = [this.#id, mark.changed, mark.at, mark.id] as const
    if (!this.#hasLog) {
      const sql = `SELECT 1 FROM message m WHERE ${isBefore} AND m.time_updated > ?2 AND ${isAssistant}
        UNION ALL SELECT 1 FROM part p JOIN message m ON m.id = p.message_id WHERE p.session_id = ?1 AND p.time_updated > ?2
          AND ${isBefore} AND ${isSaid} LIMIT 1`
      return this.#look.get(sql, ...values) !== undefined
    }
    const sql = `WITH news AS (SELECT type, json_extract(data, '$.info.id') AS message, json_extract(data, '$.part.id') AS part
        FROM event WHERE aggregate_id = ?1 AND seq > ?2)
      SELECT 1 FROM news n WHERE n.type GLOB 'message*removed*'
      UNION ALL SELECT 1 FROM news n JOIN message m ON m.id = n.message WHERE n.type GLOB 'message.updated*' AND ${isBefore} AND ${isAssistant}
      UNION ALL SELECT 1 FROM news n JOIN part p ON p.id = n.part JOIN message m ON m.id = p.message_id
        WHERE n.type GLOB 'message.part.updated*' AND ${isBefore} AND ${isSaid} LIMIT 1`
    return this.#look.get(sql, ...values) !== undefined
  }

  has(message: string): boolean {
    return this.#look.get('SELECT 1 FROM message WHERE id = ? AND session_id = ?', message, this.#id) !== undefined
  }

  *messages(after: Pick<Mark, 'at' | 'id'> | null): Generator<Message> {
    const removed = this.#removed().filter((message) => after === null || isBehind(message, after))
    let [at, id] = [after?.at ?? -1, after?.id ?? '']
    for (;;) {
      const rows = this.#look.all(
        `SELECT id, time_created AS at, length(data) AS bytes, CASE WHEN length(data) <= ${MAX_BYTES} THEN data END AS data FROM message
         WHERE session_id = ?1 AND (time_created > ?2 OR (time_created = ?2 AND id > ?3)) ORDER BY time_created, id LIMIT ${PAGE}`,
        this.#id,
        at,
        id,
      )
      for (const row of rows) {
        const message = this.#message(row)
        while (removed[0] !== undefined && isBehind(message, removed[0])) yield removed.shift() as Message
        yield message
        at = message.at
        id = message.id
      }
      if (rows.length < PAGE) break
    }
    yield* removed
  }

  #message(row: Row): Message {
    const id = String(row['id'])
    const parts = this.#look.all(
      `SELECT length(data) AS bytes, CASE WHEN length(data) <= ${MAX_BYTES} THEN data END AS data FROM part WHERE message_id = ? ORDER BY id`,
      id,
    )
    return {
      id,
      at: Number(row['at']),
      data: parse(row['data']),
      parts: parts.map((part) => parse(part['data'])),
      isRemoved: false,
      bytes: parts.reduce((sum, part) => sum + Number(part['bytes']), Number(row['bytes'])),
    }
  }

  /** What was taken back and deleted stands in the log of changes only, whole as it was last. */
  #removed(): Message[] {
    if (!this.#hasLog) return []
    const gone = `SELECT json_extract(data, '$.messageID') FROM event WHERE aggregate_id = ?1 AND type GLOB 'message.removed*'`
    if (this.#look.get(`${gone} LIMIT 1`, this.#id) === undefined) return []
    const latest = (type: string, id: string, message: string) =>
      this.#look.all(
        `SELECT max(seq), json_extract(data, '$.${id}') AS id, data FROM event WHERE aggregate_id = ?1 AND type GLOB '${type}*'
           AND length(data) <= ${MAX_BYTES} AND json_extract(data, '$.${message}') IN (${gone}) GROUP BY 2 ORDER BY 2`,
        this.#id,
      )
    const parts = latest('message.part.updated', 'part.id', 'part.messageID').map((row) => ({
      part: asObject(parse(row['data'])?.['part']),
      bytes: String(row['data']).length,
    }))
    const messages = latest('message.updated', 'info.id', 'info.id').flatMap((row) => {
      const data = asObject(parse(row['data'])?.['info'])
      const id = asText(data?.['id'])
      const at = timeOf(asObject(data?.['time'])?.['created'])
      if (data === null || id === null || at === null || this.has(id)) return []
      const own = parts.filter(({ part }) => part?.['messageID'] === id)
      const bytes = own.reduce((sum, part) => sum + part.bytes, String(row['data']).length)
      return [{ id, at, data, parts: own.map(({ part }) => part), isRemoved: true, bytes }]
    })
    return messages.sort((a, b) => (isBehind(a, b) ? 1 : -1))
  }

  origin(createdAt: number, first: Message): string | null {
    const sql = `SELECT s.id FROM message m JOIN session s ON s.id = m.session_id
      WHERE m.time_created = ? AND s.id <> ? AND s.time_created < ? AND json_extract(m.data, '$.role') = ? ORDER BY s.time_created LIMIT 1`
    const role = asText(first.data?.['role']) ?? ''
    return asText(this.#look.get(sql, first.at, this.#id, createdAt, role)?.['id'])
  }
}

function isBehind(a: Pick<Message, 'at' | 'id'>, b: Pick<Message, 'at' | 'id'>): boolean {
  return a.at > b.at || (a.at === b.at && a.id > b.id)
}

function parse(text: unknown): Json | null {
  const parsed = typeof text === 'string' ? parseObjects(text) : null
  return parsed?.length === 1 ? (parsed[0] ?? null) : null
}

function parseList(text: unknown): readonly unknown[] {
  return asArray(parse(`{"list":${typeof text === 'string' ? text : 'null'}}`)?.['list'])
}

export function timeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
}
