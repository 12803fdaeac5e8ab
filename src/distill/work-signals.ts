import type { DigestEvent } from '../model/digest.ts'

/** So many repeats of a failing call make a loop. */
export const LOOP_RETRIES = 2
/** So many edits of one file in one exchange are churn. */
export const CHURN_EDITS = 4
/** An exchange that edits more files than this is a sweep: its files have nothing in common. */
const MAX_TOGETHER = 12
const MAX_PAIRS = 2000
const MAX_LOOKED_AT = 2000
const MAX_WORDS = 40

interface Loop {
  readonly tool: string | null
  readonly what: string
  readonly seqs: readonly number[]
}

interface Churn {
  readonly path: string
  readonly why: string
  readonly seqs: readonly number[]
}

interface Pair {
  readonly first: string
  readonly second: string
  readonly seqs: readonly number[]
}

interface Exchange {
  readonly edits: Map<string, number[]>
  readonly retries: Map<string, { tool: string | null; what: string; seqs: number[] }>
}

const TAKES_ALL_BACK =
  /\bgit\s+(?:reset\s+--hard|(?:checkout|restore)\s+(?:--\s+)?\.(?:\s|$)|stash(?:\s+(?:push|-u)|\s*$|\s*[;&|])|clean\s+-\w*f)/
const TAKES_SOME_BACK = /\bgit\s+(?:checkout|restore)\s/

/** What was edited and tried again, exchange by exchange; a subagent's work is an exchange of its own. */
export class WorkNotes {
  readonly #exchanges = new Map<string, Exchange>()
  /** By path, whether it was taken back since it was edited last. */
  readonly #takenBack = new Map<string, boolean>()
  readonly #byName = new Map<string, string[]>()
  readonly #again = new Map<string, number[]>()
  #edited: Set<string> = new Set()

  retried(event: DigestEvent): void {
    const { retries } = this.#exchange(event)
    const what = event.text ?? event.summary
    const known = retries.get(what)
    if (known === undefined) retries.set(what, { tool: event.tool, what, seqs: [event.seq] })
    else known.seqs.push(event.seq)
  }

  edited(event: DigestEvent, whole: (path: string) => string): void {
    const { edits } = this.#exchange(event)
    for (const file of event.files) {
      if (!file.edit) continue
      const path = whole(file.path)
      const seqs = edits.get(path)
      if (seqs === undefined) edits.set(path, [event.seq])
      else seqs.push(event.seq)
      this.#editedAgain(path, event.seq)
    }
  }

  /** A command may take edits back. */
  ran(event: DigestEvent): void {
    const command = event.text
    if (command === null || !command.includes('git')) return
    const head = command.slice(0, MAX_LOOKED_AT)
    if (TAKES_ALL_BACK.test(head)) {
      for (const path of this.#edited) this.#takenBack.set(path, true)
      this.#edited = new Set()
    } else if (TAKES_SOME_BACK.test(head)) this.#takeBack(head)
  }

  loops(): Loop[] {
    return this.#each(({ retries }) => [...retries.values()].filter(({ seqs }) => seqs.length >= LOOP_RETRIES))
  }

  churn(): Churn[] {
    const often = this.#each(({ edits }) =>
      [...edits]
        .filter(([, seqs]) => seqs.length >= CHURN_EDITS)
        .map(([path, seqs]) => ({ path, why: 'edited many times in one go', seqs })),
    )
    const again = [...this.#again].map(([path, seqs]) => ({ path, why: 'edited again after it was taken back', seqs }))
    return [...often, ...again]
  }

  pairs(): Pair[] {
    const pairs = new Map<string, { first: string; second: string; seqs: number[] }>()
    for (const { edits } of this.#exchanges.values()) {
      const paths = [...edits.keys()].sort()
      if (paths.length > MAX_TOGETHER) continue
      for (const [i, first] of paths.entries()) {
        for (const second of paths.slice(i + 1)) {
          const key = `${first}\0${second}`
          const seq = Math.max(edits.get(first)![0]!, edits.get(second)![0]!)
          const known = pairs.get(key)
          if (known !== undefined) known.seqs.push(seq)
          else if (pairs.size < MAX_PAIRS) pairs.set(key, { first, second, seqs: [seq] })
        }
      }
    }
    return [...pairs.values()]
  }

  #exchange(event: DigestEvent): Exchange {
    const key = `${event.sidechain ? (event.thread ?? '?') : ''}\0${event.exchange}`
    let exchange = this.#exchanges.get(key)
    if (exchange === undefined) this.#exchanges.set(key, (exchange = { edits: new Map(), retries: new Map() }))
    return exchange
  }

  #each<T>(take: (exchange: Exchange) => readonly T[]): T[] {
    return [...this.#exchanges.values()].flatMap(take)
  }

  #editedAgain(path: string, seq: number): void {
    const taken = this.#takenBack.get(path)
    if (taken === undefined) this.#name(path)
    if (taken === true) {
      const seqs = this.#again.get(path)
      if (seqs === undefined) this.#again.set(path, [seq])
      else seqs.push(seq)
    }
    this.#takenBack.set(path, false)
    this.#edited.add(path)
  }

  #name(path: string): void {
    const name = lastPart(path)
    const paths = this.#byName.get(name)
    if (paths === undefined) this.#byName.set(name, [path])
    else paths.push(path)
  }

  #takeBack(command: string): void {
    for (const word of command.split(/\s+/, MAX_WORDS)) {
      const bare = word.replace(/^["']|["';]+$/g, '').replace(/^\.\//, '')
      for (const path of this.#byName.get(lastPart(bare)) ?? []) {
        if (path === bare || path.endsWith(`/${bare}`)) this.#takenBack.set(path, true)
      }
    }
  }
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
