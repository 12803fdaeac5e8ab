import { ALNUM, B64, chars, DIGITS, LOWER, pick, type Random } from './random.ts'

/** Text that holds secrets by its build; what must be gone. */
export interface Block {
  readonly text: string
  readonly secrets: readonly string[]
}
export interface BlockKind {
  readonly kind: string
  readonly make: (r: Random) => Block
}
export const lines = (r: Random, n: number, width = 64) => Array.from({ length: n }, () => chars(r, B64, width))
export const one = (
  kind: string,
  write: (secret: string, r: Random) => string,
  secret: (r: Random) => string,
): BlockKind => ({
  kind,
  make: (r) => {
    const s = secret(r)
    return { text: write(s, r), secrets: [s] }
  },
})
export const D5 = '-----'
export const pem =
  (label: string, head: readonly string[] = []) =>
  (r: Random): Block => {
    const body = [...lines(r, 12), `${chars(r, B64, 40)}==`]
    return { text: [`${D5}BEGIN ${label}${D5}`, ...head, ...body, `${D5}END ${label}${D5}`].join('\n'), secrets: body }
  }
export const password = (r: Random) =>
  `${chars(r, LOWER, 3)}${chars(r, ALNUM, 9)}${pick(r, ['!', '%', '*', '+'])}${chars(r, DIGITS, 2)}`
export const safe = (r: Random) => chars(r, ALNUM, 16)
export const human = (r: Random) =>
  `${pick(r, ['Winter', 'Coffee', 'Falcon', 'Jasmin', 'Berlin'])}${chars(r, DIGITS, 4)}${pick(r, ['!', '$', '.'])}`
export const WORDS =
  'abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert alien all alley allow almost alone alpha already also alter always amateur amazing among amount amused analyst anchor ancient anger angle angry animal ankle announce annual another answer antenna antique anxiety any apart apology appear apple approve april arch arctic area arena argue arm armed armor army around arrange arrest arrive arrow art artefact artist artwork ask aspect assault asset assist assume asthma athlete atom attack attend attitude attract auction audit august aunt author auto autumn average avocado avoid awake aware away awesome awful awkward axis'.split(
    ' ',
  )
