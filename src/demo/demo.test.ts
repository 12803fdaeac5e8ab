import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeDemoHome } from './demo.ts'

const NOW = Date.UTC(2026, 2, 18, 11, 30)
const DAY_MS = 86_400_000

interface Line {
  readonly type: string
  readonly uuid?: string
  readonly parentUuid?: string | null
  readonly logicalParentUuid?: string
  readonly isSidechain?: boolean
  readonly agentId?: string
  readonly sessionId: string
  readonly cwd: string
  readonly requestId?: string
  readonly message?: {
    readonly id: string
    readonly usage: { output_tokens: number }
    readonly content: string | Block[]
  }
  readonly toolUseResult?: { readonly agentId?: string }
}

interface Block {
  readonly type: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly is_error?: boolean
  readonly content?: unknown
  readonly text?: string
  readonly input?: { readonly command?: string }
}

const homes: string[] = []
afterAll(() => homes.forEach((dir) => rmSync(dir, { recursive: true })))

function demo(now = NOW): { sessions: number; files: Map<string, string> } {
  const dir = mkdtempSync(path.join(tmpdir(), 'recall-demo-'))
  homes.push(dir)
  const { sessions } = writeDemoHome(dir, now)
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
  const files = paths.filter((file) => statSync(path.join(dir, file)).isFile())
  return { sessions, files: new Map(files.map((file) => [file, readFileSync(path.join(dir, file), 'utf8')])) }
}

function parse(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}

function blocks(lines: readonly Line[]): Block[] {
  return lines.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
}

describe('the demo home', () => {
  const { sessions, files } = demo()
  const logs = new Map(
    [...files]
      .filter(([file]) => file.startsWith('.claude/projects/') && file.endsWith('.jsonl'))
      .map(([file, text]) => [file, parse(text)]),
  )
  const mains = [...logs].filter(([file]) => !file.includes('subagents')).map(([, lines]) => lines)

  test('holds as many sessions as it says, each under its own id and project', () => {
    expect(sessions).toBeGreaterThanOrEqual(30)
    expect(mains).toHaveLength(30)
    for (const [file, lines] of logs) {
      const said = lines.filter((line) => line.uuid)
      const { cwd, sessionId } = said[0]!
      expect(file.startsWith(path.join('.claude', 'projects', cwd.replace(/[^a-z0-9]/gi, '-'), sessionId))).toBe(true)
      expect(said.every((line) => line.sessionId === sessionId)).toBe(true)
    }
  })

  test('is the same for the same time, and has the same ids at any time', () => {
    expect(demo().files).toEqual(files)
    const claudes = (names: Iterable<string>) => [...names].filter((file) => file.startsWith('.claude'))
    expect(claudes(demo(NOW + 90 * DAY_MS).files.keys())).toEqual(claudes(files.keys()))
  })

  test.each([0, 1, 2, 3, 4, 5, 6])('fits into four weeks of working hours, also %i days later', (shift) => {
    const now = NOW + shift * DAY_MS
    const text = [...demo(now).files.values()].join('')
    for (const time of new Set([...text.matchAll(/"timestamp":"([^"]+)"/g)].map((match) => match[1]!))) {
      const at = new Date(time)
      expect(now - at.getTime()).toBeGreaterThan(0)
      expect(now - at.getTime()).toBeLessThan(28 * DAY_MS)
      expect([0, 6]).not.toContain(at.getUTCDay())
      expect(at.getUTCHours()).toBeGreaterThanOrEqual(8)
      expect(at.getUTCHours()).toBeLessThan(18)
    }
  })

  test('chains every record to one above it, and has none twice', () => {
    const all = new Set<string>()
    for (const lines of logs.values()) {
      const above = new Set<string>()
      for (const { uuid, parentUuid, logicalParentUuid } of lines) {
        if (!uuid) continue
        const parent = parentUuid ?? logicalParentUuid
        expect(parent ? above.has(parent) : above.size === 0).toBe(true)
        expect(all.has(uuid)).toBe(false)
        above.add(uuid)
        all.add(uuid)
      }
    }
  })

  test('answers every call once, and tells a response in records of growing output', () => {
    for (const lines of logs.values()) {
      const calls = blocks(lines).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
      expect(blocks(lines).flatMap((block) => block.tool_use_id ?? [])).toEqual(calls)
      const outputs = new Map<string, number>()
      for (const { message, requestId } of lines.filter(({ type }) => type === 'assistant')) {
        const key = `${message!.id} ${requestId}`
        expect(message!.usage.output_tokens).toBeGreaterThan(outputs.get(key) ?? 0)
        outputs.set(key, message!.usage.output_tokens)
      }
    }
  })

  test('links each subagent to the call that sent it', () => {
    const sent = mains.flat().flatMap((line) => line.toolUseResult?.agentId ?? [])
    expect(sent).toHaveLength(2)
    for (const id of sent) {
      const found = [...logs].find(([file]) => path.basename(file) === `agent-${id}.jsonl`)
      expect(found?.[1].every((line) => line.isSidechain && line.agentId === id)).toBe(true)
    }
  })

  test('has something for each feature to show', () => {
    const all = blocks(mains.flat())
    const errors = mains.map((lines) => JSON.stringify(blocks(lines).filter((block) => block.is_error)))
    const sessionsWith = (error: string) => errors.filter((text) => text.includes(error)).length
    const runs = (command: string) => all.filter((block) => block.input?.command?.startsWith(command)).length

    expect(sessionsWith('is_error')).toBeGreaterThanOrEqual(20)
    for (const error of ['ECONNREFUSED 127.0.0.1:5432', 'code ERESOLVE', 'acquiring the state lock', 'not been read']) {
      expect(sessionsWith(error), error).toBeGreaterThanOrEqual(2)
    }
    for (const command of ['git status', 'npm test', 'kubectl get pods']) expect(runs(command)).toBeGreaterThan(7)
    expect(runs('cargo test')).toBeGreaterThan(4)
    expect(all.filter((block) => block.text === '[Request interrupted by user]')).toHaveLength(2)
    expect(all.some((block) => String(block.content).length > 4000)).toBe(true)
    const text = [...files.values()].join('')
    for (const mark of ['"isCompactSummary":true', '"commandMode":"prompt"', '"custom-title"'])
      expect(text).toContain(mark)
    expect(text).toMatch(/\bghp_[A-Za-z0-9]{36}\b/)
    expect(text).toMatch(/\bAKIA[A-Z2-7]{16}\b/)
  })

  test('keeps whatever looks like a credential out of its source', () => {
    const here = import.meta.dirname
    const sources = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    expect(sources.length).toBeGreaterThan(8)
    const text = sources.map((file) => readFileSync(path.join(here, file), 'utf8')).join('')
    expect(text).not.toMatch(/ghp_[A-Za-z0-9]{36}|AKIA[A-Z2-7]{16}/)
  })
})
