import { hostname } from 'node:os'
import path from 'node:path'
import type { SyncReport } from '../portable/sync.ts'
import { takenFields } from './import-traces.ts'
import { operation } from './operation.ts'
import { count, list, object, text } from './schema.ts'

export const sync = operation({
  name: 'sync',
  summary: 'merge with your other machines through a directory that they share',
  details:
    'By whatever means it is shared: a disk, a network drive, a synchronised folder. Each machine writes into a directory of ' +
    'its own and takes in those of the others: sessions, tags, titles. What was forgotten on one is forgotten on all. It ' +
    'may be run in any order, twice, or be interrupted.',
  effect: 'writes',
  input: object({ dir: text('the shared directory') }),
  output: object({
    own: text('where this machine writes'),
    hosts: count('other machines'),
    taken: object({ ...takenFields, forgotten_here: list(text()) }),
    written: object({ written: count(), unchanged: count(), removed: count() }),
  }),
  run({ recall, cwd, watching }, { dir }): Promise<SyncReport> {
    const place = path.resolve(cwd, dir)
    return recall.portable.sync({
      dir: place,
      host: hostname(),
      ...(watching.onCount ? { onCount: watching.onCount } : {}),
    })
  },
  document: ({ own, hosts, taken: { sessions, words, bad, problems, forget }, written }) => ({
    own,
    hosts,
    taken: { sessions: { ...sessions }, words, bad, problems, forgotten_here: forget },
    written,
  }),
})
