import { plural } from '../../model/text.ts'
import { secrets as operation } from '../../operations/secrets.ts'
import { word } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { printTable } from '../table.ts'
import { localTime } from '../../model/time.ts'

export const secrets = commandOf({
  operation,
  examples: [
    'recall secrets',
    'recall secrets --since 7d --project shop',
    'recall secrets --source codex --limit 0 --json',
  ],
  rows: 'secrets',
  watch: ({ terminal, watching }) => ({
    watching: {
      ...watching,
      onCount: (done, total, file) => terminal.progress(done, total, file),
      onProblem: (file, message) => terminal.note(`${file}: ${message}`),
    },
    end: () => terminal.progressDone(),
  }),
  print({ terminal }, { places, total, files, holding }, values) {
    if (total === 0) {
      const project = word(values, 'project')
      const where = project === undefined ? '' : ` where the project contains "${project}"`
      return terminal.line(`no secrets found in ${plural(files, 'file')}${where}`)
    }
    printTable(terminal, places, [
      { title: 'when', value: ({ at }) => localTime(at) },
      { title: 'age', value: ({ ageDays }) => (ageDays === null ? '' : `${ageDays}d`) },
      { title: 'kind', value: ({ rule }) => rule },
      { title: 'session', value: ({ sessionUid }) => sessionUid ?? '', spare: true },
      { title: 'where', value: ({ file, line }) => `${file}:${line}`, flexible: true, tail: true },
    ])
    const rest = total > places.length ? `, ${places.length} shown (--limit 0 shows all)` : ''
    terminal.note(
      terminal.dim(`${plural(total, 'place')} in ${holding} of ${plural(files, 'file')}${rest}: revoke what is real`),
    )
  },
})
