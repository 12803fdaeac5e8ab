import { beforeAll, describe, expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

type Json = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- what the program prints, read as its users would

/** One session a time, named by it: each is about the heron and takes a second. */
const TIMES = [
  '2026-02-09T17:59:00Z', // in Kolkata still the 9th
  '2026-02-09T18:31:00Z', // there the 10th
  '2026-02-10T04:59:00Z', // in New York still the 9th
  '2026-02-10T05:01:00Z', // there the 10th
  '2026-03-08T06:30:00Z', // New York, half an hour before its clocks go forward
  '2026-03-08T07:30:00Z', // and half an hour after, 03:30 there
  '2026-11-01T04:30:00Z', // New York, 00:30 on a day of 25 hours
  '2026-11-02T04:30:00Z', // the last hour of that day
] as const

const env = cleanEnv(tempDir())

beforeAll(() => {
  for (const time of TIMES) {
    const log = new ClaudeLog(uuid(time), {}, Date.parse(time) - 1000).user(`the heron at ${time}`)
    write(transcriptPath(env['HOME'] ?? '', uuid(time)), log.text())
  }
  expect(recallCli(env, 'index').code).toBe(0)
})

/** The times of the sessions that a question finds, in order. */
function found(zone: string, ...args: string[]): string[] {
  const rows = recallJson({ ...env, TZ: zone }, ...args, '--limit', '0') as Json
  const sessions: Json[] = rows['sessions'] ?? rows['hits'].map((hit: Json) => hit['session'])
  return sessions.map((session) => String(session['started_at']).replace('.000Z', 'Z')).sort()
}

const day = (date: string, next: string) => [
  [`since:${date} before:${next} heron`],
  ['heron', '--since', date, '--before', next],
]

describe('a date means the day of those who type it', () => {
  test.each([
    ['UTC', '2026-02-10', '2026-02-11', [2, 3]],
    ['Asia/Kolkata', '2026-02-10', '2026-02-11', [1, 2, 3]],
    ['America/New_York', '2026-02-10', '2026-02-11', [3]],
    ['America/New_York', '2026-02-09', '2026-02-10', [0, 1, 2]],
    ['America/New_York', '2026-11-01', '2026-11-02', [6, 7]],
    ['America/New_York', '2026-03-08', '2026-03-09', [4, 5]],
  ])('%s: %s', (zone, date, next, wanted) => {
    for (const words of day(date, next)) expect(found(zone, 'search', ...words)).toEqual(wanted.map((i) => TIMES[i]))
  })

  test('a time without a zone is local, also where clocks change, and one with a zone is that of the zone', () => {
    const since = (text: string) => found('America/New_York', 'list', '--since', text)
    expect(since('2026-03-08T01:45')).toEqual(TIMES.slice(5))
    expect(since('2026-03-08 03:31')).toEqual(TIMES.slice(6))
    expect(since('2026-03-08T07:30:00Z')).toEqual(TIMES.slice(5))
    expect(since('2026-03-08T13:00:01+05:30')).toEqual(TIMES.slice(6))
    expect(since('2026-03-08T13:00:00+0530')).toEqual(TIMES.slice(5))
    expect(found('Asia/Kolkata', 'list', '--since', '2026-11-02T09:59')).toEqual(TIMES.slice(7))
  })

  test('sessions are forgotten up to a local day', () => {
    const would = (zone: string) => {
      const told = recallJson({ ...env, TZ: zone }, 'forget', '--before', '2026-02-10') as Json
      return told['would_forget'].length
    }
    expect(['UTC', 'Asia/Kolkata', 'America/New_York'].map(would)).toEqual([2, 1, 3])
  })
})
