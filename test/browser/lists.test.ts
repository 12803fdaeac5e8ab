import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDemoHome } from '../../src/demo/demo.ts'
import { openRecall, type RecallLibrary } from '../../src/library.ts'
import { cleanEnv, recallCli, recallJson } from '../kit/cli.ts'
import { tempDir } from '../kit/home.ts'
import { serveWeb, type WebServer } from '../kit/web.ts'
import { documentAt, expectFigures, noBrowser, open, settled, startBrowser } from './kit.ts'
import { DAYS, writeManyDays } from './stores.ts'

const home = tempDir()
let env: Record<string, string> = {}
let web: WebServer
let browser: Browser
let context: BrowserContext
let library: RecallLibrary
let session = ''

beforeAll(async () => {
  if (noBrowser) return
  writeDemoHome(home, Date.now())
  writeManyDays(home)
  env = { ...cleanEnv(home), TZ: 'UTC' }
  expect(recallCli(env, 'index').code).toBe(0)
  expect(recallCli(env, 'analyze', '--all').code).toBe(0)
  web = await serveWeb(env)
  browser = await startBrowser()
  context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' })
  context.setDefaultTimeout(30_000)
  const first = await context.newPage()
  await first.goto(web.url)
  await first.close()
  library = await openRecall({ env, threads: 0 })
  const { hits } = await library.search({ query: 'nginx does not start after a config change', limit: 1 })
  session = hits[0]?.session.session_uid ?? ''
}, 120_000)

afterAll(async () => {
  await library?.close()
  await browser?.close()
})

const visit = (path: string) => open(context, `${web.origin}${path}`)

describe.skipIf(noBrowser)('lists and charts', () => {
  test('every day of a year is in the heatmap and in the charts, as its operation tells it', async () => {
    const { page, faults } = await visit('/?range=365d')
    await settled(page)
    const of = async (address: string) =>
      (await documentAt(library, address)) as { days: { day: string; sessions: number; usd: number }[] }
    const { days } = await of('stats?since=371d')
    expect(days.length).toBeGreaterThanOrEqual(DAYS)
    const cells = await page.locator('a.cell').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    const told = days.map(({ day, sessions }) => `${day}: ${sessions} session${sessions === 1 ? '' : 's'}`)
    expect(cells.toSorted()).toEqual(told.toSorted())
    const charted = page.locator('figure[aria-label="cost by day"] tbody th')
    expect(await charted.allInnerTexts()).toEqual((await of('stats?since=365d')).days.map(({ day }) => day))
    await page.locator('.heatmap').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const chosen = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sessions\?since=/)
    expect(chosen).toContain(new URL(page.url()).searchParams.get('since') ?? 'none')
    await page.goto(`${web.origin}/insights/cost?range=365d`)
    await settled(page)
    const { rows } = (await documentAt(library, 'cost?since=365d&by=day')) as { rows: { key: string; usd: number }[] }
    expect(await charted.allInnerTexts()).toEqual(rows.map(({ key }) => key))
    expect(faults).toEqual([])
    await page.close()
  })

  test('a list goes on as somebody scrolls, to its end, and every figure stays right', async () => {
    const { page, faults } = await visit('/sessions')
    await settled(page)
    const rows = page.locator('.session-row > a')
    const { total } = (await documentAt(library, 'list?limit=1')) as { total: number }
    expect(total).toBeGreaterThan(DAYS)
    expect(await rows.count()).toBeLessThan(total)
    await page.locator('main').focus()
    while ((await rows.count()) < total) {
      const before = await rows.count()
      await page.keyboard.press('End')
      await page.waitForFunction((n) => document.querySelectorAll('.session-row').length > n, before)
    }
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(new Set(await rows.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))).size).toBe(total)
    await page.goto(`${web.origin}/search?q=${encodeURIComponent('what was asked days ago')}`)
    await settled(page)
    const hits = page.locator('.hit')
    const first = await hits.count()
    await page.locator('.hit').last().scrollIntoViewIfNeeded()
    await page.waitForFunction((n) => document.querySelectorAll('.hit').length > n, first)
    await page.goto(`${web.origin}/insights/cost?range=all`)
    await settled(page)
    const table = page.getByRole('region', { name: 'sessions by cost' }).locator('tbody tr')
    while ((await table.count()) < 40) {
      const before = await table.count()
      await table.last().scrollIntoViewIfNeeded()
      await page.waitForFunction(
        (n) => document.querySelectorAll('[aria-label="sessions by cost"] tbody tr').length > n,
        before,
      )
    }
    await expectFigures(page, library)
    expect(faults).toEqual([])
    await page.close()
  })

  test('nothing moves for who wants it still', async () => {
    const page = await context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/stats**', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(web.origin)
    await page.locator('.waiting').first().waitFor()
    const moving = () =>
      page.evaluate(
        () =>
          document.getAnimations().length +
          [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s').length,
      )
    expect(await moving()).toBe(0)
    answer()
    await settled(page)
    expect(await moving()).toBe(0)
    await page.close()
  })

  test('a session is handed over to the agent that was chosen, and the address says which', async () => {
    const { page, faults } = await visit(`/session/${session}`)
    await settled(page)
    const choice = page.getByLabel('which agent goes on')
    const agents = await choice.locator('option').allInnerTexts()
    expect(agents).toEqual(expect.arrayContaining(['codex', 'grok']))
    await choice.selectOption('grok')
    await page.waitForURL(/to=grok/)
    await page.reload()
    const { id } = recallJson(env, 'show', session, '--tail', '1')
    const command = page.locator('.side .command', { hasText: 'handoff' })
    await command.getByText('--to grok').waitFor()
    expect((await command.locator('code').innerText()).trim()).toBe(`recall handoff ${id} --to grok`)
    expect(recallCli(env, 'handoff', String(id), '--to', 'grok').code).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  })
})
