import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readFileSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../src/library.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'
import { serveWeb, type WebServer } from './kit/web.ts'

let env: Record<string, string> = {}
let web: WebServer
let last = ''

beforeAll(async () => {
  env = cleanEnv(demoHome())
  expect(recallCli(env, 'index').code).toBe(0)
  expect(recallCli(env, 'analyze', '--all').code).toBe(0)
  web = await serveWeb(env)
  last = String(recallJson(env, 'show', 'last', '--tail', '1')['session_uid'])
})

describe('who is let in', () => {
  test('nobody without the token, and each token lets in one browser', async () => {
    expect((await web.get('/api/status')).status).toBe(401)
    expect((await web.get('/?token=guessed')).status).toBe(401)
    const { pathname, search } = new URL(web.url)
    const entered = await web.get(pathname + search)
    expect(entered.status).toBe(303)
    expect(entered.headers['location']).toBe('/')
    expect(String(entered.headers['set-cookie'])).toMatch(/^recall_\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect((await web.get(pathname + search)).status).toBe(401)
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
    expect((await web.get('/api/status', { cookie })).status).toBe(200)
    expect(web.err()).toMatch(/for another one: http:\/\/127\.0\.0\.1:\d+\/\?token=/)
  })

  test('the next address lets in the next browser', async () => {
    const next = /for another one: (\S+)/.exec(web.err())?.[1] ?? ''
    const { pathname, search } = new URL(next)
    const { headers } = await web.get(pathname + search)
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    web = {
      ...web,
      get: (path, more = {}) => serve.get(path, { cookie, ...more }),
      send: (m, p, b, more = {}) => serve.send(m, p, b, { cookie, ...more }),
    }
    expect((await web.get('/api/status')).status).toBe(200)
  })
})

// What the tests below ask with; the cookie is given by the one above.
let serve: WebServer
beforeAll(() => {
  serve = web
})

describe('who asks from where', () => {
  test.each(['evil.test', 'evil.test:80', '127.0.0.1', '127.0.0.1.evil.test'])(
    'another host is turned away: %j',
    async (host) => {
      expect((await web.get('/api/status', { host })).status).toBeGreaterThanOrEqual(400)
      expect((await web.get('/assets/icon.svg', { host })).status).toBeGreaterThanOrEqual(400)
    },
  )

  test('its own names are not', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await web.get('/api/status', { host: `${name}:${web.port}` })).status, name).toBe(200)
  })

  test('pages of other origins read nothing, those on another port of this machine neither', async () => {
    for (const origin of [
      'https://evil.test',
      'null',
      `http://127.0.0.1:${web.port + 1}`,
      `https://127.0.0.1:${web.port}`,
    ])
      expect((await web.get('/api/status', { origin })).status, origin).toBe(403)
    for (const site of ['cross-site', 'same-site'])
      expect((await web.get('/api/status', { 'sec-fetch-site': site })).status, site).toBe(403)
    expect((await web.get('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).status).toBe(200)
  })

  test('what changes something is a POST from the page itself', async () => {
    const body = JSON.stringify({ id: last })
    expect((await web.get('/api/pin')).status).toBe(404)
    expect((await web.send('POST', '/api/pin', body, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await web.send('POST', '/api/pin', body, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await web.send('POST', '/api/status', '{}')).status).toBe(404)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
      expect((await web.send(method, '/api/pin', body)).status, method).toBe(405)
    expect((await web.send('POST', '/api/pin', body)).status).toBe(200)
    expect(recallJson(env, 'show', last, '--tail', '1')['tags']).toContain('keep')
    expect((await web.send('POST', '/api/unpin', body)).status).toBe(200)
  })

  test('nothing that destroys can be asked for', async () => {
    for (const name of [
      'forget',
      'sweep',
      'doctor/repair',
      'secrets',
      'blame',
      'env',
      'connect',
      'hook/install',
      'group/remove',
      'source/test',
    ])
      for (const answer of [await web.get(`/api/${name}`), await web.send('POST', `/api/${name}`, '{"yes":true}')])
        expect(answer.status, name).toBe(404)
  })

  test('every answer keeps a browser from running or framing anything', async () => {
    for (const place of ['/', '/api/status', '/assets/icon.svg', '/api/none', '/assets/none']) {
      const { headers } = await web.get(place)
      expect(headers['content-security-policy'], place).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/)
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    expect((await web.get('/')).text).not.toMatch(
      /<script(?! type="module" src="\/assets\/)|<style|style=|\son\w+=|https?:\/\//,
    )
  })

  test('what is asked of this machine’s files has no place to be asked at', async () => {
    const { paths } = (await web.get('/api/openapi.json')).json<{ paths: Record<string, { get?: OpenApiOperation }> }>()
    const named = Object.values(paths).flatMap(({ get }) => get?.parameters ?? [])
    expect(named.filter(({ name }) => /^(out|dir|directory|root|store|module|file_path)$/.test(name))).toEqual([])
  })

  test('no request names a file', async () => {
    const tries = [
      '/assets/../main.cjs',
      '/assets/%2e%2e%2fmain.cjs',
      '/assets/..%5cmain.cjs',
      '/..%2f..%2fetc/passwd',
      '/assets//etc/passwd',
    ]
    for (const place of tries) expect((await web.get(place)).text, place).not.toMatch(/root:|require\(/)
    // A module says so when somebody loads it.
    const module = path.join(tempDir(), 'loaded.mjs')
    const mark = `${module}.mark`
    writeFileSync(module, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, '')`)
    for (const { name, effect, input } of await operations()) {
      if (effect !== 'reads') continue
      const fields = Object.keys((input as { properties?: object }).properties ?? {})
      for (const value of ['/etc/passwd', '../../../../etc/passwd', 'file:///etc/passwd', '/etc/passwd:1', module])
        for (const field of fields) {
          const answer = await web.get(`/api/${name.replaceAll('.', '/')}?${new URLSearchParams({ [field]: value })}`)
          expect(answer.text, `${name} ${field}`).not.toContain('root:x')
        }
    }
    expect(existsSync(mark)).toBe(false)
  })
})

describe('what is answered', () => {
  const QUESTIONS: readonly (readonly [string, readonly string[]])[] = [
    ['status', ['status']],
    ['stats?since=60d', ['stats', '--since', '60d']],
    ['stats/tools?since=60d&limit=500', ['stats', 'tools', '--since', '60d']],
    ['stats/models?limit=500', ['stats', 'models']],
    ['cost?by=model', ['cost', '--by', 'model']],
    ['cost?by=day', ['cost', '--by', 'day']],
    ['time', ['time']],
    ['budget', ['budget', '--limit', '50']],
    ['rescue?within=7d', ['rescue', '--within', '7d']],
    ['list?limit=7', ['list', '--limit', '7']],
    ['search?query=nginx&limit=5', ['search', 'nginx', '--limit', '5']],
    ['patterns?limit=100', ['patterns', '--limit', '100']],
  ]
  test.each(QUESTIONS)('GET /api/%s is the document that the command prints', async (place, command) => {
    const { code: _, ...document } = recallJson(env, ...command)
    const { json } = await web.get(`/api/${place}`)
    // What is reckoned from the time of asking is another a moment later.
    const steady = (one: Record<string, unknown>) => ({ ...one, full_at: null })
    expect(steady(json())).toEqual(steady(document))
  })

  test('errors are problems with a code and what to do', async () => {
    const { status, headers, json } = await web.get('/api/show?id=claude:none-such-session')
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(json()).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      detail: expect.any(String),
      hint: expect.any(String),
    })
    for (const wrong of [
      'search?limit=x',
      'search?sort=wrong',
      'search?nonsense=1',
      'list?limit=0',
      'list?limit=501',
      'list?offset=-1',
      'read',
    ])
      expect((await web.get(`/api/${wrong}`)).json(), wrong).toMatchObject({ status: 400, code: 'USAGE' })
    for (const body of ['[]', '{', '"x"', 'null'])
      expect((await web.send('POST', '/api/pin', body)).status, body).toBe(400)
    expect((await web.send('POST', '/api/pin', ' '.repeat(1 << 21))).status).toBe(400)
  })

  test('lists come in pages that follow one another', async () => {
    const all = (await web.get('/api/list?limit=20')).json<{ sessions: { session_uid: string }[] }>().sessions
    const pieces: unknown[] = []
    let next: string | undefined = '/api/list?limit=7'
    for (let pages = 0; next !== undefined && pages < 3; pages++) {
      const { json, headers } = await web.get(next)
      pieces.push(...json<{ sessions: unknown[] }>().sessions)
      next = /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1]
    }
    expect(pieces.slice(0, 20)).toEqual(all)
    const days = (await web.get('/api/cost?by=day&limit=500')).json<{ rows: unknown[] }>().rows
    expect((await web.get('/api/cost?by=day&limit=3')).json()['rows']).toEqual(days.slice(-3))
    expect((await web.get('/api/cost?by=day&limit=3&offset=3')).json()['rows']).toEqual(days.slice(-6, -3))
  })

  test('every list comes in pages, and days all at once', async () => {
    const { paths } = (await web.get('/api/openapi.json')).json<{ paths: Record<string, { get?: OpenApiOperation }> }>()
    const paged = Object.entries(paths).filter(([, { get }]) =>
      get?.parameters?.some(({ name }) => name === 'offset' && get.parameters?.every((one) => !one.required)),
    )
    expect(paged.length).toBeGreaterThan(20)
    for (const [place] of paged) {
      const whole = (await web.get(`${place}?limit=500`)).json()
      const first = await web.get(`${place}?limit=1`)
      if (first.status !== 200) continue
      const lists = Object.entries(first.json()).filter(
        (pair): pair is [string, unknown[]] => Array.isArray(pair[1]) && pair[1].length < (whole[pair[0]] as []).length,
      )
      for (const [name, rows] of lists) expect(rows.length, `${place} ${name}`).toBe(1)
      const next = /^<(.+)>; rel="next"$/.exec(String(first.headers['link']))?.[1]
      expect(next === undefined, place).toBe(lists.length === 0)
      if (next === undefined) continue
      const second = (await web.get(next)).json()
      for (const [name, rows] of lists) {
        const all = whole[name] as unknown[]
        const isInOrder = whole['by'] === 'day'
        const two = [...rows, ...(second[name] as unknown[])]
        expect(isInOrder ? two.toReversed() : two, place).toEqual(isInOrder ? all.slice(-2) : all.slice(0, 2))
      }
    }
    const { days } = recallJson(env, 'stats')
    expect((await web.get('/api/stats?limit=1')).json()['days']).toEqual(days)
    const { messages } = recallJson(env, 'show', last)
    expect((await web.get(`/api/show?id=${last}&limit=2`)).json()['messages']).toEqual((messages as []).slice(0, 2))
  })

  test('what is too much is turned away, and the rest is answered', async () => {
    const many = Array.from({ length: 450 }, (_, i) => web.get(`/api/stats?since=${i + 1}d`))
    const answers = await Promise.all(many)
    const busy = answers.filter(({ status }) => status !== 200)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy.length).toBeLessThan(100)
    for (const { json } of busy) expect(json()).toMatchObject({ status: 503, code: 'BUSY' })
    expect((await web.get('/api/status')).status).toBe(200)
  })

  test('what has not changed is not sent again, what is long is compressed', async () => {
    const { headers, status } = await web.get('/api/stats')
    expect(status).toBe(200)
    const again = await web.get('/api/stats', { 'if-none-match': String(headers['etag']) })
    expect([again.status, again.text]).toEqual([304, ''])
    const page = (await web.get('/')).text
    const app = /\/assets\/app-[\w-]+\.js/.exec(page)?.[0] ?? ''
    const { headers: kept } = await web.get(app, { 'accept-encoding': 'gzip' })
    expect(kept['content-encoding']).toBe('gzip')
    expect(kept['cache-control']).toContain('immutable')
    expect((await web.get('/api/status')).headers['content-encoding']).toBeUndefined()
  })

  test('a session is read in pieces: its outline holds no words, its events come by number and cut', async () => {
    const outline = (await web.get(`/api/outline?id=${last}`)).json<{
      total: number
      events: { seq: number[] }
      turns: { usd: number; output: number }[]
    }>()
    expect(outline.events.seq).toHaveLength(outline.total)
    const cost = recallJson(env, 'cost', '--by', 'session', '--limit', '0')['rows'] as {
      key: string
      usd: number
      output: number
    }[]
    const own = cost.find(({ key }) => key === last)
    expect(outline.turns.reduce((sum, turn) => sum + turn.usd, 0)).toBeCloseTo(own?.usd ?? 0, 9)
    expect(outline.turns.reduce((sum, turn) => sum + turn.output, 0)).toBe(own?.output ?? 0)
    const seqs = outline.events.seq.slice(1, 4)
    const { events } = (await web.get(`/api/read?id=${last}&seqs=${seqs.join(',')}&payloads=true&clip=5`)).json<{
      events: { seq: number; payload: string | null; payload_chars?: number }[]
    }>()
    expect(events.map(({ seq }) => seq)).toEqual(seqs)
    for (const { payload } of events) expect(payload?.length ?? 0).toBeLessThanOrEqual(5)
  })

  test('the made-up sessions are a store of their own', async () => {
    const { json } = await web.get('/demo/api/status')
    const { totals, store } = json<{ totals: { sessions: number }; store: { path: string } }>()
    expect(totals.sessions).toBeGreaterThan(30)
    expect(store.path).toMatch(/recall-demo-/)
  })
})

test('the description of the interface is OpenAPI 3.1, and has a path for every operation that reads', async () => {
  const api = (await web.get('/api/openapi.json')).json<{
    openapi: string
    paths: Record<string, Record<string, OpenApiOperation>>
  }>()
  expect(api.openapi).toBe('3.1.0')
  const served = Object.keys(api.paths)
  const local = ['blame', 'brief', 'env', 'secrets', 'cost.statusline', 'source.test']
  for (const { name, effect } of await operations())
    if (effect === 'reads' && !local.includes(name)) expect(served).toContain(`/api/${name.replaceAll('.', '/')}`)
  const ids = new Set<string>()
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
  for (const [place, methods] of Object.entries(api.paths)) {
    for (const [method, it] of Object.entries(methods)) {
      expect(ids.has(it.operationId), place).toBe(false)
      ids.add(it.operationId)
      expect(it.responses['default']).toEqual({ $ref: '#/components/responses/Problem' })
      const names = (it.parameters ?? []).map(({ name }) => name)
      expect(new Set(names).size, place).toBe(names.length)
      for (const { schema } of it.parameters ?? []) expect(ajv.validateSchema(schema), place).toBe(true)
      const schema = it.responses['200']?.content?.['application/json']?.schema ?? {}
      expect(ajv.validateSchema(schema), place).toBe(true)
      if (method !== 'get' || (it.parameters ?? []).some(({ required }) => required)) continue
      const { status, json } = await web.get(place)
      if (status !== 200) continue
      expect(ajv.validate(schema, json()), `${place}: ${ajv.errorsText()}`).toBe(true)
    }
  }
})

interface OpenApiOperation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly required: boolean; readonly schema: object }[]
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: object }> }>>
}

describe('recall serve', () => {
  test('beyond this machine it takes a token of one’s own, and says what it opens', () => {
    const { code, err } = recallCli(env, 'serve', '--host', '0.0.0.0', '--port', '0')
    expect(code).toBe(2)
    expect(err).toContain('can read every session')
    expect(err).toContain('--token-file')
    const short = path.join(tempDir(), 'token')
    writeFileSync(short, 'short')
    expect(recallCli(env, 'serve', '--host', '0.0.0.0', '--token-file', short).code).toBe(2)
    expect(recallCli(env, 'serve', '--host', '0.0.0.0', '--token-file', `${short}.none`).code).toBe(2)
  })

  test('with one it lets in whoever has it, as often as they come', async () => {
    const file = path.join(tempDir(), 'token')
    writeFileSync(file, 'a-token-of-ones-own\n')
    const open = await serveWeb(env, '--host', '0.0.0.0', '--token-file', file)
    expect(open.err()).toContain('can read every session')
    for (let time = 0; time < 2; time++) expect((await open.get('/?token=a-token-of-ones-own')).status).toBe(303)
    expect((await open.get('/api/status', { authorization: 'Bearer a-token-of-ones-own' })).status).toBe(200)
    expect((await open.get('/api/status', { authorization: 'Bearer another' })).status).toBe(401)
    expect(
      (await open.get('/api/status', { host: 'evil.test', authorization: 'Bearer a-token-of-ones-own' })).status,
    ).toBe(403)
    expect(await open.end('SIGTERM')).toBe(0)
  })

  test('a port that is taken is said', () => {
    const { code, err } = recallCli(env, 'serve', '--port', String(web.port))
    expect(code).toBe(2)
    expect(err).toContain('EADDRINUSE')
  })

  test('Ctrl-C ends it at once, also while somebody listens, and nothing is left of the demo', async () => {
    const own = await serveWeb(env)
    await own.enter()
    void own.get('/api/live').catch(() => undefined)
    const { store } = (await own.get('/demo/api/status')).json<{ store: { path: string } }>()
    expect(await own.end()).toBe(130)
    expect(() => readFileSync(store.path)).toThrow(/ENOENT/)
    expect(own.err()).not.toMatch(/Error|at /)
  })

  test('what a browser loads first is at most 200 KB', () => {
    const dir = path.resolve(import.meta.dirname, '../dist/page')
    const page = readFileSync(path.join(dir, 'index.html'), 'utf8')
    const entry = /assets\/(app-[\w-]+\.js)/.exec(page)?.[1] ?? ''
    const first = new Set<string>()
    const load = (name: string) => {
      if (first.has(name)) return
      first.add(name)
      for (const [, next = ''] of readFileSync(path.join(dir, name), 'utf8').matchAll(
        /(?:from|import)\s?["']\.\/([^"']+)["']/g,
      ))
        load(next)
    }
    load(entry)
    const bytes = [...first].reduce((sum, name) => sum + gzipSync(readFileSync(path.join(dir, name))).length, 0)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(200_000)
    expect(readdirSync(dir).length).toBeGreaterThan(first.size)
  })
})
