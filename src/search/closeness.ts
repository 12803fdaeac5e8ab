import type { Term } from './query.ts'
import { wordStem } from './snippet.ts'

const MAX_TEXT = 40_000
const NEAR = 12

/**
 * How closely a text holds what was asked, 0 to 1: pairs of neighbouring words of the question that stand near each
 * other in the text, and the question's words in one short stretch of it.
 */
export function closeness(text: string, terms: readonly Term[]): number {
  const stems = terms.filter((term) => term.words.length === 1).map((term) => wordStem(term.words[0] ?? ''))
  if (stems.length < 2) return 0
  const places = placesOf(text.slice(0, MAX_TEXT), stems)
  const pairs = stems.slice(1).filter((stem, i) => areNear(places.get(stems[i] ?? ''), places.get(stem))).length
  return (pairs / (stems.length - 1) + bestStretch(places, stems)) / 2
}

function placesOf(text: string, stems: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  const byFirst = new Map<string, string[]>()
  for (const stem of new Set(stems)) byFirst.set(stem[0] ?? '', [...(byFirst.get(stem[0] ?? '') ?? []), stem])
  let at = 0
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    at++
    for (const stem of byFirst.get(word[0] ?? '') ?? []) {
      if (!word.startsWith(stem)) continue
      const list = places.get(stem)
      if (list) list.push(at)
      else places.set(stem, [at])
    }
  }
  return places
}

function areNear(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (!a || !b) return false
  let j = 0
  for (const place of a) {
    while (j < b.length && (b[j] ?? 0) < place - NEAR) j++
    if (j < b.length && Math.abs((b[j] ?? 0) - place) <= NEAR) return true
  }
  return false
}

const STRETCH = 40

/** The largest share of the words that stands within one stretch of the text. */
function bestStretch(places: ReadonlyMap<string, readonly number[]>, stems: readonly string[]): number {
  const marks = [...places].flatMap(([stem, list]) => list.map((at) => ({ at, stem }))).sort((a, b) => a.at - b.at)
  const inside = new Map<string, number>()
  let best = 0
  let from = 0
  for (const mark of marks) {
    inside.set(mark.stem, (inside.get(mark.stem) ?? 0) + 1)
    while (mark.at - (marks[from]?.at ?? 0) > STRETCH) {
      const left = marks[from++]?.stem ?? ''
      const count = (inside.get(left) ?? 1) - 1
      if (count === 0) inside.delete(left)
      else inside.set(left, count)
    }
    best = Math.max(best, inside.size)
  }
  return best / new Set(stems).size
}
