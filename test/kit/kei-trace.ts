import path from 'node:path'
import { ClaudeLog, uuid } from './claude-log.ts'

export const SESSION = uuid('traced session')

/** An ordinary session, as the agent writes it down and as the hook copies it. */
export function tracedLog(session = SESSION): ClaudeLog {
  const log = new ClaudeLog(session)
  log.bare({ type: 'file-history-snapshot', messageId: 'x', snapshot: {} })
  log.user('why does the heron build fail — über slow, опять').think('look first').say('Looking.')
  log.call('toolu_1', 'Bash', { command: 'make heron' }).result('toolu_1', 'no rule', { is_error: true })
  log.call('toolu_2', 'Read', { file_path: '/home/sam/code/demo/Makefile' }).result('toolu_2', 'all: egret')
  log.say('The target is called egret.').bare({ type: 'ai-title', aiTitle: 'Find the heron', sessionId: session })
  return log
}

export function tracePath(home: string, stem: string): string {
  return path.join(home, '.claude', 'memory', 'traces', `${stem}.jsonl`)
}

export const FLAT_LINES: readonly object[] = [
  { ts: 1700000000, kind: 'tool_use', tool: 'Read', file_path: '/a/main.rs', event_class: 'tool_use:Read' },
  { ts: 1700000001, kind: 'tool_result', tool: 'Read', is_error: false, message: 'fn main() {}' },
  { ts: 1700000002, kind: 'tool_use', tool: 'Bash', message: 'ok', event_class: 'tool_use:Bash' },
  { ts: 1700000003, kind: 'tool_use', tool: 'Bash', is_error: true, message: 'permission denied' },
  { ts: 1700000004, kind: 'tool_use', tool: 'Bash', is_error: true, message: 'no', event_class: 'worktree_denied' },
  { ts: 1700000005, kind: 'other', message: 'über-slow, опять', event_class: 'user_correction' },
  { ts: 1700000006, kind: 'other', message: 'nothing in particular' },
]

export function jsonl(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
