import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { grok } from '../sources/grok/grok.ts'
import { grokReader } from '../sources/grok/reader.ts'
import type { Item } from '../sources/source.ts'
import { grokFiles } from './grok.ts'
import { grokScripts } from './scripts/grok-index.ts'

const START = Date.UTC(2026, 2, 18, 9, 30)
const home = mkdtempSync(path.join(tmpdir(), 'recall-demo-'))
afterAll(() => rmSync(home, { recursive: true }))

function lay(): string[] {
  return grokScripts().flatMap((script) =>
    grokFiles(script, START).map((file) => {
      const target = path.join(home, file.path)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, file.lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      return target
    }),
  )
}

describe('the demo sessions of Grok', () => {
  const root = path.join(home, '.grok')
  const files = lay()
  const read = (file: string): Item[] => [...grokReader.read({ path: file, root }, null)].flat()
  const transcripts = files.filter((file) => file.endsWith('updates.jsonl'))
  const items = files.flatMap(read)
  const events = items.filter((item) => item.item === 'event')

  test('are five, one of them with a subagent, each file one that the source claims', () => {
    expect(grokScripts()).toHaveLength(5)
    expect(transcripts).toHaveLength(6)
    expect(files.filter((file) => !grok.owns(path.relative(root, file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  })

  test('are read without a problem, every call answered, every turn billed', () => {
    expect(items.filter((item) => item.item === 'problem')).toEqual([])
    const calls = events.filter(({ kind }) => kind === 'tool_call').map(({ call }) => call)
    const answers = events.filter(({ role }) => role === 'tool').map(({ call }) => call)
    expect(answers.toSorted()).toEqual(calls.toSorted())
    const prompts = events.filter(
      ({ kind, text }) => kind === 'user_msg' && text !== 'use webp where the browser takes it',
    )
    expect(items.filter((item) => item.item === 'usage')).toHaveLength(prompts.length)
  })

  test('show what is special: a failure, a cancelled turn, an interjection, a hidden child', () => {
    expect(events.some(({ kind, tool }) => kind === 'error' && tool === 'run_terminal_command')).toBe(true)
    expect(events.some(({ kind }) => kind === 'human_intervention')).toBe(true)
    const facts = items.flatMap((item) => (item.item === 'facts' ? [item.facts] : []))
    expect(facts.some(({ hidden, parent }) => hidden && parent?.startsWith('grok:'))).toBe(true)
    expect(facts.filter(({ agentTitle }) => agentTitle === 'Print matches as JSON lines')).toHaveLength(1)
  })

  test('are the same on every run', () => {
    const [script] = grokScripts()
    expect(script && grokFiles(script, START)).toEqual(script && grokFiles(script, START))
  })
})
