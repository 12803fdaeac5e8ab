import { existsSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { operation } from './operation.ts'
import { flag, list, nullable, object, text } from './schema.ts'

export const sourceTest = operation({
  name: 'source.test',
  summary: 'try a source of your own: everything that every source promises',
  details:
    'Loads an ES module whose default export is a source and tries it on the transcript that it brings along as `sample`: ' +
    'names, lanes, numbers, reading in pieces, torn and broken lines. Its code runs in a thread of its own. docs/adding.md says how one is written.',
  effect: 'reads',
  isLocal: true,
  input: object({ module: text('the module, e.g. ./my-source.mjs') }),
  output: object({
    module: text(),
    passes: flag('it keeps every promise'),
    fault: nullable(text('why it could not be tried')),
    checks: list(object({ name: text(), passes: flag(), fault: nullable(text()) })),
  }),
  async run({ recall, cwd }, asked) {
    const module = path.resolve(cwd, asked.module)
    if (!existsSync(module)) throw new UserError('NOT_FOUND', `there is no ${module}`, 'name an ES module')
    const tried = await (await recall.addedSources()).try(module)
    const checks =
      typeof tried === 'string' ? [] : tried.map(({ name, fault }) => ({ name, passes: fault === null, fault }))
    const fault = typeof tried === 'string' ? tried : null
    return { module, passes: fault === null && checks.every(({ passes }) => passes), fault, checks }
  },
  document: (result) => result,
})
