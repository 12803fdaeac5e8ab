import path from 'node:path'
import { statSync } from 'node:fs'
import { UserError } from '../model/errors.ts'
import type { TakenIn } from '../portable/import-traces.ts'
import { operation } from './operation.ts'
import { count, list, object, text } from './schema.ts'

/** What came of records of somebody else's. */
export const takenFields = {
  sessions: object({ kept: count(), same: count(), forgotten: count(), own: count(), evicted: count() }),
  words: count('tags, titles and tombstones that were news'),
  bad: count('lines that are no records'),
  problems: list(text(), 'the first of them'),
}

export const importTraces = operation({
  name: 'import.traces',
  summary: 'takes in traces that were exported, or those of kei-memory',
  details:
    'Everything is redacted again. What is no record is counted and passed over; what was forgotten here stays forgotten, ' +
    'and a session whose own transcript was read here is left as it is.',
  effect: 'writes',
  input: object({ dir: text('the directory with `traces/` in it') }),
  output: object({ ...takenFields, traces: count('sessions of traces that recall did not write') }),
  async run({ recall, cwd, watching }, { dir: named }): Promise<TakenIn & { readonly traces: number }> {
    const dir = path.resolve(cwd, named)
    if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UserError('NOT_FOUND', `no directory ${dir}`, 'name one that has `traces/` in it')
    return recall.portable.importTraces({ dir, ...(watching.onCount ? { onCount: watching.onCount } : {}) })
  },
  document: ({ sessions, words, bad, problems, traces }) => ({
    sessions: { ...sessions },
    words,
    bad,
    problems,
    traces,
  }),
})
