import path from 'node:path'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './claude-log.ts'
import { CodexLog, rolloutPath, threadId, TURN } from './codex-log.ts'
import { GrokEvents, GrokLog, jsonLines, sessionDir } from './grok-log.ts'
import { jsonl, tracePath } from './kei-trace.ts'

/** One of everything with which a text can steer a terminal or hide in it. */
export const HOSTILE = [
  '\u001b]0;owned\u0007', // sets the title of the window
  '\u001b]52;c;b3duZWQ=\u001b\\', // writes to the clipboard
  '\u001b]8;;https://evil.test\u001b\\', // makes a link of what follows
  '\u001bPq~\u001b\\', // draws
  '\u001b_Gx\u001b\\\u001b^x\u001b\\',
  '\u001b[2J\u001b[1;1H\u001b[8m', // clears, moves, conceals
  '\u001b[31m\u001b[1m', // looks like ours
  '\u009b2J\u009d0;owned\u009c\u0090q\u0085', // the same in one character
  '\u0008\u000b\u000c\u000e\u007f',
  'good\rbad',
  '\u202eevil\u202c\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  '\u2028\u2029\u200b\u2060\ufeff\u{e0041}\u{e0042}\ufe0f\ufe0f\u00ad',
].join('')

/** A hostile text with a word to find it by. */
export function hostile(word: string): string {
  return `${HOSTILE} ${word} ${HOSTILE}\u0000`
}

/** Sessions of every agent whose every text is hostile. */
export function writeHostileHome(home: string): { readonly claude: string; readonly file: string } {
  const session = uuid('hostile')
  writeClaude(home, session, 'first')
  writeClaude(home, uuid('hostile again'), 'second')
  writeCodex(home)
  writeGrok(home)
  write(tracePath(home, 'flat'), jsonl(keiLines()))
  return { claude: `claude:${session}`, file: FILE }
}

const ERROR = `Error: connect ECONNREFUSED 127.0.0.1:5432 heron ${HOSTILE}`
const NAME = HOSTILE.replaceAll('/', '')
const FILE = `/home/sam/${NAME}\nProject: forged/handler.ts`

function writeClaude(home: string, session: string, word: string): void {
  const version = NAME
  const log = new ClaudeLog(session, { cwd: `/home/sam/${NAME}\nforged`, gitBranch: `fix/${NAME}\nforged`, version })
  const model = { message: { model: `claude-${NAME}\nforged` } }
  log.user(hostile(`prompt ${word} why does the deploy fail`)).think(hostile('thought'))
  log.say(hostile('answer'), model)
  log.call('t1', 'Bash', { command: `make deploy "${HOSTILE}"`, description: hostile('description') })
  log.result('t1', ERROR, { is_error: true })
  log.call('t2', 'Bash', { command: `make deploy "${HOSTILE}"`, description: hostile('description') })
  log.result('t2', ERROR, { is_error: true })
  log.user(hostile('no, that is wrong, use the other target'))
  log.call('t3', 'Bash', { command: `make deploy "${HOSTILE}"` }).result('t3', hostile('all is well'))
  log.call('t4', 'Edit', { file_path: FILE, old_string: hostile('old'), new_string: hostile('new') })
  log.result('t4', hostile('edited'))
  log.call('t5', 'Read', { file_path: FILE }).result('t5', hostile('lines'))
  log.call('t6', `mcp__${NAME}\n__tool`, { [NAME]: hostile('input') }).result('t6', hostile('done'))
  log.call('t7', 'Bash', { command: `git commit -m '${hostile('message')}'` })
  log.result('t7', `[main 4f2a9c1] ${hostile('message')}`)
  log.record({ type: 'system', subtype: 'api_error', error: { message: hostile('broken') } })
  log.record({ type: `of tomorrow ${NAME}`, content: hostile('unknown') })
  log.bare({ type: 'custom-title', customTitle: hostile(`title ${word}`), sessionId: session })
  log.bare({ type: 'pr-link', prUrl: `https://forge.test/${NAME}/1`, sessionId: session })
  log.say(hostile('all done'), model)
  write(transcriptPath(home, session), `${log.text()}{"type":"${NAME}\n`)
  const agent = new ClaudeLog(session, { agentId: 'a1', isSidechain: true })
  agent.user(hostile('subagent prompt')).say(hostile('subagent answer'))
  write(subagentPath(home, session, 'a1'), agent.text())
}

function writeCodex(home: string): void {
  const log = new CodexLog(threadId(1), { cwd: `/home/sam/${NAME}\nforged`, git: { branch: `fix/${NAME}\nforged` } })
  log.start(TURN[0]).context(`gpt-${NAME}`).prompt(hostile('codex prompt why does the deploy fail'))
  log.think(hostile('thought')).say(hostile('answer'))
  log.call('c1', 'shell', { command: ['bash', '-lc', `make deploy "${HOSTILE}"`] })
  log.output('c1', JSON.stringify({ output: ERROR, metadata: { exit_code: 1 } }))
  log.call('c2', `tool ${NAME}`, { note: hostile('input') }).output('c2', hostile('output'))
  log.event(`of_tomorrow_${NAME}`, { message: hostile('unknown') }).event('error', { message: hostile('broken') })
  log.tokens(10, 0, 5).complete(TURN[0])
  write(rolloutPath(home, log.session), log.text())
}

function writeGrok(home: string): void {
  const session = '019f0000-0000-7000-8000-000000000010'
  const log = new GrokLog(session).prompt(hostile('grok prompt why does the deploy fail'), { modelId: `grok-${NAME}` })
  const events = new GrokEvents(log).turn({ model_id: `grok-${NAME}` })
  log.think(hostile('thought')).say(hostile('answer'))
  log.call('g1', 'run_terminal_command', { command: `make deploy "${HOSTILE}"` })
  log.result('g1', ERROR, 1, 'failed')
  log
    .call('g2', `tool ${NAME}`, { note: hostile('input') })
    .result('g2', hostile('output'))
    .done()
  const dir = sessionDir(path.join(home, '.grok'), session)
  write(path.join(dir, 'updates.jsonl'), log.text())
  write(path.join(dir, 'events.jsonl'), events.end().text())
  const info = { id: session, cwd: `/home/sam/${NAME}` }
  const summary = { info, generated_title: hostile('grok title'), head_branch: NAME }
  write(path.join(dir, 'summary.json'), JSON.stringify(summary))
  const lost = { session_id: '019f0000-0000-7000-8000-000000000020', prompt: hostile('lost prompt'), timestamp: 1 }
  write(path.join(path.dirname(dir), 'prompt_history.jsonl'), jsonLines([lost]))
}

function keiLines(): object[] {
  return [
    { ts: 1700000000, kind: 'tool_use', tool: `Read${NAME}`, file_path: FILE, event_class: `tool_use:${NAME}` },
    { ts: 1700000001, kind: 'tool_result', tool: 'Read', is_error: false, message: hostile('result') },
    { ts: 1700000002, kind: 'tool_use', tool: 'Bash', is_error: true, message: ERROR },
    { ts: 1700000003, kind: 'other', message: hostile('remark'), event_class: 'user_correction' },
  ]
}
