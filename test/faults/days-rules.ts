import type { Living } from './days-home.ts'
import type { Figures, View } from './days-view.ts'
import { wordOf } from './sessions.ts'

/** A promise that was not kept on a day. */
export interface Breach {
  readonly promise: string
  readonly what: string
}

/** What is remembered of the days before, to be held against the store. */
export class Memory {
  readonly #figures = new Map<string, Figures>()
  readonly #ledger = new Map<string, number>()
  /** For each evicted session, how many turns its transcript had: what is written beyond them is new. */
  readonly #evictedTurns = new Map<string, number>()
  /** Those that were evicted the day before: new words of an earlier day may have brought others back. */
  #evictedBefore: ReadonlySet<string> = new Set()
  #pointers: ReadonlyMap<string, string> = new Map()

  /** Everything that does not hold after a day's last sweep. */
  check(view: View, sessions: readonly Living[]): Breach[] {
    const breaches = [
      ...sessions.flatMap((one) => (one.forgotten ? forgotten(view, one) : this.#kept(view, one))),
      ...this.#digestsGrow(view, sessions),
      ...this.#ledgerGrows(view, sessions),
      ...this.#pointersStand(view),
    ]
    this.#remember(view, sessions)
    return breaches
  }

  /** Every prompt is in raw text, or its session has a digest; what was evicted stays away. */
  #kept(view: View, one: Living): Breach[] {
    const breaches: Breach[] = []
    const words = Array.from({ length: one.told }, (_, turn) => wordOf(one.saga, turn, 'prompt'))
    const missing = words.filter((word) => !view.raw.includes(word))
    if (missing.length > 0 && !view.digests.has(one.uid))
      breaches.push({
        promise: 'a prompt is in raw text or its session has a digest',
        what: `${one.saga.name}: ${missing.length} of ${words.length} prompts`,
      })
    const gone = this.#evictedTurns.get(one.uid) ?? 0
    if (this.#evictedBefore.has(one.uid) && one.turns <= gone && !view.evicted.has(one.uid))
      breaches.push({ promise: 'evicted stays evicted without new words', what: one.saga.name })
    if (one.forked) return breaches
    const back = [...unspoken(one, gone)].filter((word) => view.has(word))
    if (back.length > 0)
      breaches.push({
        promise: 'evicted words are in no file',
        what: `${one.saga.name}: ${back.length} of ${gone} turns, told ${one.told}, ${back[0]}`,
      })
    if (view.evicted.has(one.uid)) {
      const left = [...unspoken(one, one.told)].filter((word) => view.has(word))
      if (left.length > 0 && back.length === 0)
        breaches.push({ promise: 'eviction leaves no word', what: `${one.saga.name}: ${left.length}` })
    }
    return breaches
  }

  #digestsGrow(view: View, sessions: readonly Living[]): Breach[] {
    return sessions.flatMap((one) => {
      const before = this.#figures.get(one.uid)
      if (one.forgotten || before === undefined) return []
      if (!view.digests.has(one.uid)) return [{ promise: 'a digest stays', what: one.saga.name }]
      const now = ofBoth(view.digests, one) ?? before
      const less = (Object.keys(before) as (keyof Figures)[]).filter((name) => now[name] < before[name])
      return less.map((name) => ({
        promise: `a digest never says less: ${name}`,
        what: `${one.saga.name}: ${before[name]} → ${now[name]}`,
      }))
    })
  }

  #ledgerGrows(view: View, sessions: readonly Living[]): Breach[] {
    const forgotten = new Set(sessions.filter((one) => one.forgotten).map(({ uid }) => uid))
    const less = [...this.#ledger].filter(([key, tokens]) => (view.ledger.get(key) ?? 0) < tokens)
    const kept = less.filter(([key]) => !forgotten.has(this.#billedTo.get(key) ?? ''))
    return kept.length === 0
      ? []
      : [{ promise: 'the ledger never shrinks', what: `${kept.length} rows, ${kept[0]?.[0]}` }]
  }

  #billedTo: ReadonlyMap<string, string> = new Map()

  #pointersStand(view: View): Breach[] {
    const moved = [...this.#pointers].filter(([pointer, text]) => (view.pointers.get(pointer) ?? text) !== text)
    return moved.length === 0
      ? []
      : [{ promise: 'a pointer keeps its content', what: `${moved.length}, ${moved[0]?.[0]}` }]
  }

  #remember(view: View, sessions: readonly Living[]): void {
    for (const one of sessions) {
      const [before, now] = [this.#figures.get(one.uid), ofBoth(view.digests, one)]
      if (now !== undefined) this.#figures.set(one.uid, before === undefined ? now : most(before, now))
    }
    for (const one of sessions)
      if (view.evicted.has(one.uid)) this.#evictedTurns.set(one.uid, one.turns > 0 ? one.turns : one.told)
    this.#evictedBefore = new Set(view.evicted.keys())
    this.#ledger.clear()
    for (const [key, tokens] of view.ledger) this.#ledger.set(key, tokens)
    this.#billedTo = new Map([...this.#billedTo, ...view.billedTo])
    this.#pointers = view.pointers
  }
}

/** No word of it is anywhere, whatever was written since. */
function forgotten(view: View, one: Living): Breach[] {
  const words = Array.from({ length: one.told }, (_, turn) => [
    wordOf(one.saga, turn, 'prompt'),
    ...unspoken(one, turn + 1, turn),
  ]).flat()
  const found = words.filter((word) => view.has(word))
  return found.length === 0
    ? []
    : [{ promise: 'forgotten stays forgotten', what: `${one.saga.name}: ${found.length} words` }]
}

/** Words that a digest has no reason to repeat. */
function* unspoken(one: Living, turns: number, from = 0): Generator<string> {
  for (let turn = from; turn < turns; turn++) {
    yield wordOf(one.saga, turn, 'output')
    yield wordOf(one.saga, turn, 'thought')
  }
}

/** Of a fork, together with what it was forked from: words of both are that one's as soon as it tells them too. */
function ofBoth(figures: ReadonlyMap<string, Figures>, { uid, parent }: Living): Figures | undefined {
  const own = figures.get(uid)
  const other = parent === null || parent.forgotten ? undefined : figures.get(parent.uid)
  if (own === undefined || other === undefined) return own
  const sum = (name: keyof Figures) => own[name] + other[name]
  return {
    exchanges: sum('exchanges'),
    turns: sum('turns'),
    events: sum('events'),
    input: sum('input'),
    output: sum('output'),
  }
}

function most(a: Figures, b: Figures): Figures {
  const of = (name: keyof Figures) => Math.max(a[name], b[name])
  return {
    exchanges: of('exchanges'),
    turns: of('turns'),
    events: of('events'),
    input: of('input'),
    output: of('output'),
  }
}
