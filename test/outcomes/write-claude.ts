import path from 'node:path'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from '../kit/claude-log.ts'
import { stepsOf, toolOf, type Ending, type Step } from './terminal-script.ts'

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."

/** Lays the transcript down and returns the uid of the session. */
export function writeClaude(home: string, { name, by, script }: Ending): string {
  const session = uuid(name)
  const entrypoint = by === 'program' ? 'sdk-cli' : 'cli'
  const side = by === 'subagent' ? { isSidechain: true, agentId: 'a1b2c3d' } : {}
  const log = new ClaudeLog(session, { userType: 'external', entrypoint, ...side })
  const { steps, cut } = stepsOf(script)
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1]
    const last = next === undefined ? !cut : next.does === 'you' || next.does === 'compacted'
    told(log, step, `toolu_${session.slice(0, 8)}_${i}`, last)
    if (last && step.does === 'says') log.record({ type: 'system', subtype: 'turn_duration', durationMs: 9000 })
  }
  write(by === 'subagent' ? subagentPath(home, session, 'a1b2c3d') : transcriptPath(home, session), log.text())
  return `claude:${session}`
}

function told(log: ClaudeLog, step: Step, id: string, last: boolean): void {
  switch (step.does) {
    case 'you':
      log.user(step.text)
      return
    case 'meanwhile':
      queued(log, step.text)
      return
    case 'says':
      log.say(step.text, { message: { stop_reason: last ? 'end_turn' : 'tool_use' } })
      return
    case 'thinks':
      log.think(step.text)
      return
    case 'retry': {
      const more = { retryInMs: 545, retryAttempt: 1, maxRetries: 10, source: 'request_retry' }
      log.record({ type: 'system', subtype: 'api_error', level: 'error', error: { message: step.text }, ...more })
      return
    }
    case 'fault':
    case 'crash': {
      const message = { model: '<synthetic>', stop_reason: 'stop_sequence' }
      log.say(step.text, { isApiErrorMessage: true, error: 'unknown', message })
      return
    }
    case 'stop':
      log.user([{ type: 'text', text: `[Request interrupted by user${step.text === '' ? '' : ` ${step.text}`}]` }])
      return
    case 'compacted':
      log.record({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' })
      return
    case 'summary': {
      const text = `This session is being continued from a previous conversation that ran out of context. ${step.text}`
      log.user(text, { isCompactSummary: true, isVisibleInTranscriptOnly: true })
      return
    }
    case 'edit':
    case 'write':
    case 'read':
      touch(log, step.does, path.posix.join('/home/sam/code/demo', step.file), id)
      return
    default:
      call(log, step, id)
  }
}

/** A prompt that waits in the queue until the next call is answered, and is then put beside the result. */
function queued(log: ClaudeLog, prompt: string): void {
  const own = { type: 'queue-operation', timestamp: log.records.at(-1)?.['timestamp'], sessionId: log.session }
  log.bare({ ...own, operation: 'enqueue', content: prompt }).bare({ ...own, operation: 'remove' })
  log.record({ type: 'attachment', attachment: { type: 'queued_command', prompt, commandMode: 'prompt' } })
}

function touch(log: ClaudeLog, does: 'edit' | 'write' | 'read', file: string, id: string): void {
  if (does === 'read') log.call(id, 'Read', { file_path: file }).result(id, '     1→…')
  else if (does === 'write') {
    log.call(id, 'Write', { file_path: file, content: 'new' }).result(id, `File created successfully at: ${file}`)
  } else {
    const input = { file_path: file, old_string: 'old', new_string: 'new' }
    log.call(id, 'Edit', input).result(id, `The file ${file} has been updated successfully.`)
  }
}

function call(log: ClaudeLog, step: Extract<Step, { does: 'run' | 'call' }>, id: string): void {
  const { name, input } = step.does === 'run' ? { name: 'Bash', input: { command: step.what } } : toolOf(step.what)
  log.call(id, name, input)
  if (step.end === 'open') return
  if (step.end === 'denied') {
    log.result(id, REJECTED, { is_error: true, toolUseResult: 'User rejected tool use' })
    log.user([{ type: 'text', text: '[Request interrupted by user for tool use]' }])
    return
  }
  const output = step.output.trimEnd()
  if (step.end === 'refused') {
    log.result(id, output, { is_error: true, toolUseResult: `Error: ${output}` })
    return
  }
  if (step.exit === 0) {
    log.result(id, output || '(Bash completed with no output)', {
      is_error: false,
      toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
    })
    return
  }
  const text = step.does === 'run' ? `Exit code ${step.exit}\n${output}` : output
  log.result(id, text, { is_error: true, toolUseResult: `Error: ${text}` })
}
