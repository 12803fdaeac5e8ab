import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseUnit, type LoadedSource, type ParsedBatch } from '../src/ingest/parse.ts'
import { createRedactor } from '../src/ingest/redact.ts'
import { sources } from '../src/sources/index.ts'
import { tracedLog, jsonl, FLAT_LINES, tracePath } from './kit/kei-trace.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { aProgrammedSession } from './kit/codex-sessions.ts'
import { aSession, rolloutPath } from './kit/codex-log.ts'
import { GrokEvents, GrokLog, sessionDir } from './kit/grok-log.ts'
import { tempDir } from './kit/home.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20261118)
/** `npm run soak` tries more. */
const TRIES = process.env['RECALL_TEST_SOAK'] ? 3000 : 200

/** Values of every kind of oddness; JSON has no way to say more. */
const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, true, false, '', 0, -1, 1.5, 2 ** 53, 1e308, -1e308, [], {}, [null], [[]]),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('constructor', '__proto__', 'toString', '\ud800', '\u0000', '2026-13-45T99:99:99Z'),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

type Change = readonly [where: number, what: 'replace' | 'remove' | 'nest' | 'repeat' | 'rename', value: unknown]

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(fc.nat(100_000), fc.constantFrom('replace', 'replace', 'remove', 'nest', 'repeat', 'rename'), odd),
  { minLength: 1, maxLength: 8 },
)

/** The records with some of their values changed: each place in them is as likely as any other. */
function mutated(records: readonly object[], wanted: readonly Change[]): unknown[] {
  const copy = structuredClone(records) as unknown[]
  for (const [where, what, value] of wanted) {
    const places: [holder: Record<string, unknown>, name: string][] = []
    const collect = (holder: unknown) => {
      if (typeof holder !== 'object' || holder === null) return
      for (const name of Object.keys(holder)) {
        places.push([holder as Record<string, unknown>, name])
        collect((holder as Record<string, unknown>)[name])
      }
    }
    collect(copy)
    const [holder, name] = places[where % places.length] ?? [{}, '']
    if (what === 'replace') holder[name] = structuredClone(value)
    else if (what === 'remove') delete holder[name]
    else if (what === 'nest') holder[name] = { [name]: [holder[name]] }
    else if (what === 'repeat') holder[name] = Array.from({ length: 3 }, () => holder[name])
    else if (!Array.isArray(holder))
      Object.defineProperty(holder, String(value), {
        value: holder[name],
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return copy.filter((record) => record !== undefined)
}

const claude = new ClaudeLog(uuid('fuzzed'))
claude.user('why does it fail').think('hm').say('looking', { costUSD: 0.5 })
claude.call('t1', 'Bash', { command: 'cd /x && npm test' })
claude.result('t1', 'Exit code 1', { is_error: true, toolUseResult: { exitCode: 1, stdout: 'x' } })
claude
  .record({ type: 'system', subtype: 'turn_duration', durationMs: 5 })
  .record({ type: 'system', subtype: 'compact_boundary' })
claude.record({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'and that' } })
claude.bare({ type: 'queue-operation', operation: 'enqueue', content: 'more', timestamp: '2026-10-01T09:00:00Z' })
claude
  .bare({ type: 'cost-state', modelUsage: { m: { inputTokens: 5 } }, startTime: 5 })
  .bare({ type: 'summary', summary: 's', leafUuid: 'x' })

const grok = new GrokLog('019f0000-0000-7000-8000-000000000001').prompt('why').think('hm').say('so')
const grokEvents = new GrokEvents(grok).turn().permission('allow', 5)
grok
  .call('g1', 'run_terminal_command', { command: 'ls' })
  .progress('g1', 'a')
  .result('g1', 'a b', 1, 'failed')
  .done()
  .rewind(0)
grokEvents.completed('g1').end()

const history = [
  {
    display: 'a [Pasted text #1]',
    pastedContents: { 1: { content: 'x' } },
    timestamp: 1,
    project: '/x',
    sessionId: 'a',
  },
]

interface Subject {
  readonly source: string
  readonly name: string
  readonly root: string
  readonly records: readonly object[]
  /** Where the file lies in a home. */
  readonly file: (home: string) => string
}

const grokDir = (home: string) => sessionDir(path.join(home, '.grok'), grok.session)

const SUBJECTS: readonly Subject[] = [
  {
    source: 'claude',
    name: 'transcript',
    root: '.claude',
    records: claude.records,
    file: (home) => transcriptPath(home, uuid('fuzzed')),
  },
  {
    source: 'claude',
    name: 'history',
    root: '.claude',
    records: history,
    file: (home) => path.join(home, '.claude', 'history.jsonl'),
  },
  {
    source: 'codex',
    name: 'rollout',
    root: '.codex',
    records: aSession().records,
    file: (home) => rolloutPath(home, aSession().session),
  },
  {
    source: 'codex',
    name: 'programs',
    root: '.codex',
    records: aProgrammedSession().records,
    file: (home) => rolloutPath(home, aProgrammedSession().session),
  },
  {
    source: 'grok',
    name: 'updates',
    root: '.grok',
    records: grok.lines,
    file: (home) => path.join(grokDir(home), 'updates.jsonl'),
  },
  {
    source: 'grok',
    name: 'events',
    root: '.grok',
    records: grokEvents.lines,
    file: (home) => path.join(grokDir(home), 'events.jsonl'),
  },
  {
    source: 'kei',
    name: 'flat lines',
    root: '.claude/memory/traces',
    records: FLAT_LINES,
    file: (home) => tracePath(home, 'flat'),
  },
  {
    source: 'kei',
    name: 'copy',
    root: '.claude/memory/traces',
    records: tracedLog().records,
    file: (home) => tracePath(home, 'copy'),
  },
]

const loaded: Promise<LoadedSource[]> = Promise.all(
  sources.map(async (source) => ({ source, reader: await source.reader() })),
)
const redactor = createRedactor({ rules: new Map(), allow: [] })

function isCountable(value: number | null): boolean {
  return value === null || (value >= 0 && value <= Number.MAX_SAFE_INTEGER)
}

describe.each(SUBJECTS)('$source $name', ({ source, root, records, file }) => {
  test('nothing that a record can hold makes its reader throw, or passes on a number nobody can count', async () => {
    const readers = { sources: await loaded, redactor, found: [], key: new Uint8Array(32) }
    const home = tempDir()
    const stamp = { size: 0, mtimeMs: 0, stamp: '' }
    const read = (content: string): ParsedBatch[] => {
      const unit = write(file(home), content)
      const job = { source, path: unit, root: path.join(home, root), stamp, what: 'transcript', from: null } as const
      return [...parseUnit(readers, job)]
    }
    expect(read(jsonl(records)).some(({ lanes }) => lanes.length > 0)).toBe(true)
    const property = fc.property(changes, (wanted) => {
      const content = mutated(records, wanted)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join('')
      for (const batch of read(content)) {
        const events = batch.lanes.flatMap((lane) => lane.events)
        expect(events.every(({ at }) => isCountable(at))).toBe(true)
        expect(
          batch.usage.every((usage) =>
            Object.values(usage).every((value) => typeof value !== 'number' || isCountable(value)),
          ),
        ).toBe(true)
        expect(() => structuredClone(batch)).not.toThrow()
      }
    })
    fc.assert(property, { seed: SEED, numRuns: TRIES })
  })
})
