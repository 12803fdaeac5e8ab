import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRecall, operations, type RecallLibrary } from '../src/library.ts'
import { methodOf } from '../src/operations/api-reference.ts'
import type { OperationName } from '../src/operations/index.ts'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'

type Input = Readonly<Record<string, unknown>>
interface Known {
  readonly id: string
  readonly other: string
  readonly pointer: string
  readonly file: string
  readonly forgotten: string
  /** A directory of traces without any. */
  readonly traces: string
  readonly backup: string
}

const BY = [{}, { by: 'project' }, { by: 'day', since: '2000-01-01' }, { by: 'session', limit: 2 }]

/** What each operation is asked, in this order: those that change something come after those that look. */
const QUESTIONS: { readonly [name in OperationName]: (known: Known) => readonly Input[] } = {
  index: () => [{}, { full: true, source: 'claude-code' }],
  analyze: () => [{}],
  sweep: () => [{ dry_run: true }, {}],
  list: () => [{}, { all: true, limit: 0 }, { since: '2000-01-01', tool: 'Bash', limit: 1 }],
  search: () => [{ query: 'nginx' }, { query: 'nginx', context: 2, group_by: 'session' }, { query: 'xyzzy' }],
  show: ({ id, pointer }) => [{ id }, { id, sidechains: true, tail: 2 }, { id: id + pointer }],
  events: ({ id }) => [{ id }, { id, payloads: true, limit: 3 }],
  payload: ({ id, pointer }) => [{ payload_ref: `blob://${id}/${pointer.slice(1)}` }],
  similar: ({ id }) => [{ to: id }, { to: 'flaky test' }],
  how: () => [{ task: 'restart nginx' }, { task: 'xyzzy' }],
  fix: () => [{ error: 'ECONNREFUSED 127.0.0.1:5432' }, { error: 'xyzzy' }],
  files: ({ file }) => [{ path: file }, { path: 'no-such-file.ts' }],
  blame: () => [{ target: '0123456789abcdef' }],
  digest: ({ id }) => [{ id }],
  diff: ({ id, other }) => [{ a: id, b: other }],
  env: ({ id }) => [{ id }, {}],
  'env.sweep': ({ id }) => [{ id }],
  signals: ({ id }) => [{}, { id }],
  patterns: () => [{}],
  retro: () => [{ since: '2000-01-01' }],
  status: () => [{}],
  acknowledge: () => [{}],
  budget: () => [{}, { limit: 0 }],
  rescue: () => [{}, { within: '400d' }],
  doctor: () => [{}, { deep: true, secrets: true }],
  'doctor.repair': () => [{}],
  secrets: () => [{}],
  stats: () => BY.slice(0, 2),
  'stats.tools': () => BY,
  'stats.bash': () => BY,
  'stats.suggest': () => [{}, { for: 'codex' }],
  'stats.apply': () => [{ dry_run: true }],
  'stats.tokens': () => BY,
  'stats.audit': ({ id }) => [{ what: id }],
  'stats.errors': () => BY,
  'stats.models': () => BY,
  'stats.files': () => BY,
  'stats.time': () => BY,
  cost: () => [...BY, { by: 'month', budget: 50 }],
  'cost.statusline': () => [{}, { budget: 10 }],
  time: () => [{}, { week: true }],
  'time.start': () => [{ name: 'audit' }],
  'time.stop': () => [{ name: 'audit', metric: { found: 3 }, exit: 1 }],
  'time.tasks': () => [{}],
  'time.sync': () => [{}],
  'time.import': () => [{}],
  claim: () => [{ text: 'it took 3 min', tier: 'REAL', pointer: 'tasks.jsonl#audit' }],
  'claim.list': () => [{}],
  'permissions.log': () => [{}],
  'permissions.audit': () => [{}, { fix: true }],
  'permissions.friction': () => [{}, { limit: 1 }],
  'permissions.neverAsked': () => [{}, { for: 'codex' }],
  'permissions.report': () => [{}],
  'permissions.undo': () => [{ dry_run: true }],
  'hook.install': () => [{ agent: 'claude', dry_run: true }],
  'hook.status': () => [{}],
  'hook.uninstall': () => [{ agent: 'claude', dry_run: true }],
  'source.test': () => [{ module: 'examples/pi.mjs' }],
  'schedule.show': () => [{}],
  'schedule.install': () => [{ with: 'cron', dry_run: true }],
  'schedule.remove': () => [{ dry_run: true }],
  read: ({ id, pointer }) => [
    { id },
    { id, around: pointer.slice(1) },
    { id, tail: 2, payloads: true },
    { id, seqs: [1, 2], payloads: true, clip: 3 },
  ],
  outline: ({ id }) => [{ id }, { id, part: 2 }, { id, part: 2, at: 'end' }],
  settings: () => [{}],
  changes: () => [{}, { since: 3, limit: 1 }],
  resume: ({ id }) => [{ session: id }],
  handoff: ({ id }) => [{ session: id }, { session: id, to: 'codex', budget: 400 }],
  brief: () => [{}],
  archive: ({ id }) => [{ id }],
  connect: () => [{ agent: 'claude', dry_run: true }],
  'connect.remove': () => [{ agent: 'claude', dry_run: true }],
  'connect.status': () => [{}],
  'group.add': () => [{ name: 'tea' }],
  'group.list': () => [{}],
  'group.context': () => [{ name: 'tea' }],
  'session.set': () => [{ group: 'tea', id: '0b1c2d3e-0000-4000-8000-000000000001' }],
  'session.get': () => [{ group: 'tea' }],
  'session.archive': () => [{ group: 'tea', name: 'first pot' }],
  'session.history': () => [{ group: 'tea' }],
  'session.restore': () => [{ group: 'tea', id: 1 }],
  'session.clear': () => [{ group: 'tea', name: 'second pot' }],
  'session.resume': () => [{ group: 'tea', id: 2 }],
  'group.serve': () => [{}],
  'group.remove': () => [{ name: 'tea', yes: true }],
  'export.traces': () => [{ out: path.join(tempDir(), 'out') }],
  'export.md': ({ id }) => [{ id, out: path.join(tempDir(), 'a.md') }],
  'export.html': ({ id }) => [
    { id, out: path.join(tempDir(), 'a.html') },
    { out: path.join(tempDir(), 'site'), anonymize: true },
  ],
  'export.json': ({ id }) => [{ id, out: path.join(tempDir(), 'a.json') }],
  'export.duckdb': () => [{ out: path.join(tempDir(), 'a.duckdb') }],
  'export.parquet': () => [{ out: path.join(tempDir(), 'tables') }],
  sql: () => [{ query: 'SELECT count(*) AS n FROM sessions' }, { query: 'SELECT * FROM messages', limit: 2 }],
  sync: () => [{ dir: tempDir() }],
  'import.traces': ({ traces }) => [{ dir: traces }],
  decide: ({ id }) => [{ id, text: 'we stay on SQLite' }],
  note: () => [{ text: 'done' }],
  pin: ({ id }) => [{ id }],
  unpin: ({ id }) => [{ id }],
  bookmark: ({ id }) => [{ id }, { id, remove: true }],
  tag: ({ id }) => [{ id, tags: 'auth client-x' }],
  untag: ({ id }) => [{ id, tags: 'auth' }],
  title: ({ id }) => [
    { id, title: 'the deploy' },
    { id, remove: true },
  ],
  forget: ({ forgotten }) => [{ id: forgotten }, { id: forgotten, yes: true }],
  'forget.undo': ({ forgotten }) => [{ id: forgotten }],
  backup: ({ backup }) => [{ file: backup, force: true }],
  restore: ({ backup }) => [{ file: backup, force: true }],
}

/** A schema that takes no field it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const all = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in all ? { additionalProperties: false, ...all } : all
}

/** What a face gives: the document and the version of its shape. */
function documentSchema(output: object | undefined): object {
  const { properties, ...rest } = closed(output) as { readonly properties: object }
  return { ...rest, properties: { schema_version: { type: 'integer' }, ...properties } }
}

describe('documents are what their schemas say', async () => {
  const described = await operations()
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
  ajv.addKeyword('x-word')
  const asked = Object.entries(QUESTIONS).map(([name, inputs]) => ({ name, inputs }))
  let recall: RecallLibrary
  let known: Known

  beforeAll(async () => {
    const env = { ...cleanEnv(demoHome()), CRONTAB: 'none' }
    expect(recallCli(env, 'index').code).toBe(0)
    expect(recallCli(env, 'analyze').code).toBe(0)
    recall = await openRecall({ env, threads: 0 })
    const { sessions } = await recall.list({ limit: 0 })
    const [first, second] = sessions.filter((session) => session.tool_count > 3)
    const last = sessions.at(-1)
    if (!first || !second || !last) throw new Error('the demo has too few sessions')
    const { events } = await recall.events({ id: first.session_uid })
    const pointer = events.find((event) => event.payload_ref !== null)?.pointer ?? ''
    const file = (await recall.statsFiles({ limit: 1 })).rows[0]?.path ?? ''
    const traces = tempDir()
    mkdirSync(path.join(traces, 'traces'))
    known = {
      traces,
      backup: path.join(tempDir(), 'backup.tar'),
      id: first.session_uid,
      other: second.session_uid,
      pointer,
      file,
      forgotten: last.session_uid,
    }
    return () => recall.close()
  })

  test('every operation is asked', () => {
    expect(asked.map(({ name }) => name).sort()).toEqual(described.map(({ name }) => name).sort())
  })

  test.each(asked)('$name', async ({ name, inputs }) => {
    const { output, input: schema } = described.find((operation) => operation.name === name) ?? {}
    expect(ajv.validateSchema(schema ?? {})).toBe(true)
    const isValid = ajv.compile(documentSchema(output))
    for (const input of inputs(known)) {
      const method = recall[methodOf(name) as keyof RecallLibrary] as (asked: Input) => Promise<Input>
      const answered = await method(input).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') return null
        throw error
      })
      if (answered === null) continue
      const document = JSON.parse(JSON.stringify(answered))
      expect(document.schema_version).toBe(1)
      isValid(document)
      expect(isValid.errors ?? [], JSON.stringify(input)).toEqual([])
    }
  })

  test('a document with a field too many, or one missing, is refused', async () => {
    const { output } = described.find(({ name }) => name === 'budget') ?? {}
    const isValid = ajv.compile(documentSchema(output))
    const document = JSON.parse(JSON.stringify(await recall.budget()))
    expect(isValid(document)).toBe(true)
    expect(isValid({ ...document, more: 1 })).toBe(false)
    expect(isValid({ ...document, tier1: undefined })).toBe(false)
  })
})
