import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid } from './kit/claude-log.ts'
import { CodexLog, rolloutPath, threadId, TURN, write } from './kit/codex-log.ts'
import { NOW, productOn, tempDir } from './kit/home.ts'

const SESSION = uuid('badgers')
const THREAD = threadId(5)
const CLAUDE = `claude:${SESSION}`
const CODEX = `codex:${THREAD}`

function conversation(): ClaudeLog {
  return new ClaudeLog(SESSION).user('why do badgers dig?').say('Let me look.')
}

/** What Codex 0.169 wrote when it was asked to take over the sessions of Claude Code: lab/imports.mjs. */
function imported(log = new CodexLog(THREAD, { source: 'vscode', base_instructions: { text: 'be kind' } })): CodexLog {
  const turn = 'external-import-turn-1'
  const nothing = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0 }
  const total = { ...nothing, total_tokens: 247 }
  return log
    .event('task_started', { turn_id: turn, started_at: Date.parse('2026-10-01T08:00:00Z') / 1000 })
    .event('user_message', { message: 'why do badgers dig?', images: [] })
    .injected('why do badgers dig?')
    .say('Let me look.')
    .say('[external_agent_tool_call: Bash]\ncommand: ls setts\n[/external_agent_tool_call]')
    .event('agent_message', { message: '<EXTERNAL SESSION IMPORTED>' })
    .event('token_count', { info: { total_token_usage: total, last_token_usage: total } })
    .complete(turn, { started_at: 1, completed_at: 2 })
}

function goneOn(log: CodexLog): CodexLog {
  return log
    .event('thread_settings_applied', { thread_id: THREAD, thread_settings: { model: 'gpt-test-1' } })
    .start(TURN[3])
    .context()
    .prompt('and otters?')
    .say('They swim.')
    .tokens(500, 0, 20)
    .complete(TURN[3])
}

function lay(home: string, { log = imported(), claude = true, ledger = true } = {}) {
  if (claude) write(transcriptPath(home, SESSION), conversation().text())
  write(rolloutPath(home, THREAD), log.text())
  if (ledger) note(home)
}

function note(home: string): void {
  const record = { source_path: transcriptPath(home, SESSION), imported_thread_id: THREAD, content_sha256: 'ab' }
  write(
    path.join(home, '.codex', 'external_agent_session_imports.json'),
    JSON.stringify({ records: [null, { source_path: 7 }, record] }),
  )
}

async function told(home: string, store = path.join(tempDir(), 'recall.db')) {
  const bench = productOn(home, store)
  await bench.recall.index()
  const { sessions } = await bench.recall.list({ hidden: true, limit: 0 })
  const hits = async (words: string) => {
    const found = await bench.recall.search({ text: words, filter: { limit: 9 }, now: NOW })
    return found.hits.map(({ session }) => session.uid)
  }
  const listed = sessions.map(({ uid, messageCount, parentUid }) => [uid, messageCount, parentUid]).sort()
  const told = { listed, badgers: await hits('badgers'), otters: await hits('otters') }
  await bench.recall.close()
  return told
}

const ONE = { listed: [[CLAUDE, 2, null]], badgers: [CLAUDE], otters: [] }
const TWO = {
  listed: [
    [CLAUDE, 2, null],
    [CODEX, 2, CLAUDE],
  ],
  badgers: [CLAUDE],
  otters: [CODEX],
}

test('a session that Codex imported is one session, found and counted where it was had', async () => {
  const home = tempDir()
  lay(home)
  expect(await told(home)).toEqual(ONE)
})

test('what goes on in Codex is a session of its own that says where it comes from', async () => {
  const home = tempDir()
  lay(home, { log: goneOn(imported()) })
  expect(await told(home)).toEqual(TWO)
})

test('it does not matter in how many steps it was read, nor whether the note on the import came last', async () => {
  const home = tempDir()
  const store = path.join(tempDir(), 'recall.db')
  lay(home, { ledger: false, claude: false })
  expect((await told(home, store)).listed).toEqual([[CODEX, 4, null]])
  note(home)
  const { listed } = await told(home, store)
  expect(listed).toEqual([[CLAUDE, 3, null]])
  lay(home, { log: goneOn(imported()) })
  expect(await told(home, store)).toEqual(TWO)
  const again = imported(goneOn(imported()))
  lay(home, { log: again })
  expect(await told(home, store)).toEqual(TWO)
})

test('where the transcript is gone the import tells the session, under its own name and with its own times', async () => {
  const home = tempDir()
  lay(home, { claude: false })
  const { recall } = productOn(home)
  await recall.index()
  const { sessions } = await recall.list({ limit: 0 })
  expect(sessions).toMatchObject([
    {
      uid: CLAUDE,
      title: 'why do badgers dig?',
      startedAt: Date.parse('2026-10-01T08:00:00Z'),
      cwd: expect.any(String),
    },
  ])
  await recall.close()
})

test('a session that was forgotten does not come back by way of its import', async () => {
  const home = tempDir()
  const store = path.join(tempDir(), 'recall.db')
  lay(home)
  await told(home, store)
  const { recall } = productOn(home, store)
  await recall.forget([await recall.find(CLAUDE)])
  await recall.close()
  rmSync(transcriptPath(home, SESSION))
  lay(home, { log: goneOn(imported()), claude: false })
  expect(await told(home, store)).toEqual({ listed: [[CODEX, 2, CLAUDE]], badgers: [], otters: [CODEX] })
})

test('a thread that was made from the session of an agent nobody reads is Codex’s own', async () => {
  const home = tempDir()
  lay(home, { ledger: false, claude: false })
  const record = { source_path: '/home/sam/.cursor/chats/x/agent.jsonl', imported_thread_id: THREAD }
  write(path.join(home, '.codex', 'external_agent_session_imports.json'), JSON.stringify({ records: [record] }))
  expect((await told(home)).listed).toEqual([[CODEX, 4, null]])
})
