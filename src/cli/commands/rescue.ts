import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import { isoTime, parseSince } from '../../model/time.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag, word } from '../given.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

const DEFAULT_WITHIN = '7d'

export const rescue: Command = {
  name: 'rescue',
  summary: 'which transcripts their agent will delete soon, and whether recall has them',
  details:
    'Exit code 1 if one of them is not held complete: `recall index` reads what is new or has changed, `recall index --restore` what was evicted.',
  args: [],
  options: [{ flags: '--within <time>', help: `how soon (${DEFAULT_WITHIN})` }, JSON_OPTION],
  examples: ['recall rescue', 'recall rescue --within 30d --json'],
  rows: 'sessions',
  async run({ recall, terminal, now }, _args, given) {
    const within = word(given, 'within') ?? DEFAULT_WITHIN
    const past = parseSince(within, now())
    if (past === null) throw new UserError('USAGE', `cannot read the time ${JSON.stringify(within)}`, 'use 7d or 30d')
    const rows = await recall.rescue(now() + (now() - past))
    const lost = rows.filter((row) => !row.held)
    if (flag(given, 'json')) {
      terminal.json({
        sessions: rows.map(({ source, path, deletedAt, held, reason }) => ({
          source,
          path,
          deleted_at: isoTime(deletedAt),
          held,
          reason,
        })),
        not_held: lost.length,
      })
    } else if (rows.length === 0) terminal.line(`nothing will be deleted within ${within}`)
    else {
      printTable(terminal, rows, [
        { title: 'deleted', value: (row) => localTime(row.deletedAt) },
        { title: 'held', value: (row) => row.reason ?? 'yes' },
        { title: 'transcript', value: (row) => row.path, flexible: true, tail: true },
      ])
      const note = `${plural(rows.length, 'transcript')} will go within ${within}, ${lost.length} not held`
      const advice = lost.some((row) => !row.letGo) ? ': run `recall index`' : ''
      terminal.note(lost.length > 0 ? terminal.yellow(note + advice) : terminal.dim(note))
    }
    return lost.length > 0 ? 1 : 0
  },
}
