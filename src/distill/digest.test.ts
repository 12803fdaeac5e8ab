import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DigestEvent, DigestInput } from '../model/digest.ts'
import type { SessionRecord } from '../model/session.ts'
import { play } from '../../test/outcomes/script.ts'
import { buildDigest } from './digest.ts'

const SCHEMA = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../docs/digest.schema.json'), 'utf8'),
) as Schema

const session: SessionRecord = {
  rowId: 1,
  uid: 'claude:17092961',
  shortId: '0123456789abcdef',
  flavor: 'claude',
  longSource: 'claude_code',
  nativeId: '17092961',
  title: 'Fix the parser',
  sourcePath: '/home/ann/.claude/projects/x/17092961.jsonl',
  cwd: '/home/ann/shop/api',
  repoIdentity: null,
  gitRepo: '/home/ann/shop',
  branches: [],
  automated: false,
  isSubagent: false,
  gitBranch: 'feature/SHOP-12-parser',
  model: 'some-model',
  startedAt: Date.UTC(2026, 0, 5, 9, 0, 0),
  endedAt: Date.UTC(2026, 0, 5, 9, 10, 0),
  messageCount: 2,
  promptCount: 1,
  toolCount: 3,
  eventCount: 9,
  retryCount: 0,
  threadCount: 0,
  tokens: { input: 100, output: 50, cacheRead: 7, cacheWrite5m: 2, cacheWrite1h: 1, reasoning: 5 },
  parentUid: null,
  isComplete: true,
  fileMtime: null,
  fileSize: null,
  sourceBytes: 1000,
  outcome: 'unknown',
  taskRef: null,
  domain: 'shops',
  discoveredAt: 5,
  ingestedAt: 5,
  analyzedAt: null,
  evictedAt: null,
  partEvictedAt: null,
  evictReason: null,
  tags: [],
}

const SCRIPT = `
  you: the parser drops zones, please fix it
  read src/dates.ts
  edit /home/ann/shop/api/src/dates.ts
  edit src/dates.ts
  run npm test => failed
  edit src/dates.ts
  run npm test => passed
  call mcp__tracker__get => error connect ECONNREFUSED 127.0.0.1:8080
  call mcp__tracker__get => error connect ECONNREFUSED 127.0.0.1:9090
  run git commit -am x => commit 1a2b3c4
  compacted
  says: Fixed and committed.`

function input(
  events: readonly DigestEvent[] = play(SCRIPT, 'claude'),
  more: Partial<SessionRecord> = {},
): DigestInput {
  return {
    session: { ...session, ...more },
    events,
    redactions: { jwt: 1, aws: 2 },
    sources: [
      { path: '/b.jsonl', bytes: 2, hash: 'bb' },
      { path: '/a.jsonl', bytes: 1, hash: 'aa' },
    ],
  }
}

describe('a digest', () => {
  const digest = buildDigest(input())

  test('says what the session was, cost and came to', () => {
    expect(digest).toMatchObject({
      session_uid: 'claude:17092961',
      repo: 'shop',
      domain: 'shops',
      started_at: '2026-01-05T09:00:00.000Z',
      outcome: 'success',
      cost: { input_tokens: 100, output_tokens: 50, cache_tokens: 10, wall_clock_s: 600, turns: 1, retries: 0 },
      tool_histogram: { Bash: 3, Edit: 3, mcp__tracker__get: 2, Read: 1 },
      markers: { errors: 3, retries: 0, interventions: 0, test_runs: 2, edits: 3, decisions: 0, compactions: 1 },
      first_prompt: 'the parser drops zones, please fix it',
      last_assistant: 'Fixed and committed.',
      task_ref: 'SHOP-12',
      exchanges: 1,
      commits: ['1a2b3c4'],
      redactions: { aws: 2, jwt: 1 },
      infra_overhead_share: 0.222,
    })
  })

  test('counts every event once', () => {
    expect(Object.values(digest.kind_counts).reduce((sum, count) => sum + count, 0)).toBe(digest.event_count)
  })

  test('tells errors apart by what they say and not by their numbers', () => {
    expect(digest.error_snippets.map(({ count, tool }) => [count, tool])).toEqual([
      [2, 'mcp__tracker__get'],
      [1, 'Bash'],
    ])
  })

  test('names a file once, however it was named', () => {
    expect(digest.files).toEqual([{ path: 'api/src/dates.ts', edits: 3, reads: 1 }])
  })

  test('counts no edit that was not allowed', () => {
    const denied = buildDigest(input(play('you: change it\nedit a.css => denied\nedit a.css\nread a.css', 'claude')))
    expect(denied.markers.edits).toBe(1)
    expect(denied.files.map(({ edits, reads }) => [edits, reads])).toEqual([[1, 1]])
    expect(denied.kind_counts.edit).toBe(2)
  })

  test('is the same bytes again, whatever order its sources come in', () => {
    const { sources, ...rest } = input()
    const again = buildDigest({ ...rest, sources: sources.toReversed(), redactions: { aws: 2, jwt: 1 } })
    expect(JSON.stringify(again)).toBe(JSON.stringify(digest))
  })

  test('begins with the oldest fields, in their order', () => {
    expect(Object.keys(digest).slice(0, 17)).toEqual(SCHEMA.required)
  })

  test('knows nothing of the time of analysis', () => {
    const later = buildDigest(input(undefined, { analyzedAt: 99, ingestedAt: 98, tags: ['keep'], outcome: 'fail' }))
    expect(later).toEqual(digest)
  })

  test('leaves out what was taken back', () => {
    const events = play(SCRIPT, 'claude').map((event) =>
      event.kind === 'edit' ? { ...event, superseded: true } : event,
    )
    const without = buildDigest(input(events))
    expect(without.markers.edits).toBe(0)
    expect(without.event_count).toBe(digest.event_count - 3)
    expect(without.files).toEqual([{ path: 'api/src/dates.ts', edits: 0, reads: 1 }])
  })

  test('of a session without words has nulls, not guesses', () => {
    const empty = buildDigest(
      input([], { tokens: null, startedAt: null, endedAt: null, gitRepo: null, cwd: null, gitBranch: null }),
    )
    expect(empty).toMatchObject({
      repo: null,
      first_prompt: null,
      last_assistant: null,
      task_ref: null,
      outcome: 'unknown',
    })
    expect(empty.cost.input_tokens).toBe(null)
    expect(empty.infra_overhead_share).toBe(null)
    expect(problems(empty, SCHEMA, 'digest')).toEqual([])
  })

  test('cuts snippets between characters', () => {
    const long = `you: ${'🙂'.repeat(300)}\nsays: ok`
    const prompt = buildDigest(input(play(long, 'codex'))).first_prompt ?? ''
    expect(prompt.length).toBeLessThanOrEqual(400)
    expect(Buffer.from(prompt, 'utf8').toString('utf8')).toBe(prompt)
  })
})

describe('the schema', () => {
  test('holds for a digest and names all its fields', () => {
    const digest = buildDigest(input())
    expect(problems(digest, SCHEMA, 'digest')).toEqual([])
    expect(Object.keys(SCHEMA.properties ?? {})).toEqual(Object.keys(digest))
  })

  test('does not hold for what is no digest', () => {
    const { outcome: _, ...rest } = buildDigest(input())
    expect(problems(rest, SCHEMA, 'digest')).toEqual(['digest has no outcome'])
    expect(problems({ ...rest, outcome: 'fine' }, SCHEMA, 'digest')).toEqual(['digest.outcome is none of its values'])
    expect(problems({ ...rest, outcome: 'fail', first_prompt: 'a\nb' }, SCHEMA, 'digest')).toHaveLength(1)
    expect(problems({ ...rest, outcome: 'fail', event_count: -1 }, SCHEMA, 'digest')).toHaveLength(1)
  })
})

interface Schema {
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** Checks the keywords that the schema uses. */
function problems(value: unknown, schema: Schema, at: string): string[] {
  const referred = schema.$ref === undefined ? undefined : SCHEMA.$defs?.[schema.$ref.replace('#/$defs/', '')]
  const found = referred === undefined ? [] : problems(value, referred, at)
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value, schema.type)))
    found.push(`${at} is of another type`)
  if (schema.enum !== undefined && !schema.enum.includes(value)) found.push(`${at} is none of its values`)
  if (typeof value === 'string') {
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      found.push(`${at} is of another form`)
    if (value.length > (schema.maxLength ?? Infinity)) found.push(`${at} is too long`)
  }
  if (typeof value === 'number' && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))) {
    found.push(`${at} is out of range`)
  }
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Infinity)) found.push(`${at} has too many`)
    for (const [i, item] of value.entries()) found.push(...problems(item, schema.items ?? {}, `${at}[${i}]`))
  } else if (typeof value === 'object' && value !== null) {
    found.push(...(schema.required ?? []).filter((key) => !(key in value)).map((key) => `${at} has no ${key}`))
    for (const [key, inner] of Object.entries(value)) {
      const rule = schema.properties?.[key] ?? schema.additionalProperties ?? true
      if (rule === false) found.push(`${at} has ${key}`)
      else if (rule !== true) found.push(...problems(inner, rule, `${at}.${key}`))
    }
  }
  return found
}

function typeOf(value: unknown, wanted: string | readonly string[]): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) && [wanted].flat().includes('integer') ? 'integer' : typeof value
}
