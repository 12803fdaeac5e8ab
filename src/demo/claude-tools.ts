import path from 'node:path'
import type { Call } from './script.ts'

export type Json = Readonly<Record<string, unknown>>

/** A call and its answer, as Claude Code writes them down. */
export interface ToolUse {
  readonly name: string
  readonly input: Json
  readonly content: string
  readonly isError: boolean | undefined
  /** The `toolUseResult` of the record: an object, or a text if the call failed. */
  readonly detail: unknown
  /** How long it takes, from … to …, in seconds. */
  readonly seconds: readonly [number, number]
}

const REJECTION = `The user doesn't want to proceed with this tool use. The tool use was rejected.`
const NOT_READ = 'File has not been read yet. Read it first before writing to it.'
const SLOW = /\b(test|pytest|build|ci|install|plan|apply|clippy|bench|hyperfine|soak|backfill|migrate|watch|push)\b/

export function toolUse(call: Exclude<Call, { kind: 'agent' }>, cwd: string): ToolUse {
  switch (call.kind) {
    case 'bash':
      return ran(call.command, call.output, call.exit)
    case 'denied': {
      const input = bashInput(call.command)
      return { name: 'Bash', input, ...failed(REJECTION, 'User rejected tool use'), seconds: [4, 20] }
    }
    case 'read':
      return wasRead(path.posix.join(cwd, call.file), call.content)
    case 'write':
      return written(path.posix.join(cwd, call.file), call.content)
    case 'edit':
      return edited(path.posix.join(cwd, call.file), call.before, call.after)
    case 'unread': {
      const input = editInput(path.posix.join(cwd, call.file), call.before, call.after)
      const answer = failed(`<tool_use_error>${NOT_READ}</tool_use_error>`, `Error: ${NOT_READ}`)
      return { name: 'Edit', input, ...answer, seconds: [0, 0.1] }
    }
    case 'grep':
      return searched(call.pattern, call.output)
    default:
      return call satisfies never
  }
}

function failed(content: string, detail: string): Pick<ToolUse, 'content' | 'isError' | 'detail'> {
  return { content, isError: true, detail }
}

function bashInput(command: string): Json {
  return { command, description: `Run ${command.split(/\s+/).slice(0, 2).join(' ')}` }
}

function ran(command: string, output: string, exit: number): ToolUse {
  const seconds: ToolUse['seconds'] = SLOW.test(command) ? [12, 110] : [0.1, 2]
  const call = { name: 'Bash', input: bashInput(command), seconds }
  if (exit !== 0) {
    const text = `Exit code ${exit}\n${output}`
    return { ...call, ...failed(text, `Error: ${text}`) }
  }
  const detail = { stdout: output, stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
  return { ...call, content: output || '(Bash completed with no output)', isError: false, detail }
}

function wasRead(filePath: string, content: string): ToolUse {
  const lines = content.split('\n')
  const file = { filePath, content, numLines: lines.length, startLine: 1, totalLines: lines.length }
  return {
    name: 'Read',
    input: { file_path: filePath },
    content: lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join('\n'),
    isError: undefined,
    detail: { type: 'text', file },
    seconds: [0, 0.2],
  }
}

function written(filePath: string, content: string): ToolUse {
  return {
    name: 'Write',
    input: { file_path: filePath, content },
    content: `File created successfully at: ${filePath}`,
    isError: undefined,
    detail: { type: 'create', filePath, content, structuredPatch: [], originalFile: null },
    seconds: [0.1, 0.4],
  }
}

function editInput(filePath: string, before: string, after: string): Json {
  return { file_path: filePath, old_string: before, new_string: after, replace_all: false }
}

function edited(filePath: string, before: string, after: string): ToolUse {
  const [gone, come] = [before.split('\n'), after.split('\n')]
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)]
  const hunk = { oldStart: 1, oldLines: gone.length, newStart: 1, newLines: come.length, lines }
  return {
    name: 'Edit',
    input: editInput(filePath, before, after),
    content: `The file ${filePath} has been updated successfully.`,
    isError: undefined,
    detail: {
      filePath,
      oldString: before,
      newString: after,
      originalFile: before,
      structuredPatch: [hunk],
      userModified: false,
      replaceAll: false,
    },
    seconds: [0.1, 0.4],
  }
}

function searched(pattern: string, output: string): ToolUse {
  const detail = { mode: 'content', numFiles: 0, filenames: [], content: output, numLines: output.split('\n').length }
  const input = { pattern, output_mode: 'content', '-n': true }
  return { name: 'Grep', input, content: output, isError: undefined, detail, seconds: [0.1, 0.6] }
}
