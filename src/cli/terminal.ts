import pc from 'picocolors'
import { SCHEMA_VERSION } from '../model/shapes.ts'
import { keepFields, type Chosen } from './fields.ts'

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

type Paint = (text: string) => string

/** Where a command speaks. Answers go to `out`; progress, warnings and advice go to `err`. */
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
  #barShown = false
  #answered = false
  #chosen: Chosen | null = null

  constructor(out: Stream, err: Stream, colour: boolean) {
    this.#out = out
    this.#err = err
    this.isTTY = out.isTTY === true
    const colors = pc.createColors(colour && this.isTTY)
    this.dim = colors.dim
    this.bold = colors.bold
    this.green = colors.green
    this.yellow = colors.yellow
    this.red = colors.red
    this.cyan = colors.cyan
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
    this.#out.write(`${text}\n`)
  }

  /** Keeps only these fields in what `json` prints. */
  choose(chosen: Chosen | null): void {
    this.#chosen = chosen
  }

  /** One JSON document, the only thing on `out`. */
  json(document: Readonly<Record<string, unknown>>): void {
    const told = this.#chosen === null || 'error' in document ? document : keepFields(document, this.#chosen)
    this.#answered = true
    this.#out.write(`${JSON.stringify({ schema_version: SCHEMA_VERSION, ...told }, null, this.isTTY ? 2 : 0)}\n`)
  }

  note(text: string): void {
    this.#clearBar()
    this.#err.write(`${text}\n`)
  }

  /** A bar on a terminal, nothing elsewhere. */
  progress(done: number, total: number, label: string): void {
    if (this.#err.isTTY !== true || total <= 0) return
    const share = Math.min(1, done / total)
    const filled = Math.round(share * 24)
    const bar = `${'━'.repeat(filled)}${this.dim('─'.repeat(24 - filled))}`
    this.#err.write(`\r\x1b[2K${bar} ${Math.round(share * 100)}% ${label}`)
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
