import path from 'node:path'
import type { Call } from './script.ts'

type Json = Readonly<Record<string, unknown>>

/** A call and its answer, as Grok writes them down. */
export interface GrokTool {
  readonly name: string
  readonly kind: 'execute' | 'read' | 'edit' | 'search'
  readonly input: Json
  readonly output: string
  readonly raw: Json
  readonly failed: boolean
  /** How long it takes, from … to …, in seconds. */
  readonly seconds: readonly [number, number]
}

const REJECTED = 'The user rejected this command.'
const SLOW = /\b(test|build|install|deploy|bench|migrate|push)\b/

export function grokTool(call: Exclude<Call, { kind: 'agent' }>, cwd: string): GrokTool {
  switch (call.kind) {
    case 'bash':
      return ran(call.command, call.output, call.exit)
    case 'denied':
      return {
        ...ran(call.command, REJECTED, 0),
        raw: { type: 'Text', text: REJECTED },
        failed: true,
        seconds: [4, 20],
      }
    case 'read': {
      const input = { target_file: path.posix.join(cwd, call.file) }
      return plain({ name: 'read_file', kind: 'read', input, output: call.content })
    }
    case 'write': {
      const input = { file_path: path.posix.join(cwd, call.file), old_string: '', new_string: call.content }
      return plain({ name: 'search_replace', kind: 'edit', input, output: 'The file was created.' })
    }
    case 'edit':
    case 'unread': {
      const input = { file_path: path.posix.join(cwd, call.file), old_string: call.before, new_string: call.after }
      const failed = call.kind === 'unread'
      const output = failed ? 'old_string was not found in the file.' : 'The file was updated.'
      return { ...plain({ name: 'search_replace', kind: 'edit', input, output }), failed }
    }
    case 'grep':
      return plain({ name: 'grep', kind: 'search', input: { pattern: call.pattern, path: cwd }, output: call.output })
    default:
      return call satisfies never
  }
}

function plain(tool: Pick<GrokTool, 'name' | 'kind' | 'input' | 'output'>): GrokTool {
  return { ...tool, raw: { type: 'Text', text: tool.output }, failed: false, seconds: [0.1, 0.8] }
}

function ran(command: string, output: string, exit: number): GrokTool {
  const description = `Run ${command.split(/\s+/).slice(0, 2).join(' ')}`
  const shown = output === '' ? '' : `${output}\n`
  const raw = {
    type: 'Bash',
    output: [...Buffer.from(shown)],
    output_for_prompt: `exit: ${exit}\n${shown}`,
    exit_code: exit,
    command,
    truncated: false,
    signal: null,
    timed_out: false,
  }
  const seconds: GrokTool['seconds'] = SLOW.test(command) ? [12, 90] : [0.2, 3]
  return {
    name: 'run_terminal_command',
    kind: 'execute',
    input: { command, description },
    output: shown,
    raw,
    failed: false,
    seconds,
  }
}
