import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { expect } from 'vitest'
import type { Command, Context } from '../../src/cli/command.ts'
import { Terminal } from '../../src/cli/terminal.ts'
import { sources } from '../../src/sources/index.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './claude-log.ts'
import { NOW, productOn, type Bench } from './home.ts'

export type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

export const ALL = { limit: 0 }
export const DAY = 86_400_000
export const START = Date.parse('2026-10-01T09:00:00Z')

export function log(home: string, name: string, cwd: string, day = 0): ClaudeLog {
  const common = { cwd, gitBranch: 'main' }
  const made = new ClaudeLog(uuid(name), common, START + day * DAY)
  kept.push(() => write(transcriptPath(home, uuid(name), `-${name}`), made.text()))
  return made
}

const kept: (() => void)[] = []

/** The product on what the logs of this test say. */
export async function indexed(home: string, settings: Parameters<typeof productOn>[2] = {}): Promise<Bench> {
  for (const keep of kept.splice(0)) keep()
  const bench = productOn(home, undefined, settings)
  await bench.recall.index()
  return bench
}

export const uid = (name: string) => `claude:${uuid(name)}`

let calls = 0

export function ran(to: ClaudeLog, command: string, output = 'ok', failed = false, description?: string): ClaudeLog {
  const id = `call_${calls++}`
  const input = description === undefined ? { command } : { command, description }
  return to.call(id, 'Bash', input).result(id, failed ? `Exit code 1\n${output}` : output, { is_error: failed })
}

export function edited(to: ClaudeLog, file: string, before: string, after: string, failed = false): ClaudeLog {
  const id = `call_${calls++}`
  const input = { file_path: file, old_string: before, new_string: after }
  return to.call(id, 'Edit', input).result(id, failed ? 'String to replace not found' : 'updated', { is_error: failed })
}

export function wrote(to: ClaudeLog, file: string, content: string, result: string): ClaudeLog {
  const id = `call_${calls++}`
  return to.call(id, 'Write', { file_path: file, content }).result(id, result)
}

export function readFile(to: ClaudeLog, file: string): ClaudeLog {
  const id = `call_${calls++}`
  return to.call(id, 'Read', { file_path: file }).result(id, '1→x')
}

export function git(dir: string, args: readonly string[], at?: number): string {
  const when =
    at === undefined ? {} : { GIT_AUTHOR_DATE: `${at / 1000} +0000`, GIT_COMMITTER_DATE: `${at / 1000} +0000` }
  const who = ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.test', '-c', 'commit.gpgsign=false']
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir, ...when }
  const run = spawnSync('git', ['-C', dir, ...who, ...args], { encoding: 'utf8', env })
  expect(run.stderr + run.status).toMatch(/0$/)
  return run.stdout.trim()
}

export function gitRepo(root: string): string {
  mkdirSync(root, { recursive: true })
  git(root, ['init', '-q', '-b', 'main'])
  return root
}

export async function ask(
  bench: Bench,
  command: Command,
  args: readonly string[],
  given: Record<string, unknown> = {},
) {
  const out: string[] = []
  const err: string[] = []
  const stream = (into: string[]) => ({ write: (text: string) => into.push(text) })
  const terminal = new Terminal(stream(out), stream(err), false)
  const cwd = process.cwd()
  const context = { recall: bench.recall, sources, terminal, cwd, watching: {}, now: () => NOW } as unknown as Context
  const code = await command.run(context, args, given)
  return { code: code ?? 0, out: out.join(''), err: err.join('') }
}

export async function askJson(bench: Bench, command: Command, ...args: string[]): Promise<Json> {
  const { out } = await ask(bench, command, args, { json: true, limit: '0' })
  return JSON.parse(out) as Json
}
