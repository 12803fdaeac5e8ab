import path from 'node:path'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './claude-log.ts'

/** Where the sessions lay that the stores of older programs in `fixtures/stores` were made from. */
export const OLDER_HOME = '/tmp/recall-older-home'

const DAY = 86_400_000
const FIRST = Date.parse('2026-09-01T09:00:00Z')

/** Sessions by what became of them in those stores. */
export const OLDER_SESSIONS = {
  /** Analysed, then its raw text went. */
  evicted: uuid('older evicted'),
  forgotten: uuid('older forgotten'),
  /** Analysed, pinned, with a decision; it has a subagent. */
  kept: uuid('older kept'),
  codex: '019d0001-0000-7000-8000-000000000001',
} as const

/** The one that was evicted before the others were written. */
export function layEvicted(home: string): void {
  const log = new ClaudeLog(OLDER_SESSIONS.evicted, {}, FIRST)
    .user('why does the importer drop the last row?')
    .call('a1', 'Bash', { command: 'npm test -- importer', description: 'Run the tests' })
    .result('a1', 'FAIL importer.test.ts\n  expected 3 rows, got 2', { is_error: true })
    .call('a2', 'Edit', { file_path: '/home/sam/code/demo/src/importer.ts', old_string: 'a', new_string: 'b' })
    .result('a2', 'The file has been updated.')
    .call('a3', 'Bash', { command: 'npm test -- importer' })
    .result('a3', 'PASS importer.test.ts')
    .say('The loop stopped one row early; it reads to the end now.')
  write(transcriptPath(home, OLDER_SESSIONS.evicted), log.text())
}

export function layOthers(home: string): void {
  const { kept, forgotten, codex } = OLDER_SESSIONS
  const log = new ClaudeLog(kept, { cwd: '/home/sam/code/shop', gitBranch: 'fix/cart' }, FIRST + DAY)
    .user('the cart total is wrong for discounts over 50 %')
    .think('Discounts are probably applied twice.')
    .say('Let me look.')
    .call('b1', 'Bash', { command: 'grep -rn discount src && git log --oneline -3', description: 'Find discounts' })
    .result('b1', `src/cart.ts:41: discount\n${'x'.repeat(3000)}`)
    .call('b2', 'Task', { description: 'check rounding', prompt: 'see how prices are rounded' })
    .result('b2', 'Prices are rounded once.', { toolUseResult: { agentId: 'helper1' } })
    .call('b3', 'Edit', { file_path: '/home/sam/code/shop/src/cart.ts', old_string: '* d * d', new_string: '* d' })
    .result('b3', 'The file has been updated.')
    .user('good, commit it')
    .call('b4', 'Bash', { command: 'git commit -am "cart: apply a discount once"' })
    .result('b4', '[fix/cart 1a2b3c4] cart: apply a discount once\n 1 file changed')
    .say('Committed.')
  write(transcriptPath(home, kept, '-home-sam-code-shop'), log.text())
  const helper = new ClaudeLog(
    kept,
    { agentId: 'helper1', isSidechain: true, cwd: '/home/sam/code/shop' },
    FIRST + DAY + 7000,
  )
    .user('see how prices are rounded')
    .call('c1', 'Read', { file_path: '/home/sam/code/shop/src/price.ts' })
    .result('c1', 'export const round = (n: number) => Math.round(n * 100) / 100')
    .say('Prices are rounded once.')
  write(subagentPath(home, kept, 'helper1', '-home-sam-code-shop'), helper.text())
  write(
    transcriptPath(home, forgotten),
    new ClaudeLog(forgotten, {}, FIRST + 2 * DAY).user('a secret plan').say('ok').text(),
  )
  write(codexPath(home, codex), codexLog(codex, FIRST + 3 * DAY))
}

function codexPath(home: string, session: string): string {
  return path.join(home, '.codex', 'sessions', '2026', '09', '04', `rollout-2026-09-04T09-00-00-${session}.jsonl`)
}

function codexLog(session: string, start: number): string {
  let clock = start
  const lines: string[] = []
  const add = (type: string, payload: object) =>
    lines.push(`${JSON.stringify({ timestamp: new Date((clock += 1000)).toISOString(), type, payload })}\n`)
  const timestamp = new Date(start).toISOString()
  add('session_meta', { id: session, timestamp, cwd: '/home/sam/code/demo', cli_version: '0.142.0', source: 'cli' })
  add('turn_context', { cwd: '/home/sam/code/demo', model: 'gpt-test-1' })
  add('response_item', {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'list the open ports' }],
  })
  add('event_msg', { type: 'user_message', message: 'list the open ports', images: [] })
  const input = JSON.stringify({ command: ['bash', '-lc', 'ss -ltn'] })
  add('response_item', { type: 'function_call', name: 'shell', arguments: input, call_id: 'd1' })
  const output = JSON.stringify({ output: 'LISTEN 0 128 *:22', metadata: { exit_code: 0, duration_seconds: 0.1 } })
  add('response_item', { type: 'function_call_output', call_id: 'd1', output })
  add('event_msg', { type: 'agent_message', message: 'Only port 22 is open.' })
  const content = [{ type: 'output_text', text: 'Only port 22 is open.' }]
  add('response_item', { type: 'message', role: 'assistant', content })
  const total_token_usage = {
    input_tokens: 90,
    cached_input_tokens: 40,
    output_tokens: 12,
    reasoning_output_tokens: 2,
    total_tokens: 102,
  }
  add('event_msg', { type: 'token_count', info: { total_token_usage, last_token_usage: total_token_usage } })
  return lines.join('')
}
