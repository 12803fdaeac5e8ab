import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { sh, without } from './kit/programs.ts'

const PAYLOAD = `<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) ![p](https://t.example/p.png)
\`\`\`html
<script>alert(2)</script>
\`\`\`
</pre></details></body><svg onload=alert(3)>`

function hostileSession() {
  const home = tempDir()
  const env = cleanEnv(home)
  const log = new ClaudeLog(uuid('x')).user(`hello ${PAYLOAD}`).think(PAYLOAD).say(PAYLOAD)
  log.call('t1', 'Edit', { file_path: '/a/<b>.ts', old_string: `const a = 1\n${PAYLOAD}`, new_string: 'const a = 2' })
  log
    .result('t1', PAYLOAD, { is_error: true })
    .call('t2', 'Bash', { command: `echo "${PAYLOAD}"` })
    .result('t2', PAYLOAD)
  write(transcriptPath(home, uuid('x')), log.text())
  expect(recallCli(env, 'index').code).toBe(0)
  return env
}

/** Tags that anything of anybody's could have become. */
function unknownTags(html: string): string[] {
  const ours =
    /^<(?:!doctype html|\/?(?:html|head|body|title|h[1-6]|dl|dt|dd|p|b|em|strong|pre|code|ul|ol|li|table|thead|tbody|tr|th|td|details|summary|header|article|span|div|br|blockquote|a|meta|style|script|input|output)(?: [a-z-]+(?:="[^"]*")?)*)>$/
  return [...html.matchAll(/<\/?[^>]*>/g)].map(([tag]) => tag).filter((tag) => !ours.test(tag) || / on\w+=/.test(tag))
}

test('a page of a session shows what was said and does nothing', () => {
  const env = hostileSession()
  const file = path.join(tempDir(), 'session.html')
  expect(recallJson(env, 'export', 'html', 'last', '--out', file)).toMatchObject({ code: 0, sessions: 1 })
  const html = readFileSync(file, 'utf8')
  expect(unknownTags(html)).toEqual([])
  expect(html).toContain("default-src 'none'")
  expect(html).not.toMatch(/<script|<img|<svg|href="javascript/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('<span class="del">- const a = 1</span>')
  expect(html).toContain('<span class="ins">+ const a = 2</span>')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(recallCli(env, 'export', 'html', 'last', '--out', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--force'),
  })
  expect(recallCli(env, 'export', 'html', 'last', '--out', file, '--force').code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(html)
})

test('Markdown of a session holds no HTML outside of code, and no link that runs', () => {
  const env = hostileSession()
  const file = path.join(tempDir(), 'session.md')
  expect(recallCli(env, 'export', 'md', 'last', '--out', file).code).toBe(0)
  const text = readFileSync(file, 'utf8')
  const outside = text.replace(/^((?:> )?`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '').replace(/`[^`\n]*`/g, '')
  expect(outside).not.toMatch(/(?<!\\)<[a-z/!]/i)
  expect(outside).not.toMatch(/(?<!\\)\]\(\s*javascript:/)
  expect(outside).toContain('&lt;script>alert(1)')
})

test('JSON of a session is one document with all that happened', () => {
  const env = hostileSession()
  const file = path.join(tempDir(), 'session.json')
  expect(recallCli(env, 'export', 'json', 'last', '--out', file).code).toBe(0)
  const { session, events } = JSON.parse(readFileSync(file, 'utf8')) as {
    session: { session_uid: string }
    events: { kind: string; output: string | null }[]
  }
  expect(session.session_uid).toBe(`claude:${uuid('x')}`)
  expect(events.map(({ kind }) => kind)).toEqual([
    'user_msg',
    'thinking',
    'assistant_msg',
    'edit',
    'error',
    'tool_call',
    'tool_result',
  ])
  expect(events.at(-1)?.output).toBe(PAYLOAD)
})

test('a site has an index whose script is its own, and a page for each session', () => {
  const env = cleanEnv(demoHome())
  recallCli(env, 'index')
  const site = path.join(tempDir(), 'site')
  const { sessions } = recallJson(env, 'export', 'html', '--out', site) as unknown as { sessions: number }
  const pages = readdirSync(site)
  expect(pages).toHaveLength(sessions + 1)
  const index = readFileSync(path.join(site, 'index.html'), 'utf8')
  const links = [...index.matchAll(/<td><a href="([^"]+)"/g)].map(([, href = '']) => decodeURI(href))
  expect(new Set(links).size).toBe(sessions)
  for (const link of links) expect(existsSync(path.join(site, link))).toBe(true)
  const texts = JSON.parse(/id="texts">(.*?)<\/script>/s.exec(index)?.[1] ?? '') as string[]
  expect(texts).toHaveLength(sessions)
  expect(texts.some((text) => text.includes('nginx'))).toBe(true)
  for (const page of pages)
    expect(
      unknownTags(readFileSync(path.join(site, page), 'utf8').replace(/<script[\s\S]*?<\/script>/g, '')),
      page,
    ).toEqual([])
  expect(recallCli(env, 'export', 'html', '--out', site).code).toBe(0)
})

test('--anonymize gives other names to people, homes, hosts and mailboxes, the same everywhere', () => {
  const home = tempDir()
  const env = cleanEnv(home)
  const first = new ClaudeLog(uuid('a')).user('ask badgerina about it, at build7.corp')
  first
    .call('t', 'Bash', { command: 'ssh deploy@build7.corp && curl https://intra.setts.io/x 10.4.3.2' })
    .result('t', 'Author: Badgerina Stripes <badgerina@setts.io>')
  write(transcriptPath(home, uuid('a')), first.text())
  const second = new ClaudeLog(uuid('b')).user(
    'see /home/badgerina/code/x and /home/badgerina/y, mail badgerina@setts.io, Badgerina Stripes',
  )
  write(transcriptPath(home, uuid('b')), second.say('in /home/badgerina/code, https://github.com/x').text())
  recallCli(env, 'index')
  const out = path.join(tempDir(), 'out')
  for (const format of ['md', 'html', 'json']) {
    const dir = `${out}-${format}`
    expect(recallCli(env, 'export', format, '--out', dir, '--anonymize').code).toBe(0)
    const all = readdirSync(dir)
      .map((name) => `${name}\n${readFileSync(path.join(dir, name), 'utf8')}`)
      .join('\n')
    for (const name of ['badgerina', 'Stripes', 'setts.io', 'build7', '10.4.3.2'])
      expect(all.toLowerCase(), name).not.toContain(name.toLowerCase())
    expect(all).toContain('github.com')
    expect(new Set(all.match(/\/home\/(user\d+)/g)).size).toBe(2)
    expect(all).not.toContain('/home/sam')
  }
})

test('in a browser, from a file, the index finds sessions, and nothing of the payloads ran', async ({ skip }) => {
  const browser = without('chromium')
  if (browser) skip(browser)
  const env = hostileSession()
  const site = path.join(tempDir(), 'site')
  expect(recallCli(env, 'export', 'html', '--out', site).code).toBe(0)
  const flags = '--headless --no-sandbox --disable-gpu --virtual-time-budget=2000 --dump-dom'
  const profile = `--user-data-dir=${tempDir()}`
  const index = sh(`chromium ${flags} ${profile} 'file://${site}/index.html' 2>/dev/null`)
  expect(index).toContain('<output>1 of 1</output>')
  const page = sh(`chromium ${flags} ${profile} 'file://${site}/${uuid('x')}.html' 2>/dev/null`)
  expect(page).not.toMatch(/<script|<img|<svg/)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
}, 60_000)
