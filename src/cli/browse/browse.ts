import { UserError } from '../../model/errors.ts'
import { pointerOf } from '../../model/pointers.ts'
import { STOP_WORDS } from '../../search/stop-words.ts'
import type { EventRecord } from '../../store/store.ts'
import type { Context } from '../command.ts'
import { draw, listHeight, type Preview } from './draw.ts'
import type { Key } from './keys.ts'
import { readInPager } from './read.ts'
import { Screen } from './screen.ts'
import { filterOf, isNarrowed, isWithin, type Filters } from './filters.ts'
import { press, START, type BrowseState, type Row } from './state.ts'

/** What comes while somebody types on is not looked for. */
const TYPING_MS = 15
/** After so long nobody types any more. */
const PAUSE_MS = 300
/** A row that the selection only passes is not read. */
const RESTING_MS = 40
const NEWEST = 200
const HITS = 30
const BEFORE = 2
const AROUND = 40
/** Shorter ones, and words that are everywhere, begin too many others. */
const SHORTEST_PREFIX = 4

/** Lets a person find and read sessions until they leave. Returns the exit code, and what they have copied. */
export class Browser {
  readonly #context: Context
  readonly #screen: Screen
  #state: BrowseState = START
  #preview: Preview | null = null
  #version = 0
  #finding: NodeJS.Timeout | null = null
  #looking: NodeJS.Timeout | null = null
  #isReading = false
  #leave: (code: number) => void = () => undefined
  readonly copied: string[] = []

  constructor(context: Context, query: string) {
    this.#context = context
    this.#state = { ...START, query: [...query], cursor: [...query].length }
    this.#screen = new Screen(process.stdin, process.stdout, {
      key: (key) => this.#press(key),
      resize: () => this.#draw(),
    })
  }

  async run(): Promise<number> {
    await this.#find('exact')
    this.#screen.open()
    try {
      this.#draw()
      await this.#look()
      return await new Promise<number>((resolve, reject) => {
        this.#leave = resolve
        this.#failed = reject
      })
    } finally {
      this.#stop(this.#finding)
      this.#stop(this.#looking)
      this.#screen.close()
    }
  }

  #failed: (error: unknown) => void = () => undefined

  #stop(timer: NodeJS.Timeout | null): void {
    if (timer !== null) clearTimeout(timer)
  }

  #press(key: Key): void {
    if (this.#isReading) return
    const sources = this.#context.sources.map(({ name }) => name)
    const { state, deed } = press(this.#state, key, { sources, page: listHeight(this.#screen.size) })
    const isOther = state.selected !== this.#state.selected
    this.#state = state
    if (deed === 'quit' || deed === 'interrupt') return this.#leave(deed === 'quit' ? 0 : 130)
    if (deed === 'copy') this.#copy()
    if (deed === 'find') this.#findSoon()
    else if (isOther) this.#lookSoon()
    this.#draw()
    if (deed === 'read') this.#away((row) => readInPager(this.#context, row)).catch(this.#failed)
    if (deed === 'resume') this.#away((row) => this.#resume(row)).catch(this.#failed)
  }

  #draw(): void {
    const { terminal } = this.#context
    const frame = draw(terminal, this.#state, this.#preview, this.#screen.size)
    this.#screen.draw({ ...frame, lines: frame.lines.map((line) => terminal.shown(line)) })
  }

  #findSoon(): void {
    this.#version++
    this.#stop(this.#finding)
    const isNarrow = isNarrowed(this.#state.filters) && this.#state.query.length > 0
    this.#finding = setTimeout(() => {
      this.#show('quick')
      if (isNarrow) this.#finding = setTimeout(() => this.#show('exact'), PAUSE_MS)
    }, TYPING_MS)
  }

  #show(how: 'quick' | 'exact'): void {
    this.#find(how)
      .then(() => this.#draw())
      .then(() => this.#lookSoon())
      .catch(this.#failed)
  }

  #lookSoon(): void {
    this.#stop(this.#looking)
    this.#looking = setTimeout(() => void this.#look().catch(this.#failed), RESTING_MS)
  }

  /**
   * Finds what is typed, unless more was typed meanwhile. A search within filters takes its time: while somebody types,
   * the best of all are looked through instead.
   */
  async #find(how: 'quick' | 'exact'): Promise<void> {
    const version = this.#version
    const { recall, now } = this.#context
    const { query, filters } = this.#state
    const text = query.join('')
    const found =
      text.trim() === ''
        ? await newest(recall, filters, now())
        : await searched(recall, { text: withPrefix(text), filters, now: now(), how })
    if (version === this.#version) this.#state = { ...this.#state, ...found, selected: 0, scrolled: 0 }
  }

  /** Reads what stands around the event that is chosen. */
  async #look(): Promise<void> {
    const row = this.#state.rows[this.#state.selected]
    this.#preview = row === undefined ? null : await previewOf(this.#context, row)
    if (row === this.#state.rows[this.#state.selected]) this.#draw()
  }

  /** By the terminal, also over ssh; what it may not do is told, so that it can be marked by hand. */
  #copy(): void {
    const row = this.#state.rows[this.#state.selected]
    if (row === undefined) return
    const pointer = `${row.session.uid}${row.seq === null ? '' : pointerOf(row.seq)}`
    this.copied.push(pointer)
    this.#screen.send(`\u001b]52;c;${Buffer.from(pointer).toString('base64')}\u0007`)
    this.#state = { ...this.#state, message: `copied ${pointer}` }
  }

  /** Continues the session in its agent, or says below why it cannot be. */
  async #resume({ session }: Row): Promise<void> {
    const { continueIn } = await import('../commands/resume.ts')
    const { resume } = await import('../../operations/resume.ts')
    const found = await resume.run(this.#context, { session: session.uid })
    const [obstacle] = found.obstacles
    if (obstacle === undefined) await continueIn(this.#context, found)
    else this.#state = { ...this.#state, message: obstacle.message }
  }

  /** Gives the terminal away for what somebody wants to do with the row that is chosen. */
  async #away(work: (row: Row) => Promise<void>): Promise<void> {
    const row = this.#state.rows[this.#state.selected]
    if (row === undefined) return
    this.#isReading = true
    this.#screen.close()
    try {
      await work(row)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.#state = { ...this.#state, message: error.message }
    } finally {
      this.#isReading = false
      this.#screen.open()
      this.#draw()
    }
  }
}

type Found = Pick<BrowseState, 'rows' | 'total'>

async function newest(recall: Context['recall'], filters: Filters, now: number): Promise<Found> {
  const { automated } = filters
  const filter = { ...filterOf(filters, now), limit: NEWEST, empty: false, ...(automated ? {} : { automated }) }
  recall.lookAgain()
  const { sessions, total } = await recall.list(filter)
  return { rows: sessions.map((session) => ({ session, seq: null, snippet: null })), total }
}

interface Search {
  readonly text: string
  readonly filters: Filters
  readonly now: number
  readonly how: 'quick' | 'exact'
}

async function searched(recall: Context['recall'], { text, filters, now, how }: Search): Promise<Found> {
  const isNarrow = isNarrowed(filters)
  const within = how === 'exact' ? filterOf(filters, now) : {}
  const filter = { ...within, limit: isNarrow ? 2 * HITS : HITS }
  recall.lookAgain()
  const { hits, total } = await recall.search({ text, filter, now, mode: 'keyword', bySession: true, isLive: true })
  const fitting = hits.filter(({ session }) => isWithin(session, filters, now))
  const rows = fitting.map(({ session, event, snippet }) => ({ session, seq: event?.seq ?? null, snippet }))
  return { rows, total: how === 'exact' || !isNarrow ? total : rows.length }
}

/** The word that is being typed may become a longer one. */
function withPrefix(text: string): string {
  const word = /(?:^|\s)([\p{L}][\p{L}\p{N}]*)$/u.exec(text)?.[1] ?? ''
  return word.length >= SHORTEST_PREFIX && !STOP_WORDS.has(word.toLowerCase()) ? `${text}*` : text
}

async function previewOf({ recall }: Context, { session, seq, snippet }: Row): Promise<Preview> {
  const from = Math.max(0, (seq ?? 1) - BEFORE)
  const window = { sidechains: true, fromSeq: from, toSeq: from + AROUND }
  const events = session.evictedAt === null ? await recall.events(session, window) : []
  return { session, snippet, said: events.flatMap((event) => (isSaid(event) ? [said(event)] : [])) }
}

function isSaid({ kind, role, text, marks }: EventRecord): boolean {
  return (text ?? '').trim() !== '' && kind !== 'thinking' && role !== 'system' && marks.injected !== true
}

function said({ seq, kind, tool, role, text }: EventRecord): Preview['said'][number] {
  const who = tool === null ? role : `[${tool}]`
  return { pointer: pointerOf(seq), who: kind === 'error' ? `✗ ${who}` : who, text: text ?? '' }
}
