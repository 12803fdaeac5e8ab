// A terminal in which an agent runs as people run it, to be typed into and looked at. Needs tmux.
import { execFileSync, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 30_000

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

export class Screen {
  #name = `recall-lab-${process.pid}-${Date.now()}`

  constructor([...words], { cwd, env }) {
    const set = Object.entries({ ...env, TERM: 'xterm-256color' }).flatMap(([name, value]) => [
      '-e',
      `${name}=${value}`,
    ])
    this.#tmux('new-session', '-d', '-x', '140', '-y', '50', '-c', cwd, ...set, words.map(quoted).join(' '))
  }

  /** Keys by their names in tmux: `Enter`, `Down`, `Escape`. */
  async press(...keys) {
    for (const key of keys) {
      this.#tmux('send-keys', key)
      await sleep(300)
    }
  }

  /** Types words, and sends them once they are there to be read. */
  async say(text) {
    await this.type(text)
    await this.press('Enter')
  }

  async type(text) {
    this.#tmux('send-keys', '-l', '--', text)
    await this.until(text)
    await sleep(300)
  }

  /** Moves on by a key until the screen shows what is looked for. */
  async reach(wanted, key) {
    for (let tries = 0; !wanted.test(this.text()) && tries < 9; tries++) await this.press(key)
    await this.until(wanted)
  }

  async until(wanted) {
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const shown = this.text()
      if (typeof wanted === 'string' ? shown.includes(wanted) : wanted.test(shown)) return
      if (Date.now() > end) throw new Error(`the screen never showed ${wanted}:\n${shown.replace(/\n\s*\n/g, '\n')}`)
      await sleep(100)
    }
  }

  text() {
    return this.#tmux('capture-pane', '-p')
  }

  /** Over only when the agent is: its last word in its settings must not come after the next one's first. */
  async close() {
    const pid = Number(this.#tmux('display-message', '-p', '#{pane_pid}'))
    spawnSync('tmux', ['-L', this.#name, 'kill-server'])
    for (let tries = 0; isAlive(pid) && tries < 50; tries++) await sleep(100)
  }

  #tmux(...args) {
    return execFileSync('tmux', ['-L', this.#name, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const quoted = (word) => `'${word.replaceAll("'", `'\\''`)}'`
