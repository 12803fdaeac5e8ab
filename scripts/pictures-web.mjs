// docs/pictures/web-*.png anew from the demo, in Chromium.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

const VIEWS = [
  ['home', '/demo/', 'light'],
  ['session', '/demo/search?q=nginx+does+not+start', 'light'],
  ['cost', '/demo/insights/cost', 'dark'],
]

ensureInstalled()
await ensureBuilt()
const home = mkdtempSync(path.join(tmpdir(), 'recall-pictures-'))
const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: path.join(home, 'data'), TZ: 'UTC' }
const bin = path.join(root, 'bin/recall.js')
spawnSync(process.execPath, [bin, 'index'], { env })
const server = spawn(process.execPath, [bin, 'serve', '--port', '0'], { env })
const url = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).trim())))
const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium'
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
})
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'UTC' })
const page = await context.newPage()
await page.goto(url)
for (const [name, place, colorScheme] of VIEWS) {
  await page.emulateMedia({ colorScheme })
  await page.goto(new URL(place, url).href)
  await page.locator('h1').first().waitFor()
  if (name === 'session') {
    await page.locator('.hit > a').first().click()
    await page.locator('.event.here').waitFor()
  }
  await page.waitForFunction(() => document.querySelector('.waiting, .skeleton, .soon') === null)
  await page.waitForTimeout(800)
  await page.screenshot({ path: path.join(root, `docs/pictures/web-${name}.png`) })
}
await browser.close()
server.kill('SIGINT')
await new Promise((resolve) => server.once('exit', resolve))
rmSync(home, { recursive: true, force: true })
