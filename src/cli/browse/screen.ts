import { StringDecoder } from 'node:string_decoder'
import { readKeys, type Key } from './keys.ts'

const ENTER = '\u001b[?1049h\u001b[?2004h\u001b[2J'
const LEAVE = '\u001b[?2004l\u001b[?25h\u001b[?1049l'
/** How long the rest of a key may take to come over a slow line, after which an escape is an escape. */
const KEY_PATIENCE_MS = 40

/** Lines to show, already inert, and where the cursor stands; null hides it. */
export interface Frame {
  readonly lines: readonly string[]
  readonly cursor: { readonly row: number; readonly column: number } | null
}

type Input = NodeJS.ReadStream
type Output = NodeJS.WriteStream

/** A whole terminal to draw on. It is given back as it was, whatever ends the program. */
export class Screen {
  readonly #input: Input
  readonly #output: Output
  readonly #onKey: (key: Key) => void
  readonly #onResize: () => void
  readonly #decoder = new StringDecoder('utf8')
  #shown: readonly string[] = []
  #pending = ''
  #patience: NodeJS.Timeout | null = null
  #isOpen = false

  constructor(input: Input, output: Output, on: { key: (key: Key) => void; resize: () => void }) {
    this.#input = input
    this.#output = output
    this.#onKey = on.key
    this.#onResize = () => {
      this.#shown = []
      if (this.#isOpen) output.write('\u001b[2J')
      on.resize()
    }
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#output.columns || 80, rows: this.#output.rows || 24 }
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#shown = []
    this.#output.write(ENTER)
    this.#input.setRawMode(true)
    this.#input.resume()
    this.#input.on('data', this.#read)
    this.#output.on('resize', this.#onResize)
    process.on('exit', this.close)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, this.#end)
  }

  readonly close = (): void => {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#input.off('data', this.#read)
    this.#input.setRawMode(false)
    this.#input.pause()
    this.#output.off('resize', this.#onResize)
    this.#output.write(LEAVE)
    process.off('exit', this.close)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, this.#end)
  }

  /** Writes the lines that have changed. */
  draw({ lines, cursor }: Frame): void {
    if (!this.#isOpen) return
    const { rows } = this.size
    let changes = '\u001b[?25l'
    for (let row = 0; row < rows; row++) {
      const line = lines[row] ?? ''
      if (line !== this.#shown[row]) changes += `\u001b[${row + 1};1H\u001b[0m\u001b[2K${line}`
    }
    this.#shown = Array.from({ length: rows }, (_, row) => lines[row] ?? '')
    if (cursor !== null) changes += `\u001b[${cursor.row + 1};${cursor.column + 1}H\u001b[?25h`
    this.#output.write(changes)
  }

  /** Something for the terminal itself, as what it should keep to paste. */
  send(sequence: string): void {
    this.#output.write(sequence)
  }

  /** Gives the terminal back, then lets the signal do what it does. */
  readonly #end = (signal: NodeJS.Signals): void => {
    this.close()
    process.kill(process.pid, signal)
  }

  readonly #read = (sent: Buffer): void => {
    if (this.#patience !== null) clearTimeout(this.#patience)
    this.#patience = null
    const { keys, rest } = readKeys(this.#pending + this.#decoder.write(sent))
    this.#pending = rest
    for (const key of keys) this.#onKey(key)
    if (rest !== '') this.#patience = setTimeout(this.#giveUp, KEY_PATIENCE_MS)
  }

  readonly #giveUp = (): void => {
    const rest = this.#pending
    this.#pending = ''
    this.#onKey({ name: 'escape' })
    const { keys } = readKeys(rest.slice(1))
    for (const key of keys) this.#onKey(key)
  }
}
