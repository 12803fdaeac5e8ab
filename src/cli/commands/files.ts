import { pointerOf } from '../../model/pointers.ts'
import { projectName } from '../../model/session.ts'
import { plural } from '../../model/text.ts'
import { localTime } from '../../model/time.ts'
import { files as operation } from '../../operations/files.ts'
import type { FileVisit } from '../../search/files.ts'
import { FRESH_OPTION, type Context } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { noteRest, titleOf } from '../sessions.ts'
import { printTable } from '../table.ts'

export const files = commandOf({
  operation,
  args: [{ name: 'path', help: 'a file, or the end of its path', required: true }],
  options: [FRESH_OPTION],
  examples: ['recall files src/auth/handler.ts', 'recall files handler.ts --project api --json'],
  rows: 'sessions',
  print(context, { visits, total, elsewhere }) {
    const { terminal } = context
    if (visits.length > 0) print(context, visits)
    else terminal.note('no session is known to have touched this file')
    if (elsewhere > 0) {
      const count = plural(elsewhere, 'session')
      terminal.note(terminal.dim(`${count} of other projects touched a file so named; --project <path> shows them`))
    }
    noteRest(terminal, visits.length, total, 'session')
  },
})

function print({ terminal }: Context, visits: readonly FileVisit[]): void {
  printTable(terminal, visits, [
    { title: 'id', value: ({ session }) => session.shortId.slice(0, 8) },
    { title: 'last', value: ({ lastAt }) => localTime(lastAt) },
    { title: 'edits', value: ({ edits }) => String(edits), right: true },
    { title: 'title', value: ({ session }) => titleOf(session), flexible: true, least: 24 },
    { title: 'at', value: ({ seqs }) => seqs.slice(0, 3).map(pointerOf).join(' '), flexible: true, least: 10 },
    { title: 'path', value: ({ path }) => path, flexible: true, tail: true, least: 24, spare: true },
    { title: 'project', value: ({ session }) => projectName(session), flexible: true, tail: true, spare: true },
    { title: 'reads', value: ({ reads }) => String(reads), right: true, spare: true },
  ])
}
