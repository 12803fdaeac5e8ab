import { STOP_WORDS } from './stop-words.ts'

/** Forms of English words that no ending tells: what is asked in one form is often told in another. */
const IRREGULAR = `
arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, begin began begun, bend bent, bind bound,
bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought,
catch caught, choose chose chosen, cling clung, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt,
drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, flee fled,
fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, grind ground,
grow grew grown, hang hung, hear heard, hide hid hidden, hold held, kneel knelt, lay laid, lead led, lean leant, leap leapt,
learn learnt, leave left, lend lent, light lit, lose lost, mean meant, meet met, mow mown, pay paid, prove proven,
ride rode ridden, ring rang rung, rise rose risen, run ran, seek sought, sell sold, send sent, sew sewn, shake shook shaken,
shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid,
smell smelt, sow sown, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt, spin spun, spit spat, spoil spoilt,
spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung, stink stank stunk, strike struck stricken,
strive strove striven, swear swore sworn, sweep swept, swell swollen, swim swam swum, swing swung, teach taught, tear tore torn,
throw threw thrown, tread trod trodden, understand understood, wake woke woken, wear wore worn, weave wove woven, weep wept,
win won, wind wound, write wrote written, child children, foot feet, goose geese, man men, mouse mice, person people, tooth teeth,
woman women, calf calves, half halves, knife knives, leaf leaves, life lives, loaf loaves, scarf scarves, shelf shelves,
thief thieves, wife wives, wolf wolves
`

/** Words of everyday speech: they help to order, but tell less than they are rare. */
const LIGHT = `
get got put take took taken make made go went gone come came say said tell told see saw seen look use know knew want need give
gave given find found keep kept let try ask think thought happen long much many far often old kind sort type thing way one two
first last other another no not now still back out up off after before about again some all more most only just also very
really own same well even here over down through during between under against without within once
`

const formsOf: ReadonlyMap<string, readonly string[]> = new Map(
  IRREGULAR.trim()
    .split(/,\s*/)
    .map((group) => group.split(' '))
    .flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)] as const)),
)
const light: ReadonlySet<string> = new Set(LIGHT.trim().split(/\s+/))

/** Other forms of a word, small letters; none for most. */
export function otherForms(word: string): readonly string[] {
  return formsOf.get(word) ?? []
}

export function isLight(word: string): boolean {
  return light.has(word)
}

const MEASURE = new Set(['long', 'much', 'many', 'far', 'often', 'old', 'big', 'tall', 'high'])
const SORT = /^(?:kind|sort|type)s?$/

const ASKING = new Set('where when what how which who did do does was were is are have has'.split(' '))
const OF_TALK = new Set(
  'talk talked speak spoke discuss discussed mention mentioned say said chat answer answered something anything'.split(
    ' ',
  ),
)
const ABOUT = new Set(['about', 'to', 'with'])
const LONGEST_FRAME = 6

/** How many words say only that something was talked about: `where did we talk about`, `what was the answer to`. */
function lengthOfFrame(words: readonly string[]): number {
  const lower = words.slice(0, LONGEST_FRAME).map((word) => word.toLowerCase())
  const end = lower.findIndex((word) => ABOUT.has(word)) + 1
  const tellsNothing = (word: string) => STOP_WORDS.has(word) || OF_TALK.has(word) || light.has(word)
  return ASKING.has(lower[0] ?? '') && end < words.length && lower.slice(0, end).every(tellsNothing) ? end : 0
}

/** The words of a question without those that only say what is asked for: `how long`, `what kind of`, `where did we talk about`. */
export function withoutFrames(words: readonly string[]): string[] {
  const frame = lengthOfFrame(words)
  return words.filter((word, i) => {
    if (i < frame) return STOP_WORDS.has(word.toLowerCase())
    const before = words[i - 1]?.toLowerCase()
    if (before === 'how') return !MEASURE.has(word.toLowerCase())
    return !(words[i + 1] === 'of' && (before === 'what' || before === 'which') && SORT.test(word))
  })
}
