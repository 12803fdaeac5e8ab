import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lines, readRollout, threadId, write } from '../../../test/kit/codex-log.ts'
import { tempDir } from '../../../test/kit/home.ts'
import type { Checkpoint } from '../source.ts'
import { codex } from './codex.ts'
import { codexReader } from './reader.ts'

const prompt = (session: string, ts: unknown, text: unknown) => ({ session_id: session, ts, text })

function lay(content: string) {
  const root = path.join(tempDir(), '.codex')
  return { path: write(path.join(root, 'history.jsonl'), content), root }
}

describe('the log of all prompts', () => {
  test('gives the prompts of each session, as copies of what any rollout says', () => {
    const unit = lay(
      lines([
        prompt(threadId(1), 1_790_000_000, 'first'),
        prompt(threadId(2), 1_790_000_001, 'other'),
        prompt(threadId(1), 1_790_000_002, 'second\n'),
        prompt(threadId(1), 1_790_000_003, '/status'),
      ]),
    )
    expect(codex.owns('history.jsonl')).toBe(true)
    expect(codex.owns(path.join('sessions', 'history.jsonl'))).toBe(false)
    const { items, events, problems } = readRollout(unit.path, unit.root)
    expect(events.map((event) => [event.session, event.pos, event.text, event.human, event.at])).toEqual([
      [threadId(1), 0, 'first', true, 1_790_000_000_000],
      [threadId(2), 0, 'other', true, 1_790_000_001_000],
      [threadId(1), 1, 'second', true, 1_790_000_002_000],
      [threadId(1), 2, '/status', false, 1_790_000_003_000],
    ])
    expect(events[0]?.marks).toEqual({ alone: true })
    expect(events.at(-1)?.marks).toEqual({ alone: true, command: '/status' })
    expect(items.filter((item) => item.item === 'lane')[0]).toMatchObject({
      lane: '~prompts',
      yieldsTo: '*',
      mainPath: `${unit.path}#${threadId(1)}`,
    })
    expect(items.find((item) => item.item === 'facts')).toMatchObject({
      facts: { complete: false, firstPrompt: 'first' },
    })
    expect(problems).toEqual([])
  })

  test('goes on where it stopped', () => {
    const unit = lay(lines([prompt(threadId(1), 1, 'first'), prompt(threadId(2), 2, 'other')]))
    const reading = codexReader.read(unit, null)
    for (const _ of reading);
    const checkpoint: Checkpoint = JSON.parse(JSON.stringify(reading.checkpoint()))
    appendFileSync(unit.path, lines([prompt(threadId(1), 3, 'second')]))
    const rest = [...codexReader.read(unit, checkpoint)].flat()
    expect(rest.filter((item) => item.item === 'event')).toMatchObject([
      { session: threadId(1), pos: 1, text: 'second' },
    ])
  })

  test('has lines that say nothing, are broken, or name times that cannot be', () => {
    const unit = lay(
      `{"text":"nobody's"}\n\n{"torn\n${lines([prompt(threadId(1), 1e300, 'timeless'), prompt(threadId(1), 'x', 7)])}`,
    )
    const { events, problems } = readRollout(unit.path, unit.root)
    expect(events).toMatchObject([{ text: 'timeless', at: null }])
    expect(problems).toMatchObject([{ level: 'warn', line: 3 }])
  })

  test('has no names beside it', () => {
    const unit = lay('')
    expect(codex.sidecars?.(unit)).toEqual([])
    expect(codexReader.readSidecars?.(unit)).toEqual([])
  })
})
