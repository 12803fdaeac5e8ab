import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { random } from './cases.ts'
import { filesIn } from './snapshot.ts'
import { T0, type Ended, type Place, type Workshop } from './workshop.ts'

interface Flip {
  readonly file: string
  readonly at: number
  readonly bit: number
  /** Whether anything points at that byte. Of a database every page counts. */
  readonly isLive: boolean
}

/** What came of one flipped bit. */
export interface Flipped {
  readonly kind: 'database' | 'pack'
  readonly flip: Flip
  /** Whether `recall doctor` finds it. */
  readonly doctor: boolean
  readonly deep: boolean
  /** Questions that were answered otherwise than before, and those of them without a word of warning. */
  readonly wrong: readonly string[]
  readonly silent: readonly string[]
  /** Questions that were refused, and how many of them as if by a bug. */
  readonly refused: number
  readonly bugs: number
}

/** Flips single bits of a store and its packs, and asks what was asked before. */
export class BitFlips {
  readonly #workshop: Workshop
  readonly #store: Place
  #number = 0

  constructor(workshop: Workshop, store: Place) {
    this.#workshop = workshop
    this.#store = store
  }

  /** Spread by size over the database and the packs, at least a quarter of them over the packs. */
  choose(count: number, seed: number): Flip[] {
    const next = random(seed)
    const dir = path.join(this.#store.data, 'recall')
    const packs = filesIn(path.join(dir, 'blobs'))
    const chunks = this.#ask<{ pack: number; offset: number; length: number }>('SELECT pack, offset, length FROM chunk')
    return Array.from({ length: count }, (_, i) => {
      const isPack = i % 4 === 3
      const file = isPack ? (packs[Math.floor(next() * packs.length)] ?? '') : path.join(dir, 'recall.db')
      const at = Math.floor(next() * readFileSync(file).length)
      const pack = Number.parseInt(path.basename(file), 10)
      const isHeld = chunks.some((one) => one.pack === pack && at >= one.offset && at < one.offset + one.length)
      return { file, at, bit: Math.floor(next() * 8), isLive: !isPack || isHeld }
    })
  }

  /** Everything that is asked of a store: what there is, each session with its payloads, and some searches. */
  questions(): string[][] {
    const held = this.#ask<{ uid: string }>('SELECT uid FROM session WHERE evicted_at IS NULL ORDER BY uid')
    const shows = held.map(({ uid }) => ['show', uid, '--events', '--payloads', '--json'])
    return [['list', '--limit', '0', '--json'], ['search', 'mended', '--json'], ['search', 'cause', '--json'], ...shows]
  }

  #ask<T>(sql: string): T[] {
    const db = new DatabaseSync(path.join(this.#store.data, 'recall', 'recall.db'), { readOnly: true })
    try {
      return db.prepare(sql).all() as T[]
    } finally {
      db.close()
    }
  }

  async answers(place: Place, questions: readonly (readonly string[])[]): Promise<Ended[]> {
    const answers: Ended[] = []
    for (const args of questions) answers.push(await this.#workshop.run(place, { args, at: T0 }))
    return answers
  }

  async flip(flip: Flip, questions: readonly (readonly string[])[], wanted: readonly Ended[]): Promise<Flipped> {
    const name = `flip-${String(++this.#number).padStart(5, '0')}`
    const place = this.#workshop.copy(this.#store, name)
    const file = path.join(place.data, path.relative(this.#store.data, flip.file))
    const bytes = readFileSync(file)
    bytes[flip.at] = (bytes[flip.at] ?? 0) ^ (1 << flip.bit)
    writeFileSync(file, bytes)
    const doctor = await this.#finds(place, 'doctor')
    const deep = await this.#finds(place, 'doctor', '--deep')
    const answers = await this.answers(place, questions)
    const wrong = questions.filter((_, i) => answers[i]?.code === 0 && answers[i]?.out !== wanted[i]?.out)
    const silent = questions.filter((question, i) => wrong.includes(question) && !/damaged/.test(answers[i]?.err ?? ''))
    const refused = answers.filter(({ code }) => code !== 0)
    rmSync(path.dirname(place.data), { recursive: true, force: true })
    return {
      kind: file.endsWith('.pack') ? 'pack' : 'database',
      flip,
      doctor,
      deep,
      wrong: wrong.map((args) => args.slice(0, 2).join(' ')),
      silent: silent.map((args) => args.slice(0, 2).join(' ')),
      refused: refused.length,
      bugs: refused.filter(({ code }) => code === 70).length,
    }
  }

  /** A store that is not well to begin with proves nothing. */
  async proveWell(): Promise<void> {
    if (await this.#finds(this.#store, 'doctor', '--deep')) throw new Error('the undamaged store is not well')
  }

  async #finds(place: Place, ...args: string[]): Promise<boolean> {
    return (await this.#workshop.run(place, { args, at: T0 })).code !== 0
  }
}

/** True if nobody is told of it who should be. */
export function isMissed({ flip, deep, silent, bugs }: Flipped): boolean {
  return (flip.isLive && !deep) || silent.length > 0 || bugs > 0
}

/** How many were found, and how many made answers wrong without a word. */
export function flipTable(flipped: readonly Flipped[]): string[] {
  const head = ['', 'flips', 'live', 'doctor', '--deep', 'no effect', 'refused', 'wrong', 'silent', 'exit 70']
  const rows = (['database', 'pack'] as const).map((kind) => {
    const own = flipped.filter((one) => one.kind === kind)
    const count = (is: (one: Flipped) => boolean) => own.filter(is).length
    return [
      kind,
      own.length,
      count(({ flip }) => flip.isLive),
      count(({ flip, doctor }) => flip.isLive && doctor),
      count(({ flip, deep }) => flip.isLive && deep),
      count(({ wrong, refused }) => wrong.length + refused === 0),
      count(({ refused }) => refused > 0),
      count(({ wrong }) => wrong.length > 0),
      count(({ silent }) => silent.length > 0),
      count(({ bugs }) => bugs > 0),
    ]
  })
  const examples = flipped
    .filter(isMissed)
    .slice(0, 5)
    .map(({ flip, silent }) => {
      return `  bit ${flip.bit} of byte ${flip.at} of ${path.basename(flip.file)}: ${silent.join(', ')}`
    })
  const table = [head, ...rows].map((cells) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(9) : String(cell).padStart(11))).join(''),
  )
  return [...table, ...(examples.length > 0 ? ['missed, for example:', ...examples] : [])]
}
