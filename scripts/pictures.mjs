// Makes docs/pictures anew from the demo, in tmux: `node scripts/pictures.mjs`. Needs tmux; the clock stands still.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const NOW = '2026-11-01T12:00:00Z'
const COLUMNS = 96
const QUESTION = 'nginx does not start after the config change'

/** What is run, what is typed there, and how many rows the picture has. */
const PICTURES = {
  demo: { command: '$ recall demo', args: ['demo'], rows: 17, keys: [] },
  search: {
    command: `$ recall search "${QUESTION}" --limit 3`,
    args: ['search', QUESTION, '--limit', '3'],
    rows: 22,
    keys: [],
  },
  show: { command: '$ recall show last --tools', args: ['show', 'last', '--tools'], rows: 26, keys: [] },
  stats: { command: '$ recall stats', args: ['stats'], rows: 26, keys: [] },
  browse: { command: null, args: ['browse'], rows: 26, keys: ['deploy', 'Down'] },
}

const env = { ...process.env, TZ: 'UTC', LANG: 'C.UTF-8', PAGER: 'cat', RECALL_BENCH_NOW: NOW }
const program = [process.execPath, '--require', path.join(root, 'bench/clock.cjs'), path.join(root, 'bin/recall.js')]

if (spawnSync('tmux', ['-V']).status !== 0) {
  console.error('no tmux on this machine')
  process.exit(2)
}
const kept = spawnSync(program[0] ?? '', [...program.slice(1), 'demo', '--keep'], { env, encoding: 'utf8' }).stdout
const store = /--store (\S+)/.exec(kept)?.[1]
if (store === undefined) throw new Error(`the demo kept nothing:\n${kept}`)
run('analyze', '--store', store)
try {
  for (const [name, picture] of Object.entries(PICTURES)) {
    const screen = await captured(name === 'demo' ? picture.args : [...picture.args, '--store', store], picture)
    const { stdout } = spawnSync(process.execPath, [path.join(root, 'scripts/picture.mjs')], {
      input: screen,
      encoding: 'utf8',
    })
    writeFileSync(path.join(root, 'docs/pictures', `${name}.svg`), stdout)
    console.log(`docs/pictures/${name}.svg`)
  }
} finally {
  rmSync(path.dirname(path.dirname(store)), { recursive: true, force: true })
}

/** @param {string[]} args */
function run(...args) {
  spawnSync(program[0] ?? '', [...program.slice(1), ...args], { env })
}

/**
 * @param {readonly string[]} args
 * @param {{ command: string | null, rows: number, keys: readonly string[] }} picture
 */
async function captured(args, { command, rows, keys }) {
  const socket = `recall-pictures-${process.pid}`
  /** @param {string[]} words */
  const tmux = (...words) =>
    spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' }).stdout
  /** @param {string} word */
  const quoted = (word) => `'${word.replaceAll("'", `'\\''`)}'`
  const typed = command === null ? '' : `printf '%s\\n' ${quoted(command)}; `
  const line = `${typed}${[...program, ...args].map(quoted).join(' ')}; sleep 30`
  tmux('new-session', '-d', '-s', 'picture', '-x', String(COLUMNS), '-y', String(rows), line)
  try {
    await sleep(3000)
    for (const key of keys) {
      tmux('send-keys', '-t', 'picture', key)
      await sleep(600)
    }
    return tmux('capture-pane', '-e', '-p', '-t', 'picture')
  } finally {
    tmux('kill-server')
  }
}
