import { inertJson } from '../model/inert.ts'
import { SCHEMA_VERSION } from '../operations/session-document.ts'
import { keepFields, type Chosen } from './fields.ts'
import { isLongFor } from './pager.ts'
import { createStyles, type Paint, type Styles } from './styles.ts'
import { cutStart } from './table.ts'

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** What the bar and its percents take, and the last column, in which some terminals break the line. */
const BAR_COLUMNS = 24 + ' 100% '.length + 1

/**
 * Where a command speaks. Answers go to `out`; progress, warnings and advice go to `err`. Whatever text it is given is
 * inert when it is written: no control sequence but those of its own styles and of its bar.
 */
export class Terminal {
  readonly isTTY: boolean
  readonly isColoured: boolean
  readonly dim: Paint
  readonly bold: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly red: Paint
  readonly cyan: Paint
  readonly #out: Stream
  readonly #err: Stream
  readonly #styles: Styles
  #barShown = false
  #answered = false
  #chosen: Chosen | null = null
  /** What waits to be shown at once. */
  #held: { text: string; notes: string[] } | null = null
  #isPaging = false

  constructor(out: Stream, err: Stream, colour: boolean) {
    this.#out = out
    this.#err = err
    this.isTTY = out.isTTY === true
    this.isColoured = colour && (this.isTTY || err.isTTY === true)
    this.#styles = createStyles(this.isColoured, Math.random().toString(36).slice(2))
    this.dim = this.#styles.dim
    this.bold = this.#styles.bold
    this.green = this.#styles.green
    this.yellow = this.#styles.yellow
    this.red = this.#styles.red
    this.cyan = this.#styles.cyan
  }

  /** Columns to fit into on a terminal, if it tells of any; without one nothing is ever cut. */
  get width(): number {
    return this.isTTY ? this.#out.columns || 100 : Number.MAX_SAFE_INTEGER
  }

  /** The JSON document has been printed. */
  get answered(): boolean {
    return this.#answered
  }

  /** A pager has the terminal, and the keys that are pressed there. */
  get isPaging(): boolean {
    return this.#isPaging
  }

  line(text = ''): void {
    this.#write(`${this.#styles.render(text, this.isTTY)}\n`)
  }

  /** A line as it would be written, for who draws on a whole screen. */
  shown(line: string): string {
    return this.#styles.render(line, this.isTTY)
  }

  /** Keys belong to another program until that has ended. */
  async whilePaging<T>(work: () => Promise<T>): Promise<T> {
    this.#isPaging = true
    try {
      return await work()
    } finally {
      this.#isPaging = false
    }
  }

  /** On a terminal, keeps back what is answered until `release`. */
  hold(): void {
    if (this.isTTY) this.#held = { text: '', notes: [] }
  }

  /** Shows what was kept back: with `show` if it is longer than the screen, else, and if that says no, as it is. */
  async release(show: ((text: string) => Promise<boolean>) | null): Promise<void> {
    const held = this.#held
    this.#held = null
    if (held === null) return
    const screen = { columns: this.#out.columns ?? 80, rows: this.#out.rows ?? 24 }
    const isShown = show !== null && isLongFor(held.text, screen) && (await this.whilePaging(() => show(held.text)))
    if (!isShown) this.#out.write(held.text)
    for (const note of held.notes) this.note(note)
  }

  #write(text: string): void {
    if (this.#held === null) this.#out.write(text)
    else this.#held.text += text
  }

  /** The very bytes of something stored, for files and other programs; a terminal gets it as `line` would print it. */
  exact(text: string): void {
    if (this.isTTY) this.line(text.endsWith('\n') ? text.slice(0, -1) : text)
    else this.#write(text)
  }

  /** A text that stands in a line of others: inert, and without newlines of its own. */
  cell(text: string): string {
    return this.#styles.cell(text)
  }

  /** The text without our styles, for measuring. */
  bare(text: string): string {
    return this.#styles.bare(text)
  }

  /** Keeps only these fields in what `json` prints. */
  choose(chosen: Chosen | null): void {
    this.#chosen = chosen
  }

  /** One JSON document, the only thing on `out`. */
  json(document: Readonly<Record<string, unknown>>): void {
    const shown = this.#chosen === null || 'error' in document ? document : keepFields(document, this.#chosen)
    this.#answered = true
    const json = JSON.stringify({ schema_version: SCHEMA_VERSION, ...shown }, null, this.isTTY ? 2 : 0)
    this.#write(`${inertJson(json)}\n`)
  }

  /** What is said after the first words of an answer that is kept back is said after it. */
  note(text: string): void {
    if (this.#held !== null && this.#held.text !== '') return void this.#held.notes.push(text)
    this.#clearBar()
    this.#err.write(`${this.#styles.render(text, this.#err.isTTY === true)}\n`)
  }

  /** A bar in one line on a terminal, nothing elsewhere; a label that is wider loses its beginning. */
  progress(done: number, total: number, label: string): void {
    if (this.#err.isTTY !== true || total <= 0) return
    const share = Math.min(1, done / total)
    const filled = Math.round(share * 24)
    const bar = `${'━'.repeat(filled)}${this.dim('─'.repeat(24 - filled))}`
    const what = cutStart(this.cell(label), Math.max(1, (this.#err.columns ?? 80) - BAR_COLUMNS))
    const text = this.#styles.render(`${bar} ${Math.round(share * 100)}% ${what}`, true)
    this.#err.write(`\r\x1b[2K${text}`)
    this.#barShown = true
  }

  progressDone(): void {
    this.#clearBar()
  }

  #clearBar(): void {
    if (this.#barShown) this.#err.write('\r\x1b[2K')
    this.#barShown = false
  }
}
