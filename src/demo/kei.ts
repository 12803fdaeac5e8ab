import { claudeFiles, type LogFile } from './claude.ts'
import { toolUse, type Json } from './claude-tools.ts'
import { between } from './derive.ts'
import { bash, edit, on, read, session, shell, user, type Script, type Step } from './script.ts'

const TRACES = '.claude/memory/traces'
const HOME = '/home/sam'
/** Sessions of Claude Code that were also traced. */
const TRACED: ReadonlySet<string> = new Set(['follow-flag'])

/** A session from before traces were copies: only its flat lines are left. */
export function keiScripts(): readonly Script[] {
  const steps: readonly Step[] = [
    user('Move the benches into a workspace crate of their own.'),
    read('Cargo.toml', '[package]\nname = "sift"'),
    edit('Cargo.toml', '[package]', '[workspace]\nmembers = ["benches"]\n\n[package]'),
    shell(`
      $ cargo bench -p benches
      error: package ID specification \`benches\` did not match any packages
      [101]`),
    user('Опять не та папка. The crate is called sift-bench.'),
    bash('cargo bench -p sift-bench', 'literal search    time: 41.2 ms'),
  ]
  return [
    { project: '~/code/sift', ...session('bench-crate', on('chore/benches', 17, '09:40'), 'Move the benches', steps) },
  ]
}

/** The trace of flat lines that kei left of this session. */
export function keiFiles(script: Script, start: number): readonly LogFile[] {
  const cwd = script.project.replace('~', HOME)
  let clock = start
  const lines = script.turns.flatMap((step): Json[] => {
    clock += Math.round(between(`${script.name} ${clock}`, 4, 40)) * 1000
    return flatLine(step, cwd, Math.floor(clock / 1000))
  })
  return [{ path: `${TRACES}/${script.name}.jsonl`, lines, endedAt: clock }]
}

/** The copy of a session's transcript that kei's hook takes when the session stops; none if it was not traced. */
export function traceFiles(script: Script, start: number): readonly LogFile[] {
  const [transcript] = TRACED.has(script.name) ? claudeFiles(script, start) : []
  if (!transcript) return []
  const name = transcript.path.slice(transcript.path.lastIndexOf('/') + 1)
  return [{ ...transcript, path: `${TRACES}/${name}` }]
}

function flatLine(step: Step, cwd: string, ts: number): Json[] {
  switch (step.kind) {
    case 'user': {
      const label = /опять|\bagain\b/i.test(step.text) ? { event_class: 'user_correction' } : {}
      return [{ ts, kind: 'other', message: step.text, ...label }]
    }
    case 'bash':
    case 'read':
    case 'edit': {
      const { name, input, content, isError = false } = toolUse(step, cwd)
      const file = typeof input['file_path'] === 'string' ? { file_path: input['file_path'] } : {}
      const label = isError ? `tool_error:${name}` : `tool_use:${name}`
      return [{ ts, kind: 'tool_use', tool: name, ...file, is_error: isError, event_class: label, message: content }]
    }
    default:
      return []
  }
}
