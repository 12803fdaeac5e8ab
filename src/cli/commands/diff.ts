import { diffNotes, diffPage, diffTables, SIDES, type DiffTable } from '../../insight/diff-page.ts'
import { pageMarkdown } from '../../insight/page-markdown.ts'
import { diff as operation } from '../../operations/diff.ts'
import { FRESH_OPTION } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { checkPageOptions, OUT_OPTION, writePage } from '../page-file.ts'
import { printHeading, printWrapped } from '../sessions.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

/** So many rows of a table are shown; a page and `--json` have all. */
const SHOWN = 30

export const diff = commandOf({
  operation,
  args: [
    { name: 'a', help: 'a session', required: true },
    { name: 'b', help: 'another one', required: true },
  ],
  options: [{ flags: '--html', help: 'as one HTML page' }, OUT_OPTION, FRESH_OPTION],
  examples: ['recall diff 3f2a9c1e 81d0b7aa', 'recall diff last 3f2a9c1e --html --out diff.html'],
  refine: checkPageOptions,
  async print(context, found, values) {
    if (await writePage(context, diffPage(found), values, { usual: 'diff.html', text: pageMarkdown })) return
    const { terminal } = context
    for (const { session } of [found.a, found.b]) printHeading(terminal, session, [])
    terminal.line()
    for (const note of diffNotes(found)) printWrapped(terminal, note)
    for (const table of diffTables(found)) print(terminal, table)
  },
})

function print(terminal: Terminal, { title, rows }: DiffTable): void {
  terminal.line()
  printTable(terminal, rows.slice(0, SHOWN), [
    { title, value: ({ what }) => what, flexible: true, tail: true },
    { title: SIDES[0], value: ({ a }) => a, flexible: true },
    { title: SIDES[1], value: ({ b }) => b, flexible: true },
  ])
  if (rows.length > SHOWN) terminal.line(terminal.dim(`${rows.length - SHOWN} more: --html or --json`))
}
