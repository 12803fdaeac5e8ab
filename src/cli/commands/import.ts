import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import { importTraces } from '../../operations/import-traces.ts'
import type { TakenIn } from '../../portable/import-traces.ts'
import type { Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'
import { counting } from './export.ts'

/** What was taken in, what was not and why, and what could not be understood. */
export function printTaken({ terminal }: Context, { sessions, words, bad, problems }: TakenIn, more = 0): void {
  const { kept, same, forgotten, own, evicted } = sessions
  const parts = [
    ...(same > 0 ? [`${same} known already`] : []),
    ...(own > 0 ? [`${own} of which the transcript was read here`] : []),
    ...(forgotten > 0 ? [`${forgotten} forgotten here`] : []),
    ...(evicted > 0 ? [`${evicted} whose text was let go here`] : []),
    ...(words > 0 ? [plural(words, 'tag or title', 'tags or titles')] : []),
  ]
  terminal.line([`took in ${plural(kept + more, 'session')}`, ...parts].join('; '))
  if (bad === 0) return
  terminal.note(terminal.yellow(`${plural(bad, 'line')} could not be understood:`))
  for (const problem of problems) terminal.note(terminal.cell(`  ${problem}`))
}

const traces = commandOf({
  operation: importTraces,
  args: [{ name: 'dir', help: 'with `traces/` in it', required: true }],
  examples: [],
  watch: counting,
  print: (context, taken) => printTaken(context, taken, taken.traces),
})

export const importing = commandOfSeveral({
  name: 'import',
  summary: importTraces.summary,
  details: importTraces.details ?? '',
  args: [
    { name: 'format', help: 'traces', required: true },
    { name: 'dir', help: 'with `traces/` in it', required: true },
  ],
  examples: ['recall import traces ~/memory', 'recall import traces ~/.claude/memory'],
  parts: [{ command: traces }],
  choose([format, ...words]) {
    if (format === 'traces') return [traces, ...words]
    throw new UserError('USAGE', `no format ${JSON.stringify(format)}`, 'formats are: traces')
  },
})
