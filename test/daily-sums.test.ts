import { appendFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { claudePermissions } from '../src/sources/claude/permissions.ts'
import type { Recall } from '../src/recall.ts'
import { zone } from '../src/store/sqlite/daily.ts'
import type { SumKey } from '../src/store/insight.ts'
import type { UsageFilter } from '../src/store/store.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { demoHome, productOn, tempDir, type Bench } from './kit/home.ts'

const KEYS: readonly SumKey[] = ['all', 'day', 'project', 'model', 'source', 'session']

/** Every sum there is, under one filter. */
async function sums({ insight }: Recall, filter: UsageFilter): Promise<unknown> {
  const of = async (by: SumKey) => ({
    tools: await insight.tools(by, filter),
    shell: await insight.shell(by, filter),
    cost: await insight.cost(by, filter),
    files: await insight.files(by, filter),
    models: await insight.models(by, filter),
    time: await insight.time(by, filter),
    silent: [...(await insight.silent(by, filter))].sort(),
  })
  return { overview: await insight.overview(filter), by: await Promise.all(KEYS.map(of)) }
}

/** Runs SQL on the store behind the product's back. */
function change(store: string, sql: string): void {
  const db = new DatabaseSync(store)
  db.exec(sql)
  db.close()
}

/** The sums as they are, and as they are made of sessions, without the sums by day. */
async function bothWays({ recall, store }: Bench, filter: UsageFilter): Promise<readonly [unknown, unknown]> {
  const fromDays = await sums(recall, filter)
  await recall.close()
  change(store, "UPDATE meta SET value = 'Nowhere/Else' WHERE key = 'day_zone'")
  const fromSessions = await sums(recall, filter)
  await recall.close()
  change(store, `UPDATE meta SET value = '${zone()}' WHERE key = 'day_zone'`)
  return [fromDays, fromSessions]
}

function longSession(name: string, start: string, days: number, cwd: string): ClaudeLog {
  const log = new ClaudeLog(uuid(name), { cwd }, Date.parse(start)).user('go')
  for (let day = 0; day < days; day++) {
    const timestamp = new Date(Date.parse(start) + day * 86_400_000 + day * 3_700_000).toISOString()
    const call = (id: string, name: string, input: unknown) =>
      log.assistant({ type: 'tool_use', id, name, input }, { timestamp })
    call(`b${day}`, 'Bash', { command: day % 2 ? 'ls | wc -l' : `git show HEAD~${day}` })
    log.result(`b${day}`, 'fine', { ...(day % 3 ? {} : { is_error: true }), timestamp })
    call(`r${day}`, 'Read', { file_path: `/x/${day % 2}.ts` })
    log.result(`r${day}`, '1', { timestamp })
  }
  return log.say('done')
}

describe('sums by day', () => {
  const since = (text: string) => ({ since: Date.parse(text) })
  const FILTERS: readonly UsageFilter[] = [
    {},
    since('2026-10-03T00:00:00Z'),
    since('2026-10-03T10:07:11Z'),
    { ...since('2026-10-02T10:07:11Z'), sessions: { project: 'two', limit: 0 } },
    { sessions: { project: 'one', limit: 0 } },
    { sessions: { source: 'claude', limit: 0 } },
    { sessions: { source: 'kei', limit: 0 } },
    { ...since('2026-10-02T00:00:00Z'), before: Date.parse('2026-10-04T00:00:00Z') },
    { ...since('2026-10-02T00:00:00Z'), before: Date.parse('2026-10-04T07:00:00Z') },
  ]

  test('are those of the sessions, however a session grows, goes or comes back', async () => {
    const home = tempDir()
    write(transcriptPath(home, uuid('a')), longSession('a', '2026-10-01T09:00:00Z', 5, '/code/one').text())
    write(transcriptPath(home, uuid('b')), longSession('b', '2026-10-03T09:50:00Z', 2, '/code/two').text())
    write(transcriptPath(home, uuid('c')), longSession('c', '2026-10-03T10:00:00Z', 1, '/code/one').text())
    const bench = productOn(home)
    const agree = async () => {
      for (const filter of FILTERS) {
        const [fromDays, fromSessions] = await bothWays(bench, filter)
        expect(fromDays, JSON.stringify(filter)).toEqual(fromSessions)
      }
    }
    await bench.recall.index()
    await agree()
    await bench.recall.sweep()
    await agree()
    const more = longSession('b', '2026-10-06T23:59:00Z', 2, '/code/two').text().split('\n').slice(1).join('\n')
    appendFileSync(transcriptPath(home, uuid('b')), more)
    await bench.recall.index()
    await agree()
    await bench.recall.forget([await bench.recall.find(`claude:${uuid('a')}`)])
    await agree()
    await bench.recall.close()
  })

  test('of the demo agree under every filter, evicted or not', async () => {
    const home = demoHome()
    for (const rawSoftCapBytes of [1e12, 0]) {
      const bench = productOn(home, undefined, { rawSoftCapBytes, rawHardCapBytes: 1e12 })
      await bench.recall.sweep()
      for (const filter of [{}, since('2026-10-20T15:33:00Z')]) {
        const [fromDays, fromSessions] = await bothWays(bench, filter)
        expect(fromDays).toEqual(fromSessions)
      }
      await bench.recall.close()
    }
  })

  test('answer without a look at events, ledger or the rows of sessions', async () => {
    const bench = productOn(demoHome())
    await bench.recall.sweep()
    const of = async () => {
      const { insight } = bench.recall
      const days = await Promise.all(
        (['all', 'day', 'project', 'source', 'model'] as const).map(async (by) => [
          await insight.tools(by, {}),
          await insight.shell(by, {}),
          await insight.cost(by, {}),
          await insight.files(by, {}),
          await insight.time(by, {}),
        ]),
      )
      return [await insight.overview({}), days]
    }
    const before = await of()
    await bench.recall.close()
    change(
      bench.store,
      `DELETE FROM event; DELETE FROM ledger; DELETE FROM spent; DELETE FROM called; DELETE FROM ran; DELETE FROM touched;
       DELETE FROM digests; UPDATE session SET prompt_count = 0, tool_count = 0; DELETE FROM lane;`,
    )
    expect(await of()).toEqual(before)
    await bench.recall.close()
  })
})

describe('suggestions', () => {
  async function suggested({ recall }: Bench, filter: UsageFilter = {}) {
    const { suggestions, skipped } = await recall.insight.suggest(filter, claudePermissions)
    return [suggestions.map((one) => ({ ...one, samples: null })), skipped]
  }

  test('from what was judged when it was read are those from the texts, and need no text', async () => {
    const bench = productOn(demoHome())
    await bench.recall.sweep()
    const kept = await suggested(bench)
    const some = await suggested(bench, { sessions: { source: 'codex', limit: 0 } })
    expect((kept[0] ?? []).length).toBeGreaterThan(0)
    await bench.recall.close()
    change(bench.store, "UPDATE meta SET key = 'put_aside' WHERE key = 'form_revision'")
    expect(await suggested(bench)).toEqual(kept)
    expect(await suggested(bench, { sessions: { source: 'codex', limit: 0 } })).toEqual(some)
    await bench.recall.close()
    change(bench.store, "UPDATE meta SET key = 'form_revision' WHERE key = 'put_aside'; UPDATE event SET text = NULL")
    expect((await suggested(bench))[0]).toEqual(kept[0])
    await bench.recall.close()
  })

  test('are judged anew when the table has changed, and never offer what it no longer does', async () => {
    const home = tempDir()
    const log = new ClaudeLog(uuid('s')).user('go')
    for (const [i, command] of ['cksum a', 'cksum b', 'rm x', 'rm y'].entries())
      log.call(`c${i}`, 'Bash', { command }).result(`c${i}`, 'fine')
    write(transcriptPath(home, uuid('s')), log.say('done').text())
    const bench = productOn(home)
    await bench.recall.index()
    const right = await suggested(bench)
    expect(right[0]).toMatchObject([{ pattern: 'cksum *', count: 2 }])
    await bench.recall.close()
    change(
      bench.store,
      "UPDATE form SET offer = 'wide', reason = '' WHERE pattern = 'rm *'; UPDATE meta SET value = 'older' WHERE key = 'form_revision'",
    )
    const [offered = []] = await suggested(bench)
    expect(offered.map((one) => 'pattern' in one && one.pattern)).toEqual(['cksum *'])
    await bench.recall.close()
    await bench.recall.index()
    expect(await suggested(bench)).toEqual(right)
    await bench.recall.close()
  })

  test('forget the command lines of a session whose raw text has gone', async () => {
    const home = tempDir()
    const log = new ClaudeLog(uuid('g')).user('go')
    for (const i of [1, 2]) log.call(`c${i}`, 'Bash', { command: 'git show zanzibar' }).result(`c${i}`, 'fine')
    write(transcriptPath(home, uuid('g')), log.say('done').text())
    const bench = productOn(home, undefined, { rawSoftCapBytes: 0, rawHardCapBytes: 1e12 })
    const forms = () => {
      const db = new DatabaseSync(bench.store, { readOnly: true })
      const rows = db.prepare("SELECT count(*) AS n FROM form WHERE pattern LIKE '%zanzibar%'").get() as { n: number }
      db.close()
      return rows.n
    }
    await bench.recall.index()
    expect(forms()).toBe(1)
    await bench.recall.sweep()
    expect(forms()).toBe(0)
    expect((await suggested(bench))[0]).toEqual([])
    await bench.recall.close()
  })
})
