import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { UserError } from '../model/errors.ts'

export interface Listening {
  readonly port: number
  /** When it has ended, by `close` or by itself. */
  readonly ended: Promise<void>
  /** Takes nobody any more and leaves those who are here. */
  close(): void
}

/** Connections that may wait to be taken, when many come at once. */
const BACKLOG = 4096

/** Answers HTTP requests; a USAGE error if it cannot listen there. */
export function listen(
  place: { readonly host: string; readonly port: number },
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Listening> {
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }))
  // Who says nothing does not hold a place.
  server.requestTimeout = 30_000
  // Longer than those who ask keep a connection themselves: it does not end while they ask again on it.
  server.keepAliveTimeout = 120_000
  const ended = new Promise<void>((resolve) => server.once('close', resolve))
  return new Promise((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint = 'give another port, or 0 for any that is free'
      failed(new UserError('USAGE', `cannot listen on ${place.host}:${place.port} (${error.code})`, hint, error))
    })
    server.listen({ ...place, backlog: BACKLOG }, () => {
      const { port } = server.address() as AddressInfo
      listening({
        port,
        ended,
        close() {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
}
