/** Tool calls of a Claude Code session with the results it records for them. */

/**
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./project.mjs").SourceFile} SourceFile
 * @typedef {import("./prose.mjs").Prose} Prose
 * @typedef {import("./output.mjs").Output} Output
 * @typedef {{ random: Random, project: Project, prose: Prose, output: Output, pictures: number }} Scene
 * @typedef {{ name: string, input: object, content: unknown, isError?: boolean,
 *   toolUseResult: unknown, durationMs: number, lastLines?: string }} ToolCall
 */

/** @type {readonly (readonly [(scene: Scene) => ToolCall, number])[]} */
const TOOLS = [
  [bash, 42],
  [read, 22],
  [edit, 17],
  [grep, 10],
  [write, 4],
  [glob, 3],
  [todos, 2],
]

/**
 * @param {Scene} scene
 * @returns {ToolCall}
 */
export const callTool = (scene) =>
  scene.pictures > 0 && scene.random.chance(scene.pictures) ? picture(scene) : scene.random.weighted(TOOLS)(scene)

/** @param {Scene} scene @returns {ToolCall} */
function bash({ random, project, prose, output }) {
  const command = prose.command(random, project)
  const input = { command, description: prose.title(random, random.int(3, 7)) }
  const durationMs = random.skewedInt(1500, 1.3, 240_000)
  if (random.chance(0.07)) {
    const content = `Exit code ${random.int(1, 2)}\n${output.failure(random, project)}`
    return { name: 'Bash', input, content, isError: true, toolUseResult: `Error: ${content}`, durationMs }
  }
  const stdout = random.chance(0.1) ? '' : output.listing(random, project, random.skewedInt(600, 1.2, 30_000))
  const toolUseResult = { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
  const lastLines = stdout.split('\n').slice(-5).join('\n')
  return { name: 'Bash', input, content: stdout, isError: false, toolUseResult, durationMs, lastLines }
}

/** @param {Scene} scene @returns {ToolCall} */
function read({ random, project }) {
  const file = random.pick(project.files)
  const filePath = absolute(project, file)
  const durationMs = random.int(5, 60)
  if (random.chance(0.02)) {
    const content = 'File does not exist.'
    return {
      name: 'Read',
      input: { file_path: `${filePath}x` },
      content,
      isError: true,
      toolUseResult: `Error: ${content}`,
      durationMs,
    }
  }
  const whole = file.lines.length < 80 || random.chance(0.2)
  const start = whole ? 0 : random.below(file.lines.length - 40)
  const lines = file.lines.slice(start, whole ? undefined : start + random.int(20, 80))
  const content = lines.map((line, i) => `${String(start + i + 1).padStart(6)}→${line}`).join('\n')
  const input = whole ? { file_path: filePath } : { file_path: filePath, offset: start + 1, limit: lines.length }
  const toolUseResult = {
    type: 'text',
    file: {
      filePath,
      content: lines.join('\n'),
      numLines: lines.length,
      startLine: start + 1,
      totalLines: file.lines.length,
    },
  }
  return { name: 'Read', input, content, toolUseResult, durationMs }
}

/** A picture is told twice, in the result and in its structured copy. @param {Scene} scene @returns {ToolCall} */
function picture({ random, project }) {
  const base64 = random.base64(random.int(40_000, 240_000))
  const content = [{ type: 'image', source: { type: 'base64', data: base64, media_type: 'image/png' } }]
  const toolUseResult = { type: 'image', file: { base64, type: 'image/png', originalSize: base64.length } }
  const input = { file_path: `${project.cwd}/${random.pick(project.files).directory}/screen.png` }
  return { name: 'Read', input, content, toolUseResult, durationMs: random.int(5, 60) }
}

/** @param {Scene} scene @returns {ToolCall} */
function edit({ random, project }) {
  const file = random.pick(project.files)
  const filePath = absolute(project, file)
  const at = random.below(Math.max(1, file.lines.length - 8))
  const removed = file.lines.slice(at, at + random.int(1, 8))
  const added = removed.flatMap((line) => (random.chance(0.5) ? [line] : [project.line(random, file.language)]))
  if (random.chance(0.4)) added.push(project.line(random, file.language))
  const [oldString, newString] = [removed.join('\n'), added.join('\n')]
  const originalFile = file.lines.join('\n')
  const structuredPatch = [patch(file, { at, removed, added })]
  file.lines.splice(at, removed.length, ...added)
  const input = { replace_all: false, file_path: filePath, old_string: oldString, new_string: newString }
  const toolUseResult = {
    filePath,
    oldString,
    newString,
    originalFile,
    structuredPatch,
    userModified: false,
    replaceAll: false,
  }
  const content = `The file ${filePath} has been updated successfully.`
  return { name: 'Edit', input, content, toolUseResult, durationMs: random.int(10, 90) }
}

/** @param {Scene} scene @returns {ToolCall} */
function write({ random, project }) {
  const file = random.pick(project.files)
  const filePath = absolute(project, file)
  const before = file.lines.join('\n')
  file.lines = Array.from({ length: random.skewedInt(32 * project.length, 0.6, 300 * project.length) }, () =>
    project.line(random, file.language),
  )
  const content = file.lines.join('\n')
  const created = random.chance(0.6)
  const toolUseResult = {
    type: created ? 'create' : 'update',
    filePath,
    content,
    structuredPatch: [],
    originalFile: created ? null : before,
  }
  const said = created ? `File created successfully at: ${filePath}` : `The file ${filePath} has been updated.`
  return {
    name: 'Write',
    input: { file_path: filePath, content },
    content: said,
    toolUseResult,
    durationMs: random.int(10, 90),
  }
}

/** @param {Scene} scene @returns {ToolCall} */
function grep({ random, project, output }) {
  const pattern = random.pick(project.identifiers)
  const durationMs = random.int(20, 400)
  if (random.chance(0.5)) {
    const filenames = Array.from({ length: random.int(0, 14) }, () => random.pick(project.files).path)
    const content =
      filenames.length === 0 ? 'No files found' : `Found ${filenames.length} files\n${filenames.join('\n')}`
    const toolUseResult = { mode: 'files_with_matches', filenames, numFiles: filenames.length }
    return { name: 'Grep', input: { pattern }, content, toolUseResult, durationMs }
  }
  const content = output.listing(random, project, random.skewedInt(600, 0.9, 8000))
  const numLines = content.split('\n').length
  const input = { pattern, output_mode: 'content', '-n': true, path: random.pick(project.files).directory }
  const toolUseResult = { mode: 'content', numFiles: 0, filenames: [], content, numLines }
  return { name: 'Grep', input, content, toolUseResult, durationMs }
}

/** @param {Scene} scene @returns {ToolCall} */
function glob({ random, project }) {
  const filenames = Array.from({ length: random.int(1, 20) }, () => absolute(project, random.pick(project.files)))
  const durationMs = random.int(5, 300)
  const toolUseResult = { filenames, durationMs, numFiles: filenames.length, truncated: false }
  return {
    name: 'Glob',
    input: { pattern: `**/*.${random.pick(['ts', 'py', 'go'])}` },
    content: filenames.join('\n'),
    toolUseResult,
    durationMs,
  }
}

/** @param {Scene} scene @returns {ToolCall} */
function todos({ random, prose }) {
  const newTodos = Array.from({ length: random.int(2, 7) }, () => {
    const content = prose.title(random, random.int(3, 8))
    return { content, status: random.pick(['completed', 'in_progress', 'pending']), activeForm: content }
  })
  const oldTodos = newTodos.map((todo) => ({ ...todo, status: 'pending' }))
  const content =
    'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.'
  return {
    name: 'TodoWrite',
    input: { todos: newTodos },
    content,
    toolUseResult: { oldTodos, newTodos },
    durationMs: 4,
  }
}

/** @param {Project} project @param {SourceFile} file */
const absolute = (project, file) => `${project.cwd}/${file.path}`

/**
 * @param {SourceFile} file
 * @param {{ at: number, removed: string[], added: string[] }} change
 */
function patch(file, { at, removed, added }) {
  const before = file.lines.slice(Math.max(0, at - 3), at)
  const after = file.lines.slice(at + removed.length, at + removed.length + 3)
  const context = before.length + after.length
  const start = at - before.length + 1
  return {
    oldStart: start,
    oldLines: context + removed.length,
    newStart: start,
    newLines: context + added.length,
    lines: [
      ...before.map((line) => ` ${line}`),
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...after.map((line) => ` ${line}`),
    ],
  }
}
