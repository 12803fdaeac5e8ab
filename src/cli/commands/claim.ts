import { onOneLine } from '../../insight/format.ts'
import { plural } from '../../model/text.ts'
import { claimList } from '../../operations/claim-list.ts'
import { claim as operation } from '../../operations/claim.ts'
import { flag } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'

const keep = commandOf({
  operation,
  args: [{ name: 'text', help: 'what is claimed', required: false, many: true }],
  examples: [],
  watch: ({ terminal }) => ({ watching: { onNote: (text) => terminal.note(terminal.yellow(text)) }, end: () => {} }),
  print: ({ terminal }, { dir }) => terminal.line(`kept in ${dir}`),
})

const list = commandOf({
  operation: claimList,
  options: [{ flags: '--list', help: 'show the claims so far' }],
  examples: [],
  print({ terminal }, { lines, unread, dir }) {
    if (lines.length === 0) return terminal.note(`no claims in ${dir}`)
    printTable(terminal, lines, [
      { title: 'when', value: (line) => onOneLine(line.ts) },
      { title: 'tier', value: (line) => line.evidence_tier },
      { title: 'claim', value: (line) => onOneLine(line.value), flexible: true },
      { title: 'pointer', value: (line) => onOneLine(line.pointer), flexible: true },
    ])
    if (unread > 0) terminal.note(terminal.yellow(`${plural(unread, 'line')} of the journal could not be read`))
  },
})

export const claim = commandOfSeveral({
  name: 'claim',
  summary: keep.summary,
  ...(keep.details === undefined ? {} : { details: keep.details }),
  args: keep.args,
  examples: [
    'recall claim "wave 5 took 18 min" --tier FROM-JOURNAL --pointer tasks.jsonl#wave5',
    'recall claim "index is 3 times faster" --tier REAL --pointer claude:bf053cbd#120',
    'recall claim --list',
  ],
  parts: [{ command: keep }, { command: list }],
  choose: (words, values) => (flag(values, 'list') ? [list] : [keep, ...words]),
})
