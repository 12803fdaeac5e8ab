import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import { parseSince } from '../../model/time.ts'
import type { SessionRecord } from '../../model/session.ts'
import { JSON_OPTION, PROJECT_OPTION, type Command, type Context, type Given } from '../command.ts'
import { flag, word } from '../given.ts'
import { cutToWidth } from '../table.ts'

export const forget: Command = {
  name: 'forget',
  summary: 'delete sessions for good, raw text and digest, and never read them again',
  details:
    "Without `--yes` it only says what would go. The agents' own files are not touched: `--undo` lets the next index read a session again while its file is still there.",
  args: [{ name: 'id', help: 'which session', required: false }],
  options: [
    PROJECT_OPTION,
    { flags: '--before <when>', help: 'all that ended before then: 90d, 2024-01-15' },
    { flags: '--undo', help: 'let a forgotten session be read again' },
    { flags: '--yes', help: 'really do it' },
    JSON_OPTION,
  ],
  examples: [
    'recall forget 3f2a9c1e --yes',
    'recall forget --project secret-client',
    'recall forget --undo claude:17092961-…',
  ],
  async run(context, args, given) {
    const { recall, terminal } = context
    if (flag(given, 'undo')) return undo(context, args[0], flag(given, 'json'))
    const sessions = await chosen(context, args[0], given)
    const uids = sessions.map((session) => session.uid)
    const really = flag(given, 'yes')
    const held = really ? await recall.forget(sessions) : []
    if (flag(given, 'json'))
      return terminal.json({ forgotten: really ? uids : [], would_forget: really ? [] : uids, held_by: held })
    for (const session of sessions)
      terminal.line(cutToWidth(terminal.cell(`${session.uid}  ${session.title ?? ''}`), terminal.width))
    if (!really) return terminal.note(`${plural(sessions.length, 'session')} would be deleted for good; --yes does it`)
    terminal.line(`forgot ${plural(sessions.length, 'session')}`)
    if (held.length > 0) terminal.note(stillHeld(held))
    else if (recall.debts().length > 0) terminal.note(NO_ROOM)
  },
}

const NO_ROOM =
  'the disk is too full to write the search index anew: the last bytes go with the next command that writes when there is room'

function stillHeld(pids: readonly number[]): string {
  const who = pids.length === 1 ? `process ${pids[0]} still reads` : `processes ${pids.join(', ')} still read`
  return `${who} the store as it was: the last bytes go when that ends, with the next command that writes`
}

async function undo({ recall, terminal }: Context, uid: string | undefined, json: boolean): Promise<void> {
  if (uid === undefined) throw new UserError('USAGE', 'undo what?', 'give the whole uid, e.g. claude:17092961-…')
  if (!(await recall.unforget(uid))) {
    throw new UserError('NOT_FOUND', `${uid} was not forgotten`, 'give the whole uid, e.g. claude:17092961-…')
  }
  if (json) terminal.json({ session_uid: uid, undone: true })
  else terminal.line(`${uid} will be read again by the next \`recall index\``)
}

async function chosen({ recall, now }: Context, id: string | undefined, given: Given): Promise<SessionRecord[]> {
  const project = word(given, 'project')
  const before = word(given, 'before')
  if (id !== undefined && (project !== undefined || before !== undefined)) {
    throw new UserError('USAGE', 'either a session or filters', 'leave out the id, or --project and --before')
  }
  if (id !== undefined) return [await recall.find(id)]
  if (project === undefined && before === undefined) {
    throw new UserError('USAGE', 'forget what?', 'give a session, --project or --before')
  }
  const until = before === undefined ? null : parseSince(before, now())
  if (before !== undefined && until === null) {
    throw new UserError('USAGE', `cannot read the time ${JSON.stringify(before)}`, 'use 90d or 2024-01-15')
  }
  const { sessions } = await recall.list({ limit: 0, hidden: true, ...(project === undefined ? {} : { project }) })
  return sessions.filter((session) => until === null || (session.endedAt ?? session.startedAt ?? Infinity) < until)
}
