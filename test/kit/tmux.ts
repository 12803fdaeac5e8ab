import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { bin } from './cli.ts'

const isThere = spawnSync('tmux', ['-V']).status === 0

/** Why nothing can be tried in a terminal that can be looked at; false if it can. */
export const noTmux = isThere ? false : 'no tmux on this machine'

let count = 0

/** A terminal that can be typed into, resized and looked at, with a server of its own. Close it at the end. */
export class Screen {
  readonly #name = `recall-test-${process.pid}-${count++}`

  constructor(env: Record<string, string>, args: readonly string[], size: { columns: number; rows: number }) {
    const words = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const set = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const command = `${words}; echo "ended with $?"; exec cat`
    const { columns, rows } = size
    this.#tmux('new-session', '-d', '-s', this.#name, '-x', String(columns), '-y', String(rows), ...set, command)
    this.#tmux('set-option', '-t', this.#name, 'window-size', 'manual')
  }

  /** Keys by their names in tmux: `Enter`, `Down`, `C-c`. */
  press(...keys: string[]): void {
    this.#tmux('send-keys', '-t', this.#name, ...keys)
  }

  /** Again and again, until the screen shows what it is for: what was just interrupted may not hear the first. */
  async pressUntil(key: string, wanted: string | RegExp): Promise<string> {
    for (let tries = 1; ; tries++) {
      this.press(key)
      const shown = await this.until(wanted, 500).catch((error: unknown) => (tries < 20 ? null : Promise.reject(error)))
      if (shown !== null) return shown
    }
  }

  type(text: string): void {
    this.#tmux('send-keys', '-t', this.#name, '-l', text)
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-t', this.#name, '-x', String(columns), '-y', String(rows))
  }

  /** The lines as a person sees them. */
  lines(): string[] {
    return this.#tmux('capture-pane', '-p', '-t', this.#name).split('\n').slice(0, -1)
  }

  /** The screen once it holds this; what it holds instead, if that does not come. */
  async until(wanted: string | RegExp, patienceMs = 10_000): Promise<string> {
    const end = Date.now() + patienceMs
    for (;;) {
      const shown = this.lines().join('\n')
      if (typeof wanted === 'string' ? shown.includes(wanted) : wanted.test(shown)) return shown
      if (Date.now() > end) throw new Error(`the screen never showed ${String(wanted)}:\n${shown}`)
      await sleep(30)
    }
  }

  close(): void {
    this.#tmux('kill-server')
  }

  #tmux(...args: string[]): string {
    return spawnSync('tmux', ['-L', this.#name, '-f', '/dev/null', ...args], { encoding: 'utf8' }).stdout
  }
}
