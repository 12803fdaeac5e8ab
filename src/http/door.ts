import { timingSafeEqual } from 'node:crypto'

/** Names under which this machine alone is reached. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Compared in the same time whatever they have in common. */
export function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The secret of an `Authorization: Bearer` header; nothing without one. */
export function bearer(request: Request): string {
  return /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

/**
 * Whether a request was meant for this server: a page elsewhere can point a name of its own at this machine, and its
 * browser would then ask us as if we were that page.
 */
export function isForUs(request: Request, names: readonly string[]): boolean {
  const name = nameIn(`http://${request.headers.get('host') ?? ''}`)
  return name !== null && names.includes(name)
}

/** Whether the page that asks, if one does, is of one of these names. */
export function isFromUs(request: Request, names: readonly string[]): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  const name = nameIn(origin)
  return name !== null && names.includes(name)
}

function nameIn(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null
}
