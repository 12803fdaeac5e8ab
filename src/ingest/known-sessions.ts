import type { KnownRow, Store } from '../store/store.ts'
import { withoutKnown } from './known-batches.ts'
import { createKnownSecrets, type KnownSecrets, type KnownState } from './known-secrets.ts'
import type { ParsedBatch } from './parse.ts'

/**
 * What one run of `index` knows of the secrets of all sessions. What is about to be stored goes through `clean`; what
 * was stored before a secret was recognised is owed from then on, until `settle` has looked through it.
 */
export class KnownSessions {
  readonly #key: Uint8Array
  readonly #known = new Map<string, KnownSecrets>()
  readonly #owed = new Set<string>()
  /** New in this run, and stored all at once: nothing of them was stored before their secrets were known. */
  readonly #whole = new Set<string>()
  readonly #created = new Set<string>()
  #grown = new Set<string>()

  constructor(key: Uint8Array, rows: readonly KnownRow[]) {
    this.#key = key
    for (const { uid, state, owed } of rows) {
      this.#of(uid).add(JSON.parse(state) as KnownState)
      if (owed) this.#owed.add(uid)
    }
  }

  /** Takes up what reading has taught, and takes out what is known beyond what whoever read a batch has taken out. */
  clean(batches: readonly ParsedBatch[]): readonly ParsedBatch[] {
    this.#grown = new Set()
    /** How many secrets of each session whoever read a batch knew, and took out of it. */
    const done = new Map<ParsedBatch, Map<string, number>>()
    for (const batch of batches) {
      const taken = new Map<string, number>()
      for (const { uid, state } of batch.known ?? []) {
        const known = JSON.parse(state) as KnownState
        taken.set(uid, known.length)
        if (this.#of(uid).add(known)) this.#grown.add(uid)
      }
      done.set(batch, taken)
    }
    if (this.#known.size === 0) return batches
    for (const uid of this.#grown) {
      this.#owed.add(uid)
      this.#whole.delete(uid)
    }
    return batches.map((batch) => {
      const known = (batch.known ?? [])
        .filter(({ uid }) => this.#grown.has(uid))
        .map(({ uid }) => this.#row(uid, this.#of(uid), true))
      const knownOf = (uid: string): KnownSecrets | null => {
        const one = this.#known.get(uid) ?? null
        return one?.size === (done.get(batch)?.get(uid) ?? 0) ? null : one
      }
      return { ...withoutKnown(batch, knownOf), known }
    })
  }

  /** Told what storing the batches has made of them. */
  stored(created: readonly string[]): void {
    for (const uid of created) {
      this.#created.add(uid)
      if (this.#grown.has(uid)) this.#whole.add(uid)
    }
  }

  /** Looks through what was stored before it was known what is secret in it; in forks and subagents, too. */
  async settle(store: Store): Promise<KnownSecrets | null> {
    if (this.#known.size === 0) return null
    const rows: KnownRow[] = []
    const rewriters = new Map<string, KnownSecrets>()
    for (const family of familiesOf(await store.kin(), [...this.#owed])) {
      const known = family.flatMap((uid) => this.#known.get(uid) ?? [])
      const isNews = family.some((uid) => this.#owed.has(uid) || this.#created.has(uid))
      if (known.length === 0 || !isNews) continue
      const all = known.length === 1 ? known[0]! : createKnownSecrets(this.#key)
      for (const one of known) all.add(one.state())
      for (const uid of family) {
        const isDone = this.#known.get(uid)?.size === all.size && (!this.#owed.has(uid) || this.#whole.has(uid))
        if (isDone && !this.#owed.has(uid)) continue
        rows.push(this.#row(uid, all, false))
        if (!isDone) rewriters.set(uid, all)
      }
    }
    if (rows.length === 0) return null
    const changed = await store.rewriteSessions(rows, (uid) => rewriters.get(uid) ?? null)
    this.#owed.clear()
    if (!changed) return null
    const everything = createKnownSecrets(this.#key)
    for (const one of new Set(rewriters.values())) everything.add(one.state())
    return everything
  }

  #of(uid: string): KnownSecrets {
    let known = this.#known.get(uid)
    if (known === undefined) this.#known.set(uid, (known = createKnownSecrets(this.#key)))
    return known
  }

  #row(uid: string, known: KnownSecrets, owed: boolean): KnownRow {
    return { uid, state: JSON.stringify(known.state()), owed }
  }
}

/** Sessions that belong together, and each of `alone` that belongs to no other. */
function familiesOf(kin: readonly (readonly [string, string])[], alone: readonly string[]): string[][] {
  const families = new Map<string, string[]>()
  for (const [one, other] of kin) {
    const [a, b] = [families.get(one) ?? [one], families.get(other) ?? [other]]
    if (a === b) continue
    const [large, small] = a.length < b.length ? [b, a] : [a, b]
    large.push(...small)
    for (const uid of [...small, one, other]) families.set(uid, large)
  }
  for (const uid of alone) if (!families.has(uid)) families.set(uid, [uid])
  return [...new Set(families.values())]
}
