/**
 * The programs recall is measured against. A new peer is one entry here and one line in
 * package.json.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from './measure.mjs'

/**
 * @typedef {import("./measure.mjs").Program} Program
 * @typedef {{ name: string, package: string, entry: string, job: "usage" | "search",
 *   does: string, prepare?: () => void,
 *   program: (entry: string, word: string) => Omit<Program, "env">,
 *   found?: (stdout: string) => number }} Peer
 *   `job` says which of our figures it stands beside; `found` counts the sessions of a search answer.
 */

const BENCH = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)

/** @type {readonly Peer[]} */
export const PEERS = [
  {
    name: 'ccusage 18',
    package: 'ccusage-18',
    entry: 'dist/index.js',
    job: 'usage',
    does: 'reads every record, keeps token totals',
    program: (entry) => ({ command: process.execPath, args: [entry, 'daily', '--offline', '--json'] }),
  },
  {
    name: 'ccusage 20',
    package: 'ccusage-20',
    entry: 'src/cli.js',
    job: 'usage',
    does: 'the same, as a native program on all cores',
    prepare: makeNativeCcusageExecutable,
    program: (entry) => ({ command: process.execPath, args: [entry, 'claude', 'daily', '--offline', '--json'] }),
  },
  {
    name: 'codeburn',
    package: 'codeburn',
    entry: 'dist/cli.js',
    job: 'usage',
    does: 'reads every record, keeps totals by task, tool and model in a cache',
    program: (entry) => ({
      command: process.execPath,
      args: [entry, 'report', '--period', 'all', '--provider', 'claude', '--format', 'json'],
    }),
  },
  {
    name: 'claude-search',
    package: 'claude-search',
    entry: 'bin/claude-search.js',
    job: 'search',
    does: 'scans every file for each question',
    program: (entry, word) => ({ command: process.execPath, args: [entry, word, '--limit', '20'] }),
    found: (stdout) => new Set(stdout.match(/(?<=claude --resume )\S+/g)).size,
  },
  {
    name: 'claude-historian-mcp',
    package: 'claude-historian-mcp',
    entry: 'dist/index.js',
    job: 'search',
    does: 'scans a few files of a few projects for each question',
    program: (entry, word) => ({
      command: process.execPath,
      args: [entry],
      input: mcpQuestion('search_conversations', { query: word, limit: 20 }),
      until: (stdout) => stdout.includes('"id":2'),
    }),
    found: (stdout) => Number(/\| (\d+) results/.exec(stdout)?.[1] ?? 0),
  },
]

/**
 * The daily report of ccusage 20 on the sessions of one agent, or why it cannot be had.
 *
 * @param {"claude" | "codex"} agent
 * @returns {Omit<Program, "env"> | { reason: string }}
 */
export function ccusageDaily(agent) {
  const peer = /** @type {Peer} */ (PEERS.find(({ package: name }) => name === 'ccusage-20'))
  const place = locatePeer(peer)
  if ('reason' in place) return place
  return { command: process.execPath, args: [place.entry, agent, 'daily', '--offline', '--json'] }
}

/** Installs the peers if they are not there. Returns what went wrong, if anything did. */
export function installPeers() {
  if (existsSync(join(BENCH, 'node_modules'))) return undefined
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, error } = spawnSync('npm', args, { cwd: BENCH, stdio: ['ignore', 'ignore', 'inherit'] })
  return status === 0 ? undefined : `npm install failed (${error?.message ?? `exit ${status}`})`
}

/**
 * Where the peer's program is, with its version, or why it cannot run here.
 *
 * @param {Peer} peer
 * @returns {{ entry: string, version: string } | { reason: string }}
 */
export function locatePeer(peer) {
  const root = join(BENCH, 'node_modules', peer.package)
  if (!existsSync(root)) return { reason: reasonForAbsence(peer) }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  peer.prepare?.()
  return { entry: join(root, peer.entry), version }
}

/**
 * A home of the peer's own that shows the same sessions, so that what it writes (caches) neither
 * stays nor reaches the next run.
 *
 * @param {{ home: string, scratch: string }} places
 */
export function peerEnvironment({ home, scratch }) {
  const borrowed = join(scratch, 'home')
  mkdirSync(borrowed, { recursive: true })
  for (const agent of ['.claude', '.codex']) {
    if (existsSync(join(home, agent))) symlinkSync(join(home, agent), join(borrowed, agent))
  }
  return cleanEnvironment({ home: borrowed, scratch })
}

/** @param {Peer} peer */
function reasonForAbsence(peer) {
  const lock = JSON.parse(readFileSync(join(BENCH, 'package-lock.json'), 'utf8'))
  const wanted = lock.packages?.[`node_modules/${peer.package}`]?.engines?.node
  return wanted === undefined
    ? 'not installed'
    : `not installed: it wants Node ${wanted}, this is ${process.versions.node}`
}

/** Its npm package carries the program without the permission to run it. */
function makeNativeCcusageExecutable() {
  const { platform, arch } = process
  const name = `@ccusage/ccusage-${platform}-${arch}`
  if (!existsSync(join(BENCH, 'node_modules', name))) return
  const folder = dirname(require.resolve(`${name}/package.json`))
  chmodSync(join(folder, 'bin', platform === 'win32' ? 'ccusage.exe' : 'ccusage'), 0o755)
}

/**
 * @param {string} name
 * @param {object} args
 */
function mcpQuestion(name, args) {
  const clientInfo = { name: 'recall-bench', version: '0' }
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name, arguments: args } },
  ]
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
}
