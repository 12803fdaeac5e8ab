import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Unit } from '../../src/sources/source.ts'

type Json = Record<string, unknown>

export const START = Date.parse('2026-11-02T09:00:00Z')
const TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL,
    title text NOT NULL, version text NOT NULL, revert text, permission text, time_created integer NOT NULL,
    time_updated integer NOT NULL, time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX part_message ON part (message_id, id);
  CREATE TABLE account (email text, token text);`
const LOG = `
  CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL);
  CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);`

/** Writes sessions the way OpenCode does since 1.2: rows in a database, changed in place, and since 1.3 a log of changes. */
export class OpencodeHome {
  readonly root: string
  readonly file: string
  readonly #db: DatabaseSyncInstance
  readonly #hasLog: boolean
  clock: number
  #ids = 0

  constructor(home: string, { hasLog = true, start = START }: { hasLog?: boolean; start?: number } = {}) {
    this.root = path.join(home, '.local/share/opencode')
    this.file = path.join(this.root, 'opencode.db')
    this.#hasLog = hasLog
    this.clock = start
    mkdirSync(this.root, { recursive: true })
    this.#db = new DatabaseSync(this.file)
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${TABLES} ${hasLog ? LOG : ''}`)
    this.#db.exec(`INSERT INTO account VALUES ('sam@example.test', 'gho_${'x'.repeat(36)}')`)
  }

  unit(session: string): Unit {
    return { path: this.file, root: this.root, inside: session }
  }

  tick(ms = 1000): number {
    return (this.clock += ms)
  }

  id(prefix: string): string {
    return `${prefix}_${String(++this.#ids).padStart(12, '0')}AbCdEf`
  }

  session(id: string, more: Json = {}): string {
    const now = this.tick()
    const row = {
      project_id: 'p',
      parent_id: null,
      slug: 'neon-circuit',
      directory: '/home/sam/code/demo',
      version: '1.18.33',
    }
    const all: Json = { ...row, title: `New session - ${new Date(now).toISOString()}`, ...more }
    this.#db
      .prepare(
        'INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, permission, time_created, time_updated) VALUES (?,?,?,?,?,?,?,?,?,?)',
      )
      .run(
        id,
        'p',
        all['parent_id'] as null,
        'neon',
        all['directory'] as string,
        all['title'] as string,
        all['version'] as string,
        (all['permission'] ?? null) as null,
        now,
        now,
      )
    this.#event(id, 'session.created.1', { info: { id } })
    return id
  }

  set(session: string, column: 'title' | 'revert' | 'time_archived', value: string | number | null): void {
    this.#db.prepare(`UPDATE session SET ${column} = ?, time_updated = ? WHERE id = ?`).run(value, this.tick(), session)
    this.#event(session, 'session.updated.1', { info: { id: session } })
  }

  /** Writes a message anew or over what it was. */
  message(session: string, id: string, data: Json): void {
    const created = Number((data['time'] as Json)['created'])
    const put =
      'INSERT INTO message VALUES (?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET time_updated = excluded.time_updated, data = excluded.data'
    this.#db.prepare(put).run(id, session, created, this.tick(1), JSON.stringify(data))
    this.#event(session, 'message.updated.1', { info: { id, sessionID: session, ...data } })
  }

  part(session: string, message: string, id: string, data: Json): void {
    const put =
      'INSERT INTO part VALUES (?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET time_updated = excluded.time_updated, data = excluded.data'
    const now = this.tick(1)
    this.#db.prepare(put).run(id, message, session, now, now, JSON.stringify(data))
    this.#event(session, 'message.part.updated.1', { part: { id, messageID: message, sessionID: session, ...data } })
  }

  remove(session: string, message: string): void {
    this.#db.prepare('DELETE FROM part WHERE message_id = ?').run(message)
    this.#db.prepare('DELETE FROM message WHERE id = ?').run(message)
    this.#db.prepare('UPDATE session SET time_updated = ? WHERE id = ?').run(this.tick(1), session)
    this.#event(session, 'message.removed.1', { messageID: message })
  }

  delete(session: string): void {
    for (const table of ['part', 'message']) this.#db.prepare(`DELETE FROM ${table} WHERE session_id = ?`).run(session)
    this.#db.prepare('DELETE FROM session WHERE id = ?').run(session)
  }

  prompt(session: string, text: string, ...more: Json[]): string {
    const id = this.id('msg')
    const model = { providerID: 'lab', modelID: 'lab-large' }
    this.message(session, id, { role: 'user', time: { created: this.tick() }, agent: 'build', model })
    for (const part of [...(text === '' ? [] : [{ type: 'text', text }]), ...more])
      this.part(session, id, this.id('prt'), part)
    return id
  }

  answer(session: string, parts: readonly Json[], more: Json = {}, tokens: Json = TOKENS): string {
    const id = this.id('msg')
    const created = this.tick()
    const own = {
      role: 'assistant',
      modelID: 'lab-large',
      providerID: 'lab',
      mode: 'build',
      path: { cwd: '/home/sam/code/demo' },
    }
    for (const part of [{ type: 'step-start' }, ...parts, { type: 'step-finish', reason: 'stop', tokens, cost: 0.01 }])
      this.part(session, id, this.id('prt'), part)
    const time = { created, completed: this.tick() }
    this.message(session, id, { ...own, time, tokens, cost: 0.01, finish: 'stop', ...more })
    return id
  }

  /** Copies a session the way a fork does: other ids, and everything else as it was. */
  fork(from: string, to: string): string {
    this.session(to, { title: 'Adding (fork #1)' })
    for (const row of this.#db
      .prepare('SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id')
      .all(from) as Json[]) {
      const id = this.id('msg')
      this.message(to, id, JSON.parse(String(row['data'])) as Json)
      for (const part of this.#db
        .prepare('SELECT data FROM part WHERE message_id = ? ORDER BY id')
        .all(String(row['id'])) as Json[])
        this.part(to, id, this.id('prt'), JSON.parse(String(part['data'])) as Json)
    }
    return to
  }

  /** Brings the log into the database, as a program that ends does at times. */
  checkpoint(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#db.close()
  }

  #event(session: string, type: string, data: Json): void {
    if (!this.#hasLog) return
    this.#db
      .prepare('INSERT INTO event_sequence VALUES (?, 0) ON CONFLICT (aggregate_id) DO UPDATE SET seq = seq + 1')
      .run(session)
    const { seq } = this.#db.prepare('SELECT seq FROM event_sequence WHERE aggregate_id = ?').get(session) as {
      seq: number
    }
    this.#db
      .prepare('INSERT INTO event VALUES (?,?,?,?,?)')
      .run(`evt_${session}_${seq}`, session, seq, type, JSON.stringify({ sessionID: session, ...data }))
  }
}

export const TOKENS = { total: 1075, input: 600, output: 45, reasoning: 5, cache: { read: 400, write: 25 } }

export const call = (id: string, state: Json, tool = 'bash'): Json => ({ type: 'tool', tool, callID: id, state })

export const done = (command: string, output: string, exit?: number): Json => ({
  status: 'completed',
  input: { command },
  output,
  title: command,
  metadata: exit === undefined ? { output } : { output, exit },
  time: { start: START + 5000, end: START + 6000 },
})

export const failed = (command: string, error: string): Json => ({
  status: 'error',
  input: { command },
  error,
  time: { start: START + 5000, end: START + 6000 },
})

/** A session in which all happens that the client can tell. */
export function layEventful(home: string): readonly Unit[] {
  const made = new OpencodeHome(home)
  const ses = made.session('ses_eventful')
  made.prompt(ses, 'copy it out')
  const no = 'The user rejected permission to use this specific tool call with the following feedback: keep it here'
  made.answer(ses, [call('c1', failed('cp a ..', no))], { finish: 'tool-calls' })
  made.answer(ses, [call('c2', failed('sleep 60', 'Tool execution aborted')), call('c3', done('npm test', 'red', 1))])
  made.prompt(ses, '/init')
  made.answer(ses, [{ type: 'text', text: 'I look.' }])
  const queued = made.id('msg')
  made.message(ses, queued, { role: 'user', time: { created: made.clock - 500 } })
  made.part(ses, queued, made.id('prt'), { type: 'text', text: 'and lint it' })
  made.part(ses, queued, made.id('prt'), { type: 'text', text: 'Called the Read tool', synthetic: true })
  made.answer(ses, [{ type: 'text', text: 'Linted.' }])
  made.prompt(ses, '', { type: 'compaction', auto: false })
  made.answer(ses, [{ type: 'text', text: 'They copied.' }], { summary: true, mode: 'compaction' })
  const wrong = made.prompt(ses, 'wrong way')
  const oh = made.answer(ses, [{ type: 'text', text: 'Oh.' }])
  made.remove(ses, wrong)
  made.remove(ses, oh)
  made.prompt(ses, 'a long story')
  made.answer(ses, [{ type: 'text', text: 'Once' }], {
    error: { name: 'MessageAbortedError', data: {} },
    finish: undefined,
  })
  const helper = made.session('ses_helper', { parent_id: ses, title: 'count (@general subagent)' })
  made.prompt(helper, 'Count the files.')
  made.answer(helper, [{ type: 'text', text: 'One.' }])
  return [made.unit(ses), made.unit(helper)]
}

/** Writes a session the way OpenCode did before 1.2: a file for each message and part. */
export function layTree(
  root: string,
  session: string,
  { isFirst = false, more = {} }: { isFirst?: boolean; more?: Json } = {},
): Unit {
  const store = isFirst ? path.join(root, 'project/home-sam/storage/session') : path.join(root, 'storage')
  const put = (file: string, data: Json) => {
    mkdirSync(path.dirname(path.join(store, file)), { recursive: true })
    writeFileSync(path.join(store, file), JSON.stringify(data, null, 2))
  }
  const info = isFirst ? `info/${session}.json` : `session/p1/${session}.json`
  const part = (message: string, id: string) =>
    isFirst ? `part/${session}/${message}/${id}.json` : `part/${message}/${id}.json`
  const place = isFirst ? {} : { projectID: 'p1', directory: '/home/sam/code/demo' }
  put(info, {
    id: session,
    version: '1.1.65',
    title: 'Adding',
    ...place,
    time: { created: START, updated: START },
    ...more,
  })
  put(`message/${session}/msg_1.json`, {
    id: 'msg_1',
    sessionID: session,
    role: 'user',
    time: { created: START + 1000 },
  })
  put(part('msg_1', 'prt_1'), { id: 'prt_1', messageID: 'msg_1', type: 'text', text: '\nAdd them up.' })
  const tokens = { input: 1000, output: 45, reasoning: 5, cache: { read: 400, write: 0 } }
  const time = { created: START + 2000, completed: START + 4000 }
  const own = isFirst ? { system: ['You are.'] } : {}
  put(`message/${session}/msg_2.json`, {
    id: 'msg_2',
    role: 'assistant',
    time,
    modelID: 'lab-large',
    tokens,
    cost: 0.02,
    path: { cwd: '/home/sam/code/demo' },
    ...own,
  })
  put(part('msg_2', 'prt_2'), { id: 'prt_2', type: 'text', text: 'I add.', time: { start: START + 2500 } })
  put(part('msg_2', 'prt_3'), { id: 'prt_3', type: 'step-finish', tokens, cost: 0.01 })
  if (isFirst) put(part('msg_2', 'prt_4'), { id: 'prt_4', type: 'step-finish', tokens, cost: 0.01 })
  return { path: path.join(store, info), root, inside: session }
}
