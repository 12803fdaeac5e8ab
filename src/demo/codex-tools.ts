import type { Json } from './claude-tools.ts'
import { hex } from './derive.ts'
import type { Call } from './script.ts'

/** A call and its answer, as Codex writes them down. */
export interface CodexUse {
  /** The response item that makes the call, without its id. */
  readonly item: Json
  readonly outputType: 'function_call_output' | 'custom_tool_call_output'
  readonly output: string
  /** How long it takes, from … to …, in seconds. */
  readonly seconds: readonly [number, number]
}

const SLOW = /\b(test|pytest|build|ci|install|plan|apply|clippy|bench|hyperfine|migrate|watch|push)\b/

export function codexUse(call: Exclude<Call, { kind: 'agent' }>, cwd: string): CodexUse {
  switch (call.kind) {
    case 'bash':
      return ran(call.command, call.output, call.exit, cwd)
    case 'denied':
      return { ...ran(call.command, '', 0, cwd), output: 'exec command rejected by user', seconds: [4, 20] }
    case 'read':
      return ran(`sed -n '1,240p' ${call.file}`, call.content, 0, cwd)
    case 'write':
      return patched(`*** Add File: ${call.file}\n${prefixed('+', call.content)}`, `A ${call.file}`)
    case 'edit':
      return patched(changes(call.file, call.before, call.after), `M ${call.file}`)
    case 'unread': {
      const patch = patched(changes(call.file, call.before, call.after), '')
      return { ...patch, output: `apply_patch verification failed: Failed to find expected lines in ${call.file}` }
    }
    case 'grep':
      return ran(`rg -n ${JSON.stringify(call.pattern)}`, call.output, 0, cwd)
    default:
      return call satisfies never
  }
}

/** A function call without its id. */
export function functionCall(name: string, input: Json): Json {
  return { type: 'function_call', name, arguments: JSON.stringify(input) }
}

function ran(cmd: string, output: string, exit: number, workdir: string): CodexUse {
  const head = [
    `Chunk ID: ${hex(`${cmd} ${output}`, 6)}`,
    `Wall time: ${SLOW.test(cmd) ? '21.4031' : '0.0514'} seconds`,
    `Process exited with code ${exit}`,
    `Original token count: ${Math.ceil(output.length / 4)}`,
    'Output:',
  ]
  return {
    item: functionCall('exec_command', { cmd, workdir, max_output_tokens: 6000 }),
    outputType: 'function_call_output',
    output: `${head.join('\n')}\n${output}`,
    seconds: SLOW.test(cmd) ? [12, 110] : [0.1, 2],
  }
}

function patched(body: string, done: string): CodexUse {
  const output = `Success. Updated the following files:\n${done}\n`
  return {
    item: { type: 'custom_tool_call', name: 'apply_patch', input: `*** Begin Patch\n${body}\n*** End Patch` },
    outputType: 'custom_tool_call_output',
    output: JSON.stringify({ output, metadata: { exit_code: 0, duration_seconds: 0 } }),
    seconds: [0.1, 0.4],
  }
}

function changes(file: string, before: string, after: string): string {
  return `*** Update File: ${file}\n@@\n${prefixed('-', before)}\n${prefixed('+', after)}`
}

function prefixed(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => sign + line)
    .join('\n')
}
