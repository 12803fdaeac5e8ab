import { createHash } from 'node:crypto'

const ALNUM = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Everything here follows from its seed, so the demo is the same on every machine. */
export function hex(seed: string, length: number): string {
  return createHash('sha256').update(`demo:${seed}`).digest('hex').slice(0, length)
}

export function uuid(seed: string): string {
  const h = hex(seed, 32)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`
}

/** At most 64 of them. */
export function letters(seed: string, length: number, alphabet = ALNUM): string {
  const bytes = createHash('sha512').update(`demo:${seed}`).digest()
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}

export function between(seed: string, low: number, high: number): number {
  return low + (Number.parseInt(hex(seed, 8), 16) / 2 ** 32) * (high - low)
}

/** Looks like a credential and opens nothing. The look exists only at run time: no scanner stops at this file. */
export const fakeGithubToken = (): string => ['ghp', letters('code host', 36)].join('_')
export const fakeAwsKeyId = (): string => ['AK', 'IA', letters('cloud', 16, BASE32)].join('')
