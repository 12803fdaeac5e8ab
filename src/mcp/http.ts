import { randomBytes } from 'node:crypto'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { bearer, isForUs, isFromUs, isSame, LOOPBACK } from '../http/door.ts'
import { listen } from '../http/listen.ts'
import { serversOf, type Served } from './server.ts'

const HOST = '127.0.0.1'
const PLACE = '/mcp'

/**
 * Speaks over HTTP on this machine alone, to who knows the token: a page in a browser could reach it, too, so names of
 * hosts and origins are checked before anything else.
 */
export async function overHttp(
  served: Served,
  port: number,
  onListening: (place: { readonly url: string; readonly token: string }) => void,
): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  const handler = createMcpHandler(serversOf(served), { onerror: () => undefined })
  const answer = async (request: Request): Promise<Response> => {
    try {
      return refused(request, token) ?? (await handler.fetch(request))
    } catch (error) {
      served.onBug(error)
      return new Response(null, { status: 500 })
    }
  }
  const server = await listen({ host: HOST, port }, answer)
  onListening({ url: `http://${HOST}:${server.port}${PLACE}`, token })
  await server.ended
}

function refused(request: Request, token: string): Response | null {
  if (!isForUs(request, LOOPBACK) || !isFromUs(request, LOOPBACK)) return new Response(null, { status: 403 })
  if (!isSame(bearer(request), token))
    return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  return new URL(request.url).pathname === PLACE ? null : new Response(null, { status: 404 })
}
