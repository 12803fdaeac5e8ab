import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { writeDemoHome } from '../../src/demo/demo.ts'
import { createRecall, type Recall } from '../../src/recall.ts'
import { resolveSettings, type Settings } from '../../src/settings/settings.ts'
import { sources } from '../../src/sources/index.ts'
import { files, openForReading, openForWriting } from '../../src/store/open.ts'

export const NOW = Date.parse('2026-11-01T12:00:00Z')

const made: string[] = []
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true })
})

/** A directory that is gone after the tests of this file. */
export function tempDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'recall-test-'))
  made.push(dir)
  return dir
}

/** The demo's made-up sessions, written anew for this test. */
export function demoHome(): string {
  const home = tempDir()
  writeDemoHome(home, NOW)
  return home
}

export interface Bench {
  readonly home: string
  readonly store: string
  readonly recall: Recall
}

/** The whole product on a home and a store of its own, reading in this thread. */
export function productOn(
  home: string,
  store = path.join(tempDir(), 'recall.db'),
  settings: Partial<Settings> = {},
  now: () => number = () => NOW,
): Bench {
  const recall = createRecall({
    settings: { ...settingsFor(store), ...settings },
    sources,
    env: { HOME: home },
    now,
    openForReading,
    openForWriting,
    files,
  })
  return { home, store, recall }
}

/** Every setting at its default, on this store. */
function settingsFor(storePath: string): Settings {
  const flags = { '--store': storePath }
  return resolveSettings({ env: {}, config: null, configPath: '', sourceNames: [], flags })
}

/** Real logs beside the project, where they are. */
export const corpus = path.resolve(import.meta.dirname, '../../../shared/corpus')
export const corpusHome = path.join(corpus, 'home')
export const noCorpus = existsSync(corpusHome) ? false : 'no recorded logs beside the project'

export function copyInto(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}
