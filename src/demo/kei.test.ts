import { expect, test } from 'vitest'
import { claudeFiles } from './claude.ts'
import { keiFiles, keiScripts, traceFiles } from './kei.ts'
import { claudeScripts } from './scripts/index.ts'

const START = Date.UTC(2026, 2, 18, 9)

test('a traced session is traced line by line as its transcript says it', () => {
  const traced = claudeScripts().filter((script) => traceFiles(script, START).length > 0)
  expect(traced).toHaveLength(1)
  for (const script of traced) {
    const [transcript] = claudeFiles(script, START)
    const [trace] = traceFiles(script, START)
    expect(trace?.lines).toEqual(transcript?.lines)
    expect(trace?.path).toBe(`.claude/memory/traces/${transcript?.path.split('/').at(-1)}`)
  }
})

test('the flat trace has calls, a failure and a correction, in order of time', () => {
  const [file] = keiScripts().flatMap((script) => keiFiles(script, START))
  const labels = file?.lines.map((line) => line['event_class'])
  for (const label of ['tool_use:Edit', 'tool_error:Bash', 'user_correction', undefined])
    expect(labels).toContain(label)
  const times = file?.lines.map((line) => Number(line['ts'])) ?? []
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThan(START / 1000)
})
