import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecall, type RecallLibrary } from '../../src/library.ts'
import { cleanEnv, recallCli, recallJson } from '../kit/cli.ts'
import { tempDir } from '../kit/home.ts'
import { writeDemoHome } from '../../src/demo/demo.ts'
import { serveWeb, type WebServer } from '../kit/web.ts'
import {
  expectFigures,
  fits,
  noBrowser,
  open,
  seriousFaults,
  settled,
  startBrowser,
  unfoldAll,
  type Watched,
} from './kit.ts'
import {
  forks,
  hostileSession,
  liveLog,
  liveSession,
  longSession,
  writeForks,
  writeHostileSession,
  writeLive,
  writeLongSession,
} from './stores.ts'

const home = tempDir()
let env: Record<string, string> = {}
let web: WebServer
let browser: Browser
let context: BrowserContext
let library: RecallLibrary
let session = ''

beforeAll(async () => {
  if (noBrowser) return
  // The page's figures are reckoned from now.
  writeDemoHome(home, Date.now())
  writeHostileSession(home)
  expect(writeLongSession(home).bytes).toBeGreaterThan(40_000_000)
  writeLive(home, liveLog())
  writeForks(home)
  env = { ...cleanEnv(home), TZ: 'UTC' }
  expect(recallCli(env, 'index').code).toBe(0)
  expect(recallCli(env, 'analyze', '--all').code).toBe(0)
  recallCli(env, 'tag', hostileSession, '<svg/onload=window.ran=1>')
  web = await serveWeb(env)
  browser = await startBrowser()
  context = await browser.newContext({
    timezoneId: 'UTC',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(60_000)
  const first = await context.newPage()
  await first.goto(web.url)
  await first.close()
  library = await openRecall({ env, threads: 0 })
  const { hits } = await library.search({ query: 'nginx does not start after a config change', limit: 1 })
  session = hits[0]?.session.session_uid ?? ''
}, 180_000)

afterAll(async () => {
  await library?.close()
  await browser?.close()
})

const forksAddress = `/compare?${forks.map(({ session: id }, i) => `${'ab'[i]}=claude:${id}`).join('&')}`

const PAGES: readonly (readonly [string, () => string])[] = [
  ['home', () => '/'],
  ['search', () => '/search?q=nginx'],
  ['an empty search', () => '/search'],
  ['nothing found', () => '/search?q=xyzzyplugh'],
  ['sessions', () => '/sessions?outcome=success'],
  ['a session', () => `/session/${session}`],
  ['tools', () => '/insights/tools?range=all'],
  ['commands', () => '/insights/commands'],
  ['permissions', () => '/insights/permissions'],
  ['cost', () => '/insights/cost?range=90d'],
  ['time', () => '/insights/time'],
  ['patterns', () => '/insights/patterns?range=all'],
  ['retro', () => '/insights/retro?since=30d'],
  ['compare', () => `/compare?a=${session}&b=claude:${longSession}`],
  ['compare, two forks', () => forksAddress],
  ['groups', () => '/groups'],
  ['sources', () => '/sources'],
  ['settings', () => '/settings'],
  ['no such page', () => '/nowhere'],
]

const visit = (path: string, size?: { width: number; height: number }): Promise<Watched> =>
  open(context, `${web.origin}${path}`, size)

describe.skipIf(noBrowser)('the page', { timeout: 180_000 }, () => {
  test.each(PAGES)(
    '%s: every figure is that of its operation, to the unit; nothing complains, nothing overflows, anybody can use it, light and dark, on a phone',
    async (name, path) => {
      const { page, faults } = await visit(path())
      await settled(page)
      const many = await expectFigures(page, library)
      if (['home', 'cost', 'time', 'tools', 'sources'].includes(name)) expect(many).toBeGreaterThan(10)
      expect(await seriousFaults(page)).toEqual([])
      await fits(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await seriousFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await settled(page)
      await fits(page)
      expect(faults).toEqual([])
      await page.close()
    },
  )

  test('from words to a session to the command that goes on with it', async () => {
    const { page, faults } = await visit('/search')
    await page.getByRole('searchbox').fill('nginx does not start')
    const hit = page.locator('.hit > a').first()
    await hit.waitFor()
    expect(await page.locator('.hit mark').count()).toBeGreaterThan(0)
    await page.waitForURL(/q=nginx/)
    await page.reload()
    await hit.waitFor()
    await hit.click()
    await page.locator('.event.here').waitFor()
    expect(page.url()).toMatch(/\/session\/.+#\d+$/)
    const uid = decodeURIComponent(new URL(page.url()).pathname.split('/')[2] ?? '')
    const { id } = recallJson(env, 'show', uid, '--tail', '1')
    const command = page.locator('.side .command').first()
    expect(await command.innerText()).toContain(`recall resume ${id}`)
    await command.getByRole('button').click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`recall resume ${id}`)
    expect(faults).toEqual([])
    await page.close()
  })

  test('what is indexed appears by itself, and a session that is being written is followed', async () => {
    const { page, faults } = await visit(`/session/claude:${liveSession}`)
    await page.getByText('The first part is done.').first().waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    const log = liveLog()
    for (let part = 2; part < 5; part++) {
      log.user(`Now part ${part}`).say(`Part ${part} is done, too.`)
      writeLive(home, log)
      expect(recallCli(env, 'index').code).toBe(0)
      await page.getByText(`Part ${part} is done, too.`).first().waitFor()
    }
    expect(faults).toEqual([])
    await page.close()
  })

  test('everything can be done by keyboard', async () => {
    const { page, faults } = await visit('/')
    await settled(page)
    await page.keyboard.press('/')
    await page.waitForURL(/\/search/)
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.type('nginx config')
    await page.locator('.hit > a').first().waitFor()
    await page.waitForURL(/q=nginx/)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.closest('.hit') !== null)).toBe(true)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/session\//)
    await page.locator('.event').first().waitFor()
    await page.keyboard.press('g')
    const at = () => page.locator('.event.here').getAttribute('aria-label')
    const before = await at()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await at()).not.toBe(before)
    await page.keyboard.press('t')
    await page.waitForURL(/view=talk/)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Settings')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings/)
    await page.keyboard.press('h')
    await page.waitForURL((url) => url.pathname === '/')
    expect(faults).toEqual([])
    await page.close()
  })

  test('a session is tagged, named and pinned, as the command would do it', async () => {
    const { page, faults } = await visit(`/session/${session}`)
    await settled(page)
    await page.getByLabel('add tags').fill('edge')
    await page.keyboard.press('Enter')
    await page.locator('.own .tag', { hasText: 'edge' }).waitFor()
    await page.getByLabel('a title of your own').fill('The typo in api.conf')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The typo in api.conf' }).waitFor()
    await page.getByRole('button', { name: /^Pin:/ }).click()
    await page.getByRole('button', { name: /^Pinned/ }).waitFor()
    const { tags, title } = recallJson(env, 'show', session, '--tail', '1')
    expect([tags, title]).toEqual([expect.arrayContaining(['edge', 'keep']), 'The typo in api.conf'])
    await page.getByLabel('add tags').fill(`${'x'.repeat(90)}`)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await page.close()
  })

  test('a long session can be read before its outline has come, from the start, from an event, and from its end', async () => {
    const places = ['', '#9000', '?follow=1']
    for (const [i, words] of ['Prompt number 0:', 'step-449-8', 'Prompt number 999:'].entries()) {
      const page = await context.newPage()
      const asked: URL[] = []
      let answer: () => void = () => undefined
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/api/**', async (route) => {
        const url = new URL(route.request().url())
        asked.push(url)
        if (url.pathname.endsWith('/outline') && !url.searchParams.has('part')) await held
        await route.continue()
      })
      await page.goto(`${web.origin}/session/claude:${longSession}${places[i]}`)
      await page.locator('.reader-text').getByText(words).first().waitFor()
      const of = (name: string) => asked.filter(({ pathname }) => pathname.endsWith(`/${name}`))
      const outlines = of('outline').map(({ searchParams }) => searchParams.get('part'))
      expect(outlines.slice(0, 1)).toEqual(['200'])
      expect(outlines.length).toBeLessThanOrEqual(2)
      const read = of('read').flatMap(({ searchParams }) => (searchParams.get('seqs') ?? '').split(','))
      expect(read.length).toBeLessThan(60)
      answer()
      await page.locator('.prompts').getByText('1,000 prompts').waitFor()
      await page.locator('.reader-text').getByText(words).first().waitFor()
      expect(await page.locator('.reader *').count()).toBeLessThan(1500)
      await page.close()
    }
  })

  test('of a long session only what is in view is fetched and shown', async () => {
    const { page, faults, answers } = await visit(`/session/claude:${longSession}`)
    const began = Date.now()
    await page.getByText('Prompt number 0:').last().waitFor()
    const shown = Date.now() - began
    await settled(page)
    const read = () => answers.filter(({ url }) => url.includes('/read?'))
    const bytes = () => answers.reduce((sum, answer) => sum + answer.bytes, 0)
    const nodes = () => page.locator('.reader-text *').count()
    expect(read().length).toBeLessThanOrEqual(4)
    expect(bytes()).toBeLessThan(1_500_000)
    expect(await nodes()).toBeLessThan(1500)
    for (const place of [0.25, 0.5, 0.75, 1]) {
      await page.locator('.reader-text').evaluate((text, share) => text.scrollTo(0, text.scrollHeight * share), place)
      await page.waitForFunction(() => document.querySelectorAll('.event').length > 3)
      await settled(page)
      expect(await nodes()).toBeLessThan(1500)
    }
    await page.keyboard.press('G')
    await page.getByText('Prompt number 999').last().waitFor()
    await page.getByLabel('find a prompt').fill('number 500:')
    await page.locator('.prompts').getByText('Prompt number 500:').click()
    await page.getByText('A very long answer.').waitFor()
    const more = page.getByRole('button', {
      name: /Show more: [\d,]+ characters of 1,4\d\d,\d\d\d characters left out/,
    })
    await more.waitFor()
    expect((await page.locator('.rich', { hasText: 'A very long answer.' }).innerText()).length).toBeLessThanOrEqual(
      8_000,
    )
    await more.click()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.rich')].some((one) => (one.textContent ?? '').length > 8_000),
    )
    await page.keyboard.press('n')
    await page.locator('.event.here.error').waitFor()
    expect(bytes()).toBeLessThan(3_000_000)
    expect(faults).toEqual([])
    console.log(`the long session: first words ${shown} ms after it was loaded, ${bytes()} bytes in all`)
    await page.close()
  })

  test('what is unfolded, and that the end is followed, is in the address', async () => {
    const { page, faults } = await visit(`/session/${session}`)
    await settled(page)
    const calls = page.locator('.call')
    const states = () => calls.evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open))
    const folded = (await states()).indexOf(false)
    const open = (await states()).indexOf(true)
    for (const i of [folded, open]) await calls.nth(i).locator('summary').click()
    await page.waitForURL((url) => url.searchParams.getAll('turned').length === 2)
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.waitForURL(/follow=1/)
    await page.getByRole('button', { name: 'Follow' }).click()
    const before = await states()
    expect([before[folded], before[open]]).toEqual([true, false])
    await page.reload()
    await settled(page)
    expect(await states()).toEqual(before)
    expect(faults).toEqual([])
    await page.close()
  })

  test('what was said in a session is copied as Markdown, all of it', async () => {
    const { page, faults } = await visit(`/session/claude:${longSession}`)
    await page.getByRole('button', { name: 'Copy talk as Markdown' }).click()
    await page.locator('.copy[data-done]').waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text.match(/^\*\*User\*\*: Prompt number \d+:/gm)).toHaveLength(1000)
    expect(text.match(/^\*\*Agent\*\*: /gm)).toHaveLength(1000)
    expect(text.length).toBeGreaterThan(1_400_000)
    expect(faults).toEqual([])
    await page.close()
  })

  test('two forks are compared from where they part', async () => {
    const { page, faults } = await visit(forksAddress)
    await settled(page)
    const text = await page.locator('#app main .grid').innerText()
    expect(text).toContain('They begin with the same 2 events')
    expect(text).toContain('What was asked since they parted')
    for (const { words } of forks) expect(text).toContain(words)
    expect(await page.locator('.card', { hasText: 'What was asked' }).innerText()).not.toContain('plan the bridge')
    expect(faults).toEqual([])
    await page.close()
  })

  test('nothing that is stored runs, wherever it is shown', async () => {
    const places = [
      `/session/claude:${hostileSession}`,
      `/session/claude:${hostileSession}?view=talk`,
      '/search?q=window.ran',
      '/search?q=nginx+deploy+fail',
      `/search?q=${encodeURIComponent('<img src=x onerror=window.ran=1>')}`,
      '/sessions',
      '/',
      '/insights/tools?range=all',
      '/insights/commands?range=all',
      '/insights/cost?range=all',
      '/insights/patterns?range=all',
      '/insights/retro?since=90d',
      `/compare?a=claude:${hostileSession}&b=${session}`,
    ]
    for (const place of places) {
      const { page, faults } = await visit(place)
      await settled(page)
      if (place.startsWith('/session/')) await unfoldAll(page)
      const found = await page.evaluate(() => ({
        ran: 'ran' in window,
        strange: document.querySelectorAll(
          '#app script, #app iframe, #app object, #app embed, #app base, #app style, #app form[action], #app img:not([src="/assets/icon.svg"]), a[href^="javascript:" i]',
        ).length,
        handlers: [...document.querySelectorAll('#app *')].flatMap((one) =>
          one.getAttributeNames().filter((name) => name.startsWith('on')),
        ),
      }))
      expect(found, place).toEqual({ ran: false, strange: 0, handlers: [] })
      expect(faults, place).toEqual([])
      await page.close()
    }
  })

  test('who has nothing yet is offered to read what there is, or made-up sessions', async () => {
    const empty = cleanEnv(tempDir())
    writeDemoHome(empty['HOME'] ?? '', Date.now())
    const server = await serveWeb(empty)
    const visitor = await browser.newContext()
    const { page } = await open(visitor, server.url)
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Show the demo' }).click()
    await page.locator('.session-row').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/demo/')
    await page.goto(`${server.origin}/`)
    await page.getByRole('button', { name: 'Read them now' }).click()
    await page.locator('.session-row').first().waitFor()
    expect(recallJson(empty, 'list', '--all', '--limit', '0')['total']).toBeGreaterThan(30)
    await server.end()
    await page.getByText('live').waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').first().innerText()).toContain('recall serve')
    await visitor.close()
  })

  test('a browser that was not let in is told what to do', async () => {
    const stranger = await browser.newContext()
    const page = await stranger.newPage()
    await page.goto(`${web.origin}/search?q=nginx`)
    expect(await page.innerText('main')).toContain('recall serve')
    expect(await seriousFaults(page)).toEqual([])
    await stranger.close()
  })
})
