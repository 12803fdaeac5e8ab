/** What an agent does in an exchange, as Claude Code would record it. */

/**
 * @typedef {import("../homes/random.mjs").Random} Random
 * @typedef {{ name: string, input: object, content: string, isError?: boolean, toolUseResult: unknown, ms: number }} Call
 * @typedef {{ think: string } | { say: string } | { call: Call }} Step
 * @typedef {{ prompt: string, context?: string, summary?: string, steps: Step[] }} Exchange
 */

/** @param {string} command @param {string} stdout @param {string} description @returns {Step} */
export function ran(command, stdout, description) {
  const toolUseResult = { stdout, stderr: '', interrupted: false, isImage: false }
  return call({
    name: 'Bash',
    input: { command, description },
    content: stdout,
    isError: false,
    toolUseResult,
    ms: 1800,
  })
}

/** @param {string} command @param {string} output @param {string} description @returns {Step} */
export function failed(command, output, description) {
  const content = `Exit code 1\n${output}`
  const input = { command, description }
  return call({ name: 'Bash', input, content, isError: true, toolUseResult: `Error: ${content}`, ms: 2600 })
}

/** @param {string} filePath @param {readonly { text: string }[]} lines @returns {Step} */
export function readFile(filePath, lines) {
  const content = lines.map((line, i) => `${String(i + 1).padStart(6)}→${line.text}`).join('\n')
  const text = lines.map((line) => line.text).join('\n')
  const counts = { numLines: lines.length, startLine: 1, totalLines: lines.length }
  const toolUseResult = { type: 'text', file: { filePath, content: text, ...counts } }
  return call({ name: 'Read', input: { file_path: filePath }, content, toolUseResult, ms: 30 })
}

/**
 * @param {string} filePath
 * @param {{ at: number, removed: string[], added: string[], original: string }} change
 * @returns {Step}
 */
export function edited(filePath, { at, removed, added, original }) {
  const [oldString, newString] = [removed.join('\n'), added.join('\n')]
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  const start = at + 1
  const hunk = { oldStart: start, oldLines: removed.length, newStart: start, newLines: added.length, lines }
  const input = { file_path: filePath, old_string: oldString, new_string: newString, replace_all: false }
  const detail = { filePath, oldString, newString, originalFile: original, structuredPatch: [hunk] }
  const toolUseResult = { ...detail, userModified: false, replaceAll: false }
  const content = `The file ${filePath} has been updated successfully.`
  return call({ name: 'Edit', input, content, toolUseResult, ms: 40 })
}

/** @param {readonly string[]} contents @returns {Step} */
export function todos(contents) {
  const newTodos = contents.map((content, i) => {
    return { content, status: i === 0 ? 'in_progress' : 'pending', activeForm: content }
  })
  const content =
    'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.'
  const toolUseResult = { oldTodos: [], newTodos }
  return call({ name: 'TodoWrite', input: { todos: newTodos }, content, toolUseResult, ms: 4 })
}

/** @param {Call} value @returns {Step} */
const call = (value) => ({ call: value })
