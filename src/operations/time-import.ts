import { statSync } from 'node:fs'
import path from 'node:path'
import { JOURNALS } from '../insight/journals.ts'
import { UserError } from '../model/errors.ts'
import { operation } from './operation.ts'
import { choice, count, list, object, text } from './schema.ts'

export const timeImport = operation({
  name: 'time.import',
  summary: 'takes over journals of another directory',
  effect: 'writes',
  input: object({}, { dir: text('the directory to import') }),
  output: object({
    from: text(),
    imported: list(object({ journal: choice(JOURNALS), added: count(), broken: count() })),
  }),
  async run({ recall, env, cwd, watching }, { dir = '' }) {
    const usual = path.join(env['HOME'] ?? '', '.claude', 'memory', 'time-metrics')
    const from = dir === '' ? usual : path.resolve(cwd, dir)
    const books = await recall.chronicle.books()
    if (path.resolve(books.dir) === from)
      throw new UserError('USAGE', `${from} is where the journals are kept already`, 'name another directory')
    const isThere = statSync(from, { throwIfNoEntry: false })?.isDirectory() === true
    if (!isThere && dir !== '') throw new UserError('NOT_FOUND', `no directory ${from}`, 'name one that has journals')
    if (!isThere) watching.onNote?.(`there is no ${from}; to import from elsewhere, name the directory`)
    return { from, imported: isThere ? books.importFrom(from) : [] }
  },
  document: (found) => found,
})
