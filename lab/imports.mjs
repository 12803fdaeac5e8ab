#!/usr/bin/env node
// A session of Claude Code that the real Codex takes over and goes on with: recall must know it as one, and what came after as another.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { environment, program } from './agents.mjs'
import { play } from './run.mjs'

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: process.env.LAB_CACHE ?? join(homedir(), '.cache/recall-lab') },
    recall: { type: 'string', default: resolve(dirname(fileURLToPath(import.meta.url)), '../bin/recall.js') },
  },
})
const cache = resolve(values.cache)
const home = mkdtempSync(join(tmpdir(), 'recall-lab-imports-'))

try {
  const claude = await play({ agent: 'claude', name: 'fixtest', home, cache })
  // Or the thread belongs to a provider of models that nobody has here.
  const other = await play({ agent: 'codex', name: 'simple', home, cache })
  const thread = await imported(claude)
  const goOn = (t) => ({
    steps: [{ prompt: 'Now go on here.', approve: true, flags: ['resume', thread] }],
    turns: [{ text: 'I go on in Codex.', calls: [t.sh('echo on')] }, { text: 'Done here.' }],
  })
  const before = told(other)
  await play({ agent: 'codex', name: 'imported', scenario: goOn, home, cache })
  const after = told(other)
  const wrong = [
    ...differences('imported', before, [`claude:${claude.steps[0].session} - 6`]),
    ...differences('gone on', after, [
      `claude:${claude.steps[0].session} - 6`,
      `codex:${thread} claude:${claude.steps[0].session} 4`,
    ]),
  ]
  console.log(wrong.length === 0 ? 'one session, counted once' : wrong.join('\n'))
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Lets the server of Codex take over the session. The id of the thread it made. */
async function imported(claude) {
  const bin = program('codex', { cache })
  const env = environment('codex', { home, url: 'http://127.0.0.1:1', cache, bin })
  const server = spawn(bin, ['app-server'], { env, cwd: claude.cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const until = async (isIt) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('the server of Codex has ended')
      const message = JSON.parse(value)
      if (isIt(message)) return message
    }
  }
  const ask = async (id, method, params) => {
    server.stdin.write(`${JSON.stringify({ id, method, params })}\n`)
    return (await until((message) => message.id === id)).result
  }
  try {
    const clientInfo = { name: 'lab', title: null, version: '1' }
    await ask(0, 'initialize', { clientInfo, capabilities: { experimentalApi: true } })
    server.stdin.write('{"method":"initialized"}\n')
    const { items } = await ask(1, 'externalAgentConfig/detect', { includeHome: true, cwds: [claude.cwd] })
    const migrationItems = items.filter(({ itemType }) => itemType === 'SESSIONS')
    server.stdin.write(
      `${JSON.stringify({ id: 2, method: 'externalAgentConfig/import', params: { migrationItems } })}\n`,
    )
    await until(({ method }) => method === 'externalAgentConfig/import/completed')
  } finally {
    server.kill()
  }
  const ledger = JSON.parse(readFileSync(join(home, '.codex/external_agent_session_imports.json'), 'utf8'))
  return ledger.records[0].imported_thread_id
}

/** What recall lists beside a session that Codex had for itself: uid, parent, messages. */
function told(other) {
  const recall = (...args) =>
    execFileSync(process.execPath, [values.recall, ...args], {
      env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: join(home, 'data') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  recall('index')
  const { sessions } = JSON.parse(recall('list', '--all', '--limit', '0', '--json'))
  return sessions
    .filter(({ session_uid: uid }) => uid !== `codex:${other.steps[0].session}`)
    .map(({ session_uid: uid, parent_uid: parent, message_count: messages }) => `${uid} ${parent ?? '-'} ${messages}`)
    .sort()
}

function differences(step, found, expected) {
  const extra = found.filter((row) => !expected.includes(row))
  const missing = expected.filter((row) => !found.includes(row))
  return [...extra.map((row) => `${step}: told ${row}`), ...missing.map((row) => `${step}: did not tell ${row}`)]
}
