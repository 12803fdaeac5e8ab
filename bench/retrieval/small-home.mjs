/** A small home of Claude Code sessions, each told in a few steps. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const START = Date.parse('2026-09-01T08:00:00Z')
const DAY = 86_400_000

/**
 * @typedef {{ prompt: string } | { say: string } | { command: string, description?: string | undefined, failed?: boolean }} Step
 * @typedef {{ name: string, day: number, cwd: string, steps: readonly Step[] }} Told
 */

/** @param {string} name */
export function sessionId(name) {
  const hash = createHash('sha256').update(name).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** @param {string} home @param {Told} told */
export function writeSession(home, { name, day, cwd, steps }) {
  const id = sessionId(name)
  let at = START + day * DAY
  let parentUuid = /** @type {string | null} */ (null)
  const lines = /** @type {string[]} */ ([])
  const add = (/** @type {'user' | 'assistant'} */ type, /** @type {unknown} */ content) => {
    const uuid = `${id.slice(0, 24)}${String(lines.length).padStart(12, '0')}`
    const timestamp = new Date((at += 9000)).toISOString()
    const own = { id: `msg_${id}_${lines.length}`, type: 'message', model: 'claude-sonnet-4-5' }
    const message = { ...(type === 'assistant' ? own : {}), role: type, content }
    const envelope = { parentUuid, isSidechain: false, cwd, sessionId: id, version: '2.1.128' }
    lines.push(JSON.stringify({ ...envelope, type, message, uuid, timestamp }))
    parentUuid = uuid
  }
  for (const step of steps) {
    if ('prompt' in step) add('user', step.prompt)
    else if ('say' in step) add('assistant', [{ type: 'text', text: step.say }])
    else {
      const { command, description, failed = false } = step
      const call = `toolu_${id}_${lines.length}`
      add('assistant', [{ type: 'tool_use', id: call, name: 'Bash', input: { command, description } }])
      const content = failed ? 'Exit code 1\nnot so' : 'ok'
      add('user', [{ type: 'tool_result', tool_use_id: call, content, is_error: failed }])
    }
  }
  const file = join(home, '.claude/projects', cwd.replaceAll('/', '-'), `${id}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
}
