import { CodexLog, rolloutPath, threadId, write } from '../kit/codex-log.ts'
import { stepsOf, toolOf, type Ending, type Step } from './terminal-script.ts'

const ABORTED =
  '<turn_aborted>\nThe user interrupted the previous turn on purpose. Any running unified exec processes may still be running in the background.\n</turn_aborted>'

/** Lays the rollout down and returns the uid of the session. */
export function writeCodex(home: string, { by, script }: Ending, number: number): string {
  const session = threadId(5000 + number)
  const spawn = { parent_thread_id: threadId(4999), depth: 1, agent_nickname: 'Ada', agent_role: 'worker' }
  const source = by === 'program' ? 'exec' : by === 'subagent' ? { subagent: { thread_spawn: spawn } } : 'cli'
  const log = new CodexLog(session, { source, originator: by === 'program' ? 'codex_exec' : 'codex_cli_rs' })
  const { steps, cut } = stepsOf(script)
  let turns = 0
  let open = false
  const turn = () => threadId(6000 + number * 20 + turns)
  const complete = (more = {}) => {
    if (open) log.complete(turn(), more)
    open = false
  }
  for (const [i, step] of steps.entries()) {
    if (step.does === 'you') {
      complete()
      turns++
      open = true
      log.start(turn()).context().prompt(step.text)
    } else if (step.does === 'stop') {
      log.event('turn_aborted', { reason: step.text || 'interrupted', turn_id: turn() })
      if (step.text === '') log.injected(ABORTED)
      open = false
    } else if (step.does === 'crash' || step.does === 'fault')
      complete({ last_agent_message: null, error: { message: step.text } })
    else told(log, step, `call_${number}_${i}`)
    if (step.does === 'run' && step.end === 'denied') {
      log.event('turn_aborted', { reason: 'interrupted', turn_id: turn() })
      open = false
    }
  }
  if (!cut) complete()
  write(rolloutPath(home, session), log.text())
  return `codex:${session}`
}

function told(log: CodexLog, step: Step, id: string): void {
  switch (step.does) {
    case 'meanwhile':
      log.prompt(step.text)
      return
    case 'says':
      log.say(step.text)
      return
    case 'thinks':
      log.think(step.text)
      return
    case 'compacted':
      log.record('compacted', { message: '', replacement_history: [] }).event('context_compacted', {})
      return
    case 'edit':
    case 'write': {
      const body = step.does === 'edit' ? `Update File: ${step.file}\n@@\n-old\n+new` : `Add File: ${step.file}\n+new`
      const input = `*** Begin Patch\n*** ${body}\n*** End Patch`
      log.item({ type: 'custom_tool_call', name: 'apply_patch', input, call_id: id })
      const output = `Success. Updated the following files:\nM ${step.file}\n`
      const given = JSON.stringify({ output, metadata: { exit_code: 0, duration_seconds: 0 } })
      log.item({ type: 'custom_tool_call_output', call_id: id, output: given })
      return
    }
    case 'read':
      ran(log, `sed -n '1,200p' ${step.file}`, id).output(id, exited(0, '…\n'))
      return
    case 'run':
    case 'call':
      if (step.does === 'run') ran(log, step.what, id)
      else log.call(id, toolOf(step.what).name, toolOf(step.what).input)
      if (step.end === 'denied') log.output(id, 'exec command rejected by user')
      else if (step.end === 'refused') log.output(id, step.output.trimEnd())
      else if (step.end === 'answered')
        log.output(id, step.does === 'run' ? exited(step.exit, step.output) : step.output)
      return
    default:
      throw new Error(`no such step in Codex: ${step.does}`)
  }
}

function ran(log: CodexLog, cmd: string, id: string): CodexLog {
  return log.call(id, 'exec_command', { cmd, workdir: '/home/sam/code/demo' })
}

function exited(code: number, output: string): string {
  return `Chunk ID: 3fa1c2\nWall time: 0.8140 seconds\nProcess exited with code ${code}\nOriginal token count: 12\nOutput:\n${output}`
}
