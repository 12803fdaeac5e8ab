import { describe, expect, test } from 'vitest'
import { costByModel, costOfSums, hasPause, ownPrices, runningBlock } from '../src/insight/cost.ts'
import { PRICE_TABLE } from '../src/insight/prices/table.ts'
import { costOf, priceOf, ratesOf } from '../src/insight/prices/prices.ts'
import { PROMPT_SIZES } from '../src/store/insight.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, productOn, tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

const usage = (input: number, output: number, read = 0, write5m = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write5m,
})

const TODAY = Math.floor(Date.now() / 900_000) * 900_000

function pricedEnv(start = Date.parse('2026-10-01T09:00:00Z')): Record<string, string> {
  const home = tempDir()
  const log = new ClaudeLog(uuid('priced'), {}, start)
    .user('go')
    .say('short', { message: { model: 'claude-sonnet-4-5-20250929', usage: usage(1_000_000 - 900_000, 1000) } })
    .say('long', { message: { model: 'claude-sonnet-4-5-20250929', usage: usage(1, 1000, 200_000) } })
    .say('edge', { message: { model: 'claude-sonnet-4-5-20250929', usage: usage(0, 1000, 200_000) } })
    .say('who', { message: { model: 'nobody-knows-1', usage: usage(10, 10) } })
  write(transcriptPath(home, uuid('priced')), log.text())
  const env = cleanEnv(home)
  expect(recallCli(env, 'index').code).toBe(0)
  return env
}

describe('cost', () => {
  test('prices every response by the length of its own prompt and names what has no price', () => {
    const env = pricedEnv()
    const cost: Json = recallJson(env, 'cost', '--by', 'model')
    const short = (100_000 * 3 + 1000 * 15) / 1e6
    const long = (1 * 6 + 1000 * 22.5 + 200_000 * 0.6) / 1e6
    const edge = (1000 * 15 + 200_000 * 0.3) / 1e6
    expect(cost['total_usd']).toBeCloseTo(short + long + edge, 10)
    expect(cost['unpriced']).toEqual([{ model: 'nobody-knows-1', responses: 1 }])
    expect(cost['rows'].map((row: Json) => row['key'])).toEqual(['claude-sonnet-4-5-20250929', 'nobody-knows-1'])
    expect(recallCli(env, 'cost').err).toContain('no price for nobody-knows-1: 1 response')
    expect(cost['prices_dated']).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  test('agrees to the unit with the tokens, with each response alone and with the digests', async () => {
    const home = demoHome()
    const { recall, store } = productOn(home)
    await recall.sweep()
    await recall.close()
    const env = { ...cleanEnv(home), HELIX_STORE_DB: store }
    const tokens: Json = recallJson(env, 'stats', 'tokens')
    const { key: _, unknown: __, ...sums } = tokens['totals']
    for (const by of ['day', 'project', 'model', 'session', 'source']) {
      const cost: Json = recallJson(env, 'cost', '--by', by)
      expect(cost['totals']).toEqual(sums)
      const added = cost['rows'].reduce((sum: number, row: Json) => sum + row['usd'], 0)
      expect(added).toBeCloseTo(cost['total_usd'], 8)
    }
    let usd = 0
    let output = 0
    for (const { sessions } of [await recall.list({ limit: 0, hidden: true })])
      for (const { uid } of sessions)
        output += (JSON.parse((await recall.digest(uid)) ?? '{}') as Json)['cost']?.['output_tokens'] ?? 0
    expect(output).toBe(sums['output'])
    await recall.close()
    const days: Json = recallJson(env, 'stats', 'tokens', '--by', 'day')
    for (const { key } of days['rows'].filter((row: Json) => row['responses'] > 0)) {
      const audit: Json = recallJson(env, 'stats', 'tokens', '--audit', key)
      for (const row of audit['counted']) {
        const one = {
          input: row['input'],
          output: row['output'],
          cacheRead: row['cache_read'],
          cacheWrite5m: row['cache_write_5m'],
          cacheWrite1h: row['cache_write_1h'],
          reasoning: row['reasoning'],
        }
        const price = row['model'] === null ? null : priceOf(row['model'])
        usd += price === null ? (row['cost_usd'] ?? 0) : costOf(one, ratesOf(price, one))
      }
    }
    expect(usd).toBeGreaterThan(0)
    expect((recallJson(env, 'cost') as Json)['total_usd']).toBeCloseTo(usd, 8)
  })

  test('--since is exact, and a quarter of an hour is not split wrongly', () => {
    const env = pricedEnv()
    const responses = (when: string) => (recallJson(env, 'cost', '--since', when) as Json)['totals']['responses']
    expect(['02', '03', '04', '06'].map((s) => responses(`2026-10-01T09:00:${s}`))).toEqual([4, 3, 2, 0])
  })

  test('--before ends where it says; weeks and months are sums of days; sessions have their titles', () => {
    const env = pricedEnv()
    const responses = (...args: string[]) => (recallJson(env, 'cost', ...args) as Json)['totals']['responses']
    expect(['02', '03', '04', '06'].map((s) => responses('--before', `2026-10-01T09:00:${s}`))).toEqual([0, 1, 2, 4])
    const total = (recallJson(env, 'cost') as Json)['total_usd']
    for (const [by, key] of [
      ['week', '2026-W40'],
      ['month', '2026-10'],
    ] as const) {
      const told = recallJson(env, 'cost', '--by', by) as Json
      expect(told).toMatchObject({ by, rows: [{ key }] })
      expect(told['rows'][0]['usd']).toBeCloseTo(total, 8)
      expect(recallCli(env, 'cost', '--by', by).out).toMatch(new RegExp(`^${by} [^]*\n${key} `))
    }
    const tokens = (by: string): Json => recallJson(env, 'stats', 'tokens', '--by', by) as Json
    for (const [by, key] of [
      ['week', '2026-W40'],
      ['month', '2026-10'],
    ] as const) {
      const { rows, totals } = tokens(by)
      expect(rows.map((row: Json) => row['key'])).toEqual([key])
      expect({ ...rows[0], key: null }).toEqual({ ...totals, key: null })
    }
    expect(recallCli(env, 'stats', 'models', '--by', 'week').code).toBe(2)
    const sessions = recallJson(env, 'cost', '--by', 'session') as Json
    const titles = (recallJson(env, 'list') as Json)['sessions'].map((session: Json) => session['title'])
    expect(sessions['rows'].map((row: Json) => row['title'])).toEqual(titles)
    expect(recallCli(env, 'cost', '--by', 'session').out).toContain(titles[0])
    expect(recallCli(env, 'cost', '--by', 'year')).toMatchObject({ code: 2, err: expect.stringContaining('month') })
  })

  test('a status line has today, the running block and the month; a budget warns and fails nothing', () => {
    const env = pricedEnv(TODAY)
    expect(recallCli(env, 'cost', '--statusline').out).toMatch(
      /^\$\S+ today · \$\S+ this block \(.* left\) · \$\S+ this month · 1 response without a price\n$/,
    )
    expect(recallJson(env, 'cost', '--budget', '0.1')).toMatchObject({ code: 0, budget: { usd: 0.1, over: true } })
    expect(recallCli(env, 'cost', '--budget', '0.1').err).toContain('over budget by')
    expect(recallCli(env, 'cost', '--budget', '1000').err).not.toContain('budget')
    expect(recallCli(env, 'cost', '--budget', 'much').code).toBe(2)
  })
})

describe('a budget', () => {
  const usd = (100_000 * 3 + 1000 * 15 + 1 * 6 + 1000 * 22.5 + 200_000 * 0.6 + 1000 * 15 + 200_000 * 0.3) / 1e6
  const since = ['--since', '2026-01-01']

  test('warns from four fifths on', () => {
    const env = pricedEnv()
    expect(recallCli(env, 'cost', ...since, '--budget', String(usd / 0.801)).err).toContain('of the budget left')
    expect(recallCli(env, 'cost', ...since, '--budget', String(usd / 0.79)).err).not.toContain('of the budget left')
  })

  test('names the local day from which on it counts', () => {
    const env = { ...pricedEnv(), TZ: 'Pacific/Kiritimati' }
    expect(recallCli(env, 'cost', '--budget', '9').out).toMatch(/used since \d{4}-\d\d-01 /)
    const since = (when: string) => recallCli(env, 'cost', '--budget', '9', '--since', when).out
    expect(since('2026-10-01T20:00')).toContain('since 2026-10-01 ')
    expect(since('2026-10-01T20:00Z')).toContain('since 2026-10-02 ')
  })

  test.each(['0', '-5', 'NaN', 'Infinity', '1e999', ''])('cannot be %j', (text) => {
    expect(recallCli(pricedEnv(), 'cost', '--budget', text).code).toBe(2)
  })
})

describe('the parts of cost', () => {
  const none = { output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 }

  test('every step of the price list is a size that sums are kept by', () => {
    const steps = PRICE_TABLE.flatMap((row) => (row[6] === undefined ? [] : [row[6][0]]))
    expect(steps.filter((step) => !PROMPT_SIZES.some((size) => size === step))).toEqual([])
  })

  test('the cost an agent recorded counts only where there is no price', () => {
    const sum = (model: string) => ({
      ...none,
      key: model,
      model,
      size: 0,
      input: 1e6,
      responses: 3,
      recordedUsd: 7,
      recorded: 2,
    })
    const cost = costOfSums([sum('claude-opus-4-6'), sum('mystery')], new Map())
    expect(cost.rows.map((row) => [row.usd, row.recordedUsd, row.unpriced])).toEqual([
      [5, 0, 0],
      [7, 7, 1],
    ])
    expect(cost.unpriced).toEqual([{ model: 'mystery', responses: 1 }])
    const own = ownPrices(new Map([['mystery', { input: 2, output: 4 }]]))
    expect(costOfSums([sum('mystery')], own).total).toMatchObject({ usd: 2, unpriced: 0 })
    expect(() => ownPrices(new Map([['mystery', { input: 2 }]]))).toThrow(/needs input and output/)
    expect(() => ownPrices(new Map([['mystery', { input: 2, output: 1, magic: 1 }]]))).toThrow(/knows no magic/)
  })

  test('a block is five hours from a full hour, and the next begins with the next response', () => {
    const at = (time: string) => Date.parse(`2026-10-01T${time}:00Z`)
    const rows = [
      { at: at('08:45'), usd: 1 },
      { at: at('12:45'), usd: 2 },
      { at: at('13:00'), usd: 4 },
      { at: at('14:30'), usd: 8 },
    ]
    expect(runningBlock(rows, at('15:00'))).toEqual({ from: at('13:00'), to: at('18:00'), usd: 12 })
    expect(runningBlock(rows.slice(0, 2), at('12:50'))).toMatchObject({ from: at('08:00'), usd: 3 })
    expect(runningBlock(rows, at('18:00'))).toBeNull()
    expect(runningBlock([], at('18:00'))).toBeNull()
  })

  test('a pause as long as a block, also at the beginning, sets where blocks begin', () => {
    const hour = (n: number) => ({ at: n * 3_600_000 })
    expect(hasPause([hour(1), hour(5), hour(9)], 0)).toBe(false)
    expect(hasPause([hour(1), hour(6)], 0)).toBe(true)
    expect(hasPause([hour(5)], 0)).toBe(true)
    expect(hasPause([], 0)).toBe(true)
  })

  test('a block of work without a pause begins where the first response says, however long ago', async () => {
    const hour = 3_600_000
    const [start, now] = [Date.parse('2026-10-01T04:00:00Z'), Date.parse('2026-10-05T03:30:00Z')]
    const log = new ClaudeLog(uuid('on'), {}, start).user('go')
    for (let time = start; time < now; time += hour / 2)
      log.say('on', { timestamp: new Date(time).toISOString(), message: { model: 'claude-opus-4-6' } })
    const home = tempDir()
    write(transcriptPath(home, uuid('on')), log.text())
    const { recall } = productOn(home, undefined, {}, () => now)
    await recall.index()
    const blocks = Math.floor((now - start) / (5 * hour))
    expect((await recall.insight.block({}))?.from).toBe(start + blocks * 5 * hour)
    await recall.close()
  })
})

test('rows by model are never mixed up, whatever the names', () => {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 }
  const sum = (key: string | null, model: string | null) => ({
    ...tokens,
    key,
    model,
    size: 0,
    responses: 1,
    recordedUsd: 0,
    recorded: 0,
  })
  const sums = [sum('a', 'b\nc'), sum('a\nb', 'c'), sum('', null), sum(null, ''), sum(null, null), sum('', '')]
  expect(costByModel(sums, new Map(), () => 1).map(({ key, model }) => [key, model])).toEqual(
    sums.map(({ key, model }) => [key, model]),
  )
})
