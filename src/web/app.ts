import { constants } from 'node:zlib'
import { Hono } from 'hono'
import { UserError } from '../model/errors.ts'
import { Withdrawn } from '../operations/threads.ts'
import { SAFE_HEADERS, turnedAway, type Door } from './door.ts'

import { Busy, type Memory } from './memory.ts'
import { openApi } from './openapi.ts'
import { problem, problemOf } from './problem.ts'
import { inputFrom } from './query.ts'
import type { Route } from './routes.ts'
import { jsonBody, send, sendProblem, type Body } from './send.ts'

/** More than any input is. */
const MOST_INPUT_BYTES = 1 << 20

export interface App {
  readonly door: Door
  readonly routes: readonly Route[]
  readonly assets: ReadonlyMap<string, Body>
  readonly version: string
  /** The store itself. */
  readonly memory: Memory
  /** Made-up sessions, made when somebody first looks at them. */
  readonly demo: () => Promise<Memory>
  /** Somebody came in with a token: from now on another one lets in. */
  readonly onEntered: () => void
  readonly onBug: (error: unknown) => void
}

/** Everything that is answered over HTTP, by a function from requests to responses. */
export function appOf(app: App): (request: Request) => Promise<Response> {
  const { door, assets } = app
  const hono = new Hono()

  hono.use(async (context, next) => {
    const refused = turnedAway(context.req.raw, door)
    if (refused !== null) return sendProblem(context.req.raw, refused)
    return next()
  })
  hono.get('/assets/:name', ({ req }) => asset(req.raw, assets.get(req.param('name'))))
  hono.use(async (context, next) => {
    const { raw } = context.req
    const given = raw.method === 'GET' ? new URL(raw.url).searchParams.get('token') : null
    if (given !== null && door.tokens.takes(given)) return entered(app, raw)
    if (door.tokens.knows(raw, door.cookie())) return next()
    return stranger(app, raw)
  })
  serveMemory(hono, '', app, async () => app.memory)
  serveMemory(hono, '/demo', app, app.demo)
  hono.get('/api/openapi.json', ({ req }) => send(req.raw, jsonBody(openApi(app.routes, app.version))))
  hono.all('/api/*', ({ req }) => sendProblem(req.raw, nothingThere(req.path)))
  hono.all('/demo/api/*', ({ req }) => sendProblem(req.raw, nothingThere(req.path)))
  hono.get('*', ({ req }) => asset(req.raw, assets.get('index.html'), 'no-cache'))
  hono.notFound(({ req }) => sendProblem(req.raw, nothingThere(req.path)))
  hono.onError((error, { req }) => {
    // Nobody reads it.
    if (error instanceof Withdrawn) return new Response(null, { status: 499 })
    if (error instanceof Busy) return sendProblem(req.raw, TOO_MUCH)
    if (!(error instanceof UserError)) app.onBug(error)
    return sendProblem(req.raw, problemOf(error))
  })
  return async (request) => {
    const response = await hono.fetch(request)
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.headers.set(name, value)
    return response
  }
}

function serveMemory(hono: Hono, base: string, app: App, memoryOf: () => Promise<Memory>): void {
  for (const route of app.routes) {
    const place = `${base}/api/${route.path}`
    if (route.method === 'GET')
      hono.get(place, async ({ req }) => {
        const url = new URL(req.raw.url)
        const input = inputFrom(route.fields, url.searchParams)
        const { body, hasMore } = await (await memoryOf()).ask(route, input, req.raw.signal)
        return send(req.raw, body, hasMore ? { headers: { link: nextLink(url) } } : {})
      })
    else
      hono.post(place, async ({ req }) => {
        const input = await inputOf(req.raw)
        const { body } = await (await memoryOf()).ask(route, input)
        return send(req.raw, body, { headers: { 'cache-control': 'no-store' } })
      })
  }
  hono.get(`${base}/api/live`, async () => (await memoryOf()).changes.response())
}

async function inputOf(request: Request): Promise<Record<string, unknown>> {
  const length = Number(request.headers.get('content-length') ?? MOST_INPUT_BYTES + 1)
  if (!(length <= MOST_INPUT_BYTES))
    throw new UserError('USAGE', 'this is too much', 'an input is at most 1 MiB of JSON')
  const text = await request.text()
  try {
    const input: unknown = JSON.parse(text === '' ? '{}' : text)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new UserError('USAGE', 'an input is a JSON object', 'send {"name": value}')
}

/** RFC 8288: where the list goes on. */
function nextLink(url: URL): string {
  const next = new URL(url)
  const offset = Number(url.searchParams.get('offset') ?? 0)
  next.searchParams.set('offset', String(offset + Number(url.searchParams.get('limit') ?? 50)))
  return `<${next.pathname}${next.search}>; rel="next"`
}

const FOR_GOOD = 'public, max-age=31536000, immutable'

function asset(request: Request, body: Body | undefined, cache = FOR_GOOD): Promise<Response> {
  if (body === undefined) return sendProblem(request, nothingThere(new URL(request.url).pathname))
  return send(request, body, { headers: { 'cache-control': cache }, level: constants.Z_BEST_COMPRESSION })
}

function entered({ door, onEntered }: App, request: Request): Response {
  const url = new URL(request.url)
  url.searchParams.delete('token')
  onEntered()
  const cookie = `${door.cookie()}=${door.tokens.secret}; Path=/; HttpOnly; SameSite=Strict`
  return new Response(null, {
    status: 303,
    headers: { location: `${url.pathname}${url.search}`, 'set-cookie': cookie, 'cache-control': 'no-store' },
  })
}

async function stranger({ assets }: App, request: Request): Promise<Response> {
  const hint = 'open the address that `recall serve` printed last; each lets in one browser'
  const page = assets.get('stranger.html')
  if (request.headers.get('accept')?.includes('text/html') && page !== undefined)
    return send(request, page, { status: 401, headers: { 'cache-control': 'no-store' } })
  return sendProblem(request, problem(401, 'TOKEN', 'nobody has let you in', hint))
}

const TOO_MUCH = problem(503, 'BUSY', 'too much is asked at once', 'ask again in a moment')

function nothingThere(path: string) {
  return problem(404, 'NOT_FOUND', `there is nothing at ${path}`, 'GET /api/openapi.json lists what there is')
}
