import { inertJson } from '../model/inert.ts'
import { SCHEMA_VERSION } from '../model/shapes.ts'
import { keepFields, type Chosen } from './fields.ts'
import { createStyles, type Paint, type Styles } from './styles.ts'

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/**
 * Where a command speaks. Answers go to `out`; progress, warnings and advice go to `err`. Whatever text it is given is
 * inert when it is written: no control sequence but those of its own styles and of its bar.
 */
export class Terminal {
  readonly isTTY: boolean
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

  constructor(out: Stream, err: Stream, colour: boolean) {
    this.#out = out
    this.#err = err
    this.isTTY = out.isTTY === true
    const isOn = colour && (this.isTTY || err.isTTY === true)
    this.#styles = createStyles(isOn, Math.random().toString(36).slice(2))
    this.dim = this.#styles.dim
    this.bold = this.#styles.bold
    this.green = this.#styles.green
    this.yellow = this.#styles.yellow
    this.red = this.#styles.red
    this.cyan = this.#styles.cyan
  }

  /** Columns to fit into on a terminal; without one nothing is ever cut. */
  get width(): number {
    return this.isTTY ? (this.#out.columns ?? 100) : Number.MAX_SAFE_INTEGER
  }

  /** The JSON document has been printed. */
  get answered(): boolean {
    return this.#answered
  }

  line(text = ''): void {
    this.#out.write(`${this.#styles.render(text, this.isTTY)}\n`)
  }

  /** The very bytes of something stored, for files and other programs; a terminal gets it as `line` would print it. */
  exact(text: string): void {
    if (this.isTTY) this.line(text.endsWith('\n') ? text.slice(0, -1) : text)
    else this.#out.write(text)
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
    const told = this.#chosen === null || 'error' in document ? document : keepFields(document, this.#chosen)
    this.#answered = true
    const json = JSON.stringify({ schema_version: SCHEMA_VERSION, ...told }, null, this.isTTY ? 2 : 0)
    this.#out.write(`${inertJson(json)}\n`)
  }

  note(text: string): void {
    this.#clearBar()
    this.#err.write(`${this.#styles.render(text, this.#err.isTTY === true)}\n`)
  }

  /** A bar on a terminal, nothing elsewhere. */
  progress(done: number, total: number, label: string): void {
    if (this.#err.isTTY !== true || total <= 0) return
    const share = Math.min(1, done / total)
    const filled = Math.round(share * 24)
    const bar = `${'━'.repeat(filled)}${this.dim('─'.repeat(24 - filled))}`
    const text = this.#styles.render(`${bar} ${Math.round(share * 100)}% ${this.cell(label)}`, true)
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
