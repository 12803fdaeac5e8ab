import { randomBytes } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { LOOPBACK } from '../http/door.ts'
import { listen } from '../http/listen.ts'
import { UserError } from '../model/errors.ts'
import type { OperationContext } from '../operations/operation.ts'
import type { ThreadStart } from '../operations/threads.ts'
import { appOf } from './app.ts'
import { assetsIn } from './assets.ts'
import { Tokens } from './door.ts'
import { openMemory, type Memory } from './memory.ts'
import { routes } from './routes.ts'

/** A store of made-up sessions, with where it lies and how to take it away. */
export interface DemoPlace {
  readonly start: ThreadStart
  readonly storePath: string
  readonly remove: () => void
}

export interface ServeOptions {
  readonly version: string
  readonly host: string
  readonly port: number
  /** The user's own; null for one that is made, and made anew for each who comes in. */
  readonly token: string | null
  readonly makeDemo: () => Promise<DemoPlace>
  /** The address with the token that lets in the next browser. */
  readonly onAddress: (url: string) => void
  readonly onBug: (error: unknown) => void
}

export interface Served {
  readonly url: string
  /** Everything that is served, with who it would be open to. */
  readonly port: number
  close(): Promise<void>
}

const FEWEST_TOKEN_CHARS = 16

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Serves the memory as a page until it is closed. */
export async function serve(context: OperationContext, options: ServeOptions): Promise<Served> {
  const { host, token } = options
  if (!isLoopback(host)) mayBeOpen(host, token)
  const { settings, env, cwd } = context
  const entry = new URL('./operation-thread.cjs', import.meta.url)
  const { group } = settings
  const store = group === undefined ? settings.storePath : undefined
  const memory = openMemory(entry, { env: { ...env }, cwd, store, group }, settings.storePath)
  const demo = onDemand(async () => {
    const place = await options.makeDemo()
    const opened = openMemory(entry, place.start, place.storePath)
    return {
      ...opened,
      async close() {
        await opened.close()
        place.remove()
      },
    }
  })
  const tokens = new Tokens(token, () => randomBytes(24).toString('base64url'))
  let port = options.port
  const names = namesOf(host)
  const address = () => `http://${names[0] ?? host}:${port}/?token=${tokens.token}`
  const answer = appOf({
    door: { hosts: () => names.map((name) => `${name}:${port}`), tokens, cookie: () => `recall_${port}` },
    routes: await routes(),
    assets: assetsIn(new URL('./page/', import.meta.url)),
    version: options.version,
    memory,
    demo: demo.get,
    onEntered: () => token ?? options.onAddress(address()),
    onBug: options.onBug,
  })
  const listening = await listen({ host, port }, answer)
  port = listening.port
  return {
    url: address(),
    port,
    async close() {
      listening.close()
      await listening.ended
      await Promise.all([memory.close(), demo.close()])
    },
  }
}

function mayBeOpen(host: string, token: string | null): void {
  const exposes = `whoever reaches ${host} and has the token can read every session, and change tags and permission rules`
  if (token === null)
    throw new UserError(
      'USAGE',
      `${host} can be reached from outside: ${exposes}`,
      'give --token-file with a token of your own, or leave out --host',
    )
  if (token.length < FEWEST_TOKEN_CHARS)
    throw new UserError(
      'USAGE',
      `the token has fewer than ${FEWEST_TOKEN_CHARS} characters`,
      'make a longer one: openssl rand -base64 24',
    )
}

/** Under which names requests may ask for the page. */
function namesOf(host: string): readonly string[] {
  if (isLoopback(host)) return LOOPBACK
  const written = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase()
  if (host !== '0.0.0.0' && host !== '::') return [written]
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const addresses = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  return [hostname().toLowerCase(), ...addresses, ...LOOPBACK]
}

interface OnDemand {
  readonly get: () => Promise<Memory>
  close(): Promise<void>
}

function onDemand(make: () => Promise<Memory>): OnDemand {
  let made: Promise<Memory> | null = null
  return {
    get: () => (made ??= make()),
    async close() {
      await (await made)?.close()
    },
  }
}
