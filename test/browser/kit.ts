import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RecallLibrary } from '../../src/library.ts'
import { methodOf } from '../../src/operations/api-reference.ts'
import { OPERATIONS, type OperationName } from '../../src/operations/index.ts'
import { fieldsOf, inputFrom } from '../../src/web/query.ts'
import { browserProgram } from './find.ts'

export { noBrowser } from './find.ts'

const ARGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserProgram ?? '', args: ARGS.split(' ') })
}

/** A page that fails its test with whatever goes wrong in it. */
export interface Watched {
  readonly page: Page
  /** What it complained about, what it asked others, and what it opened. */
  readonly faults: string[]
  /** Every answer it got, with its size as it came. */
  readonly answers: { readonly url: string; readonly bytes: number }[]
}

export async function open(
  context: BrowserContext,
  url: string,
  size = { width: 1280, height: 900 },
): Promise<Watched> {
  const page = await context.newPage()
  await page.setViewportSize(size)
  const faults: string[] = []
  const answers: { url: string; bytes: number }[] = []
  const { origin } = new URL(url)
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`)
  })
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/live')) return
    void request
      .sizes()
      .then(({ responseBodySize: bytes }) => answers.push({ url: request.url(), bytes }))
      .catch(() => undefined)
  })
  await page.goto(url)
  return { page, faults, answers }
}

/** Until nothing on the page waits any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.waiting, .skeleton') === null)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What keeps somebody from using the page, by the rules of WCAG. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { violations } = await (
      window as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
      }
    ).axe.run()
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0]?.html ?? '' }))
  })
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, html }) => `${id}: ${html}`)
}

export async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), page.url()).toBeLessThanOrEqual(
    0,
  )
}

/** Opens all that is folded, a screen at a time. */
export async function unfoldAll(page: Page): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLElement>(
        '.event details:not([open]) > summary, .subagent[aria-expanded="false"]',
      ))
        fold.click()
    })
    await settled(page)
    await page.locator('.reader-text').evaluate((text) => text.scrollBy(0, 700))
  }
}

/** The figures that a page shows are those of the documents that it says they are from; how many there are. */
export async function expectFigures(page: Page, library: RecallLibrary): Promise<number> {
  const figures = await page.locator('data[data-of]').evaluateAll((all) =>
    all.map((one) => ({
      value: one.getAttribute('value'),
      of: one.getAttribute('data-of') ?? '',
      at: one.getAttribute('data-at') ?? '',
    })),
  )
  const documents = new Map<string, Promise<unknown>>()
  for (const { value, of, at } of figures) {
    if (!documents.has(of)) documents.set(of, documentAt(library, of))
    // Of a later page, that many rows further.
    const offset = Number(new URLSearchParams(of.split('?')[1]).get('offset') ?? 0)
    let expected = await documents.get(of)
    for (const part of at.split('.'))
      expected = (expected as Record<string, unknown>)[/^\d+$/.test(part) ? String(Number(part) + offset) : part]
    if (at !== 'full_at') expect(value, `${of} ${at}`).toBe(String(expected))
  }
  return figures.length
}

/** What an address of the page asks, asked in this process, with all rows up to where its page ends. */
export async function documentAt(library: RecallLibrary, address: string): Promise<unknown> {
  const [place = '', query = ''] = address.split('?')
  const name = place.replaceAll('/', '.') as OperationName
  const operation = await OPERATIONS[name]()
  const fields = fieldsOf(operation.input)
  const asked = new URLSearchParams(query)
  const end = Number(asked.get('offset') ?? 0) + Number(asked.get('limit') ?? 0)
  asked.delete('offset')
  asked.delete('limit')
  if (end > 0 && fields['limit'] !== undefined) asked.set('limit', String(end))
  return library[methodOf(name) as 'status'](inputFrom(fields, asked) as never)
}
