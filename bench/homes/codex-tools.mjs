/** Tool calls of a Codex session with the outputs it records for them. */

/**
 * @typedef {import("./claude-tools.mjs").Scene} Scene
 * @typedef {{ type: string, name: string, input: unknown, output: string, durationMs: number }} ToolCall
 */

/** @type {readonly (readonly [(scene: Scene) => ToolCall, number])[]} */
const TOOLS = [
  [command, 62],
  [look, 18],
  [patch, 16],
  [plan, 4],
]

/**
 * @param {Scene} scene
 * @returns {ToolCall}
 */
export const callTool = (scene) => scene.random.weighted(TOOLS)(scene)

/** @param {Scene} scene @returns {ToolCall} */
function command(scene) {
  const { random, project, prose, output } = scene
  const failed = random.chance(0.08)
  const text = failed
    ? output.failure(random, project)
    : output.listing(random, project, random.skewedInt(900, 1.2, 30_000))
  return ran(scene, prose.command(random, project), text, failed ? random.int(1, 2) : 0)
}

/** @param {Scene} scene @returns {ToolCall} */
function look(scene) {
  const { random, project } = scene
  const file = random.pick(project.files)
  const start = random.below(Math.max(1, file.lines.length - 40))
  const lines = file.lines.slice(start, start + random.int(20, 120))
  return ran(scene, `sed -n '${start + 1},${start + lines.length}p' ${file.path}`, lines.join('\n'), 0)
}

/** @param {Scene} scene @returns {ToolCall} */
function patch({ random, project }) {
  const file = random.pick(project.files)
  const at = random.below(Math.max(1, file.lines.length - 8))
  const removed = file.lines.slice(at, at + random.int(1, 8))
  const added = removed.map(() => project.line(random, file.language))
  file.lines.splice(at, removed.length, ...added)
  const hunk = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join('\n')
  const input = `*** Begin Patch\n*** Update File: ${file.path}\n@@\n${hunk}\n*** End Patch`
  const done = random.chance(0.05)
    ? `apply_patch verification failed: Failed to find expected lines in ${file.path}`
    : JSON.stringify({
        output: `Success. Updated the following files:\nM ${file.path}\n`,
        metadata: { exit_code: 0, duration_seconds: 0 },
      })
  return { type: 'custom_tool_call', name: 'apply_patch', input, output: done, durationMs: random.int(20, 200) }
}

/** @param {Scene} scene @returns {ToolCall} */
function plan({ random, prose }) {
  const steps = Array.from({ length: random.int(2, 6) }, () => {
    return { step: prose.title(random, random.int(3, 8)), status: random.pick(['completed', 'in_progress', 'pending']) }
  })
  return { type: 'function_call', name: 'update_plan', input: { plan: steps }, output: 'Plan updated', durationMs: 5 }
}

/**
 * @param {Scene} scene
 * @param {string} cmd
 * @param {string} text
 * @param {number} exit
 * @returns {ToolCall}
 */
function ran({ random, project }, cmd, text, exit) {
  const durationMs = random.skewedInt(1500, 1.3, 240_000)
  const head = [
    `Chunk ID: ${random.hex(6)}`,
    `Wall time: ${(durationMs / 1000).toFixed(4)} seconds`,
    `Process exited with code ${exit}`,
    `Original token count: ${Math.ceil(text.length / 4)}`,
    'Output:',
  ]
  const input = { cmd, workdir: project.cwd, max_output_tokens: 6000 }
  return { type: 'function_call', name: 'exec_command', input, output: `${head.join('\n')}\n${text}`, durationMs }
}
