import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { UserError } from '../model/errors.ts'
import { serversOf, type Served } from './server.ts'

const HOST = '127.0.0.1'
const PLACE = '/mcp'

/**
 * Speaks over HTTP on this machine alone, to who knows the token: a page in a browser could reach it, too, so names of
 * hosts and origins are checked before anything else.
 */
export function overHttp(
  served: Served,
  port: number,
  onListening: (place: { readonly url: string; readonly token: string }) => void,
): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  const handler = createMcpHandler(serversOf(served), { onerror: () => undefined })
  const answer = async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    refused(request, token) ??
    handler.fetch(request)
  const server = createServer((incoming, outgoing) => {
    answerNode(incoming, outgoing, answer).catch((error: unknown) => {
      served.onBug(error)
      if (!outgoing.headersSent) outgoing.writeHead(500)
      outgoing.end()
    })
  })
  return new Promise((ended, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint = 'give another port, or 0 for any that is free'
      failed(new UserError('USAGE', `cannot listen on ${HOST}:${port} (${error.code})`, hint, error))
    })
    server.once('close', ended)
    server.listen(port, HOST, () => {
      const { port: given } = server.address() as AddressInfo
      onListening({ url: `http://${HOST}:${given}${PLACE}`, token })
    })
  })
}

function refused(request: Request, token: string): Response | null {
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!isSame(given, token)) return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  return new URL(request.url).pathname === PLACE ? null : new Response(null, { status: 404 })
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

async function answerNode(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const response = await answer(webRequest(incoming, gone.signal))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) return void outgoing.end()
  const body = Readable.fromWeb(response.body as never)
  // Who has asked may leave before the end.
  body.once('error', () => outgoing.destroy())
  outgoing.once('close', () => body.destroy())
  body.pipe(outgoing)
}

function webRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const named = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? { body: Readable.toWeb(incoming) as unknown as ReadableStream, duplex: 'half' as const } : {}
  return new Request(new URL(url, `http://${HOST}`), { method, headers: named, signal, ...body } as RequestInit)
}
