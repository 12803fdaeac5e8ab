import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Totals } from '../src/store/store.ts'
import { dump, query } from './kit/dump.ts'
import { corpus, corpusHome, noCorpus, productOn, tempDir } from './kit/home.ts'

if (!noCorpus) process.env['RECALL_CORPUS_PRESENT'] = '1'

describe('recorded logs', () => {
  let store = ''
  let claude: Totals | undefined
  let files = 0

  beforeAll(async () => {
    if (noCorpus) return
    const bench = productOn(corpusHome)
    store = bench.store
    await bench.recall.index()
    const status = await bench.recall.status()
    const entry = status.sources.find((source) => source.source === 'claude')
    claude = entry?.totals
    files = entry?.files ?? 0
  })

  test('Claude Code: sessions, calls, prompts and tokens agree with an independent count', ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    expect(files).toBe(82)
    expect(claude).toMatchObject({ sessions: 82, toolCalls: 3258, prompts: 314 })
    const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = claude!.tokens
    expect({ input, output, cacheRead, cacheWrite: cacheWrite5m + cacheWrite1h }).toEqual({
      input: 4_054_444,
      output: 384_100,
      cacheRead: 284_968_801,
      cacheWrite: 16_018_070,
    })
  })

  test('the views count what the sessions say', ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    expect(
      query(
        store,
        "SELECT count(*) AS n FROM tool_calls WHERE session_id IN (SELECT id FROM sessions WHERE source = 'claude_code')",
      ),
    ).toEqual([{ n: 3258 }])
    const off = query(
      store,
      `SELECT s.id FROM sessions s WHERE s.message_count <>
         (SELECT count(*) FROM messages m WHERE m.session_id = s.id AND m.thread IS NULL AND m.role IN ('user', 'assistant'))`,
    )
    expect(off).toEqual([])
  })

  test('a live file at successive moments gives the rows of its last moment', async ({ skip }) => {
    skip(noCorpus !== false, String(noCorpus))
    const dir = path.join(corpus, 'growth', 'claude')
    for (const session of readdirSync(dir)) {
      const moments = readdirSync(path.join(dir, session)).sort()
      const home = tempDir()
      const target = path.join(home, '.claude', 'projects', '-work', `${session}.jsonl`)
      mkdirSync(path.dirname(target), { recursive: true })
      const grown = productOn(home)
      for (const moment of moments) {
        copyFileSync(path.join(dir, session, moment), target)
        await grown.recall.index()
      }
      const whole = productOn(home)
      await whole.recall.index()
      expect((await grown.recall.list({ limit: 0 })).total).toBe(1)
      expect(dump(grown.store)).toEqual(dump(whole.store))
    }
  })
})
