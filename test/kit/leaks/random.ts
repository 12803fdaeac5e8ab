/** Text made from a seed, so that no file holds anything that looks like a secret. */
export type Random = () => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const DIGITS = '0123456789'
export const ALNUM = UPPER + LOWER + DIGITS
export const HEX = '0123456789abcdef'
export const B64 = ALNUM + '+/'
export const URLSAFE = ALNUM + '-_'
export function chars(r: Random, alphabet: string, n: number): string {
  let s = ''
  for (let i = 0; i < n; i++) s += alphabet[Math.floor(r() * alphabet.length)]
  return s
}
export const pick = <T>(r: Random, list: readonly T[]): T => list[Math.floor(r() * list.length)]!
export const uuid = (r: Random): string => {
  const h = chars(r, HEX, 32)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`
}
export const b64 = (text: string): string => Buffer.from(text).toString('base64')
export const b64url = (text: string): string => Buffer.from(text).toString('base64url')

export const hex = (r: Random, n: number): string => chars(r, HEX, n)
export const many = (r: Random, n: number, f: (i: number) => string, sep = '\n'): string =>
  Array.from({ length: n }, (_, i) => f(i)).join(sep)
const WORDS =
  'cart order login invoice report search session profile worker queue billing auth token secret vault user'.split(' ')
export const word = (r: Random): string => pick(r, WORDS)
export const day = (r: Random): string =>
  `2026-${pick(r, ['01', '04', '07', '10'])}-${pick(r, ['02', '11', '19', '27'])}`
export const num = (r: Random, n: number): string => chars(r, '123456789', 1) + chars(r, DIGITS, n - 1)
