import { bearer, isSame } from '../http/door.ts'
import { problem, type Problem } from './problem.ts'

/** Who may come in, and as whom they are known afterwards. */
export interface Door {
  /** Names of hosts, with the port, under which the page is asked for. */
  readonly hosts: () => readonly string[]
  readonly tokens: Tokens
  readonly cookie: () => string
}

/** What lets in: the token of the printed address, then a secret in a cookie. */
export class Tokens {
  readonly #make: () => string
  readonly #own: string | null
  readonly secret: string
  #token: string

  /** With a token of the user's own, that one lets in as often as it is given; without, each only once. */
  constructor(own: string | null, make: () => string) {
    this.#own = own
    this.#make = make
    this.secret = make()
    this.#token = own ?? make()
  }

  get token(): string {
    return this.#token
  }

  /** Whether this token lets in; one that was made here does so only this time. */
  takes(given: string): boolean {
    if (!isSame(given, this.#token)) return false
    if (this.#own === null) this.#token = this.#make()
    return true
  }

  /** Whether a request comes from who was let in. */
  knows(request: Request, cookie: string): boolean {
    if (isSame(cookieOf(request, cookie), this.secret)) return true
    return this.#own !== null && isSame(bearer(request), this.#own)
  }
}

function cookieOf(request: Request, name: string): string {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

const METHODS = ['GET', 'HEAD', 'POST']

/** Why a request is turned away before anybody looks at what it asks; null if it is not. */
export function turnedAway(request: Request, { hosts }: Pick<Door, 'hosts'>): Problem | null {
  const { headers, method } = request
  const host = (headers.get('host') ?? '').toLowerCase()
  if (!hosts().includes(host))
    return problem(403, 'HOST', 'this is not the host you meant', 'use the address that was printed')
  if (!METHODS.includes(method)) return problem(405, 'METHOD', `${method} does nothing here`, 'GET reads, POST changes')
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = (origin !== null && origin !== `http://${host}`) || (site !== null && !OWN_SITES.includes(site))
  const isVisit = headers.get('sec-fetch-mode') === 'navigate' && method === 'GET' && origin === null
  if (isForeign && !isVisit) return problem(403, 'ORIGIN', 'another site asks', 'open the page itself')
  if (method !== 'POST') return null
  if (origin === null)
    return problem(403, 'ORIGIN', 'a change must say which page it comes from', 'send the header Origin')
  if (!/^application\/json\b/.test(headers.get('content-type') ?? ''))
    return problem(415, 'CONTENT_TYPE', 'a change is JSON', 'send content-type: application/json')
  return null
}

/** `none`: typed, or opened from outside of any page. */
const OWN_SITES = ['same-origin', 'none']

/** Nothing from elsewhere, nothing inline, in no frame; what is shown cannot run. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types dompurify",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}
