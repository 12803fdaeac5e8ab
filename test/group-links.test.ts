import { readFileSync, renameSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createRecall } from '../src/recall.ts'
import { resolveSettings } from '../src/settings/settings.ts'
import { sources } from '../src/sources/index.ts'
import type { Source } from '../src/sources/source.ts'
import { files, openForReading, openForWriting } from '../src/store/open.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { tempDir } from './kit/home.ts'

const CANARY = 'heron-canary'
const [MINE, THEIRS] = [uuid('mine'), uuid('theirs')]

/** Every byte that is kept of a group beside another one; what `meddle` does happens while it is read. */
async function indexed(meddle: (a: string, b: string) => Partial<Source>): Promise<string> {
  const home = tempDir()
  const [a, b] = ['a', 'b'].map((group) => path.join(home, group))
  if (a === undefined || b === undefined) throw new Error('two homes')
  write(transcriptPath(a, MINE), new ClaudeLog(MINE).user('my own words').say('yes').text())
  for (const id of [MINE, THEIRS]) write(transcriptPath(b, id), new ClaudeLog(id).user(CANARY).say(CANARY).text())
  const claude = sources.find(({ name }) => name === 'claude') as Source
  const meddled = Object.assign(Object.create(claude) as Source, meddle(a, b))
  const store = path.join(home, 'store', 'recall.db')
  const settings = resolveSettings({
    env: {},
    config: null,
    configPath: '',
    sourceNames: ['claude'],
    flags: { '--store': store },
  })
  const recall = createRecall({
    settings: { ...settings, group: 'a', roots: new Map([['claude', [path.join(a, '.claude')]]]) },
    sources: [meddled],
    env: {},
    now: Date.now,
    openForReading,
    openForWriting,
    files,
  })
  try {
    await recall.index()
  } finally {
    await recall.close()
  }
  return readFileSync(store, 'latin1')
}

/** Puts a link to the other's in the place of what is there, once. */
function swap(from: string, to: string): void {
  try {
    renameSync(from, `${from}.gone`)
  } catch {
    return
  }
  symlinkSync(to, from)
}

const project = (home: string) => path.dirname(transcriptPath(home, MINE))

test.each([
  [
    'a directory that becomes a link once its files are found',
    (a: string, b: string) => ({
      sidecars: () => {
        swap(project(a), project(b))
        return []
      },
    }),
  ],
  [
    'a transcript that becomes a link once it is found',
    (a: string, b: string) => ({
      sidecars: () => {
        swap(transcriptPath(a, MINE), transcriptPath(b, MINE))
        return []
      },
    }),
  ],
  [
    'a directory that becomes a link before it is listed',
    (a: string, b: string) => ({
      skips: (inside: string) => {
        if (inside.startsWith(path.join('projects', '-'))) swap(project(a), project(b))
        return false
      },
    }),
  ],
])('nothing of another group is read through %s', async (_, meddle) => {
  const kept = await indexed(meddle)
  expect([CANARY, THEIRS].filter((words) => kept.includes(words))).toEqual([])
})

test('without a link it is read', async () => {
  expect((await indexed(() => ({}))).includes('my own words')).toBe(true)
})
