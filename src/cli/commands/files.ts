import { pointerOf } from '../../model/pointers.ts'
import { projectName } from '../../model/session.ts'
import { sessionJson } from '../../model/shapes.ts'
import { plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { sessionOptions, type Command, type Context } from '../command.ts'
import { flag, sessionFilter } from '../given.ts'
import { noteRest, titleOf } from '../sessions.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

const DEFAULT_LIMIT = 20

export const files: Command = {
  name: 'files',
  summary: 'sessions that read or changed a file, the latest first',
  details:
    'The path may be whole, relative to where you are, or only its end. All working trees of a repository count as one. ' +
    'Within a repository only its own files are meant; --project looks in another.',
  args: [{ name: 'path', help: 'a file, or the end of its path', required: true }],
  options: sessionOptions(DEFAULT_LIMIT),
  examples: ['recall files src/auth/handler.ts', 'recall files handler.ts --project api --json'],
  rows: 'sessions',
  async run(context, args, given) {
    const { recall, terminal } = context
    const filter = sessionFilter(context, given, DEFAULT_LIMIT)
    const found = await recall.evidence.files({ path: args[0] ?? '', cwd: process.cwd(), filter })
    if (flag(given, 'json')) {
      const { path, root, total, elsewhere } = found
      return terminal.json({ path, root, total, elsewhere, sessions: found.visits.map(visitJson) })
    }
    if (found.visits.length > 0) print(context, found.visits)
    else terminal.note('no session is known to have touched this file')
    if (found.elsewhere > 0) {
      const count = plural(found.elsewhere, 'session')
      terminal.note(terminal.dim(`${count} of other projects touched a file so named; --project <path> shows them`))
    }
    noteRest(terminal, found.visits.length, found.total, 'session')
  },
}

type Visit = Awaited<ReturnType<Context['recall']['evidence']['files']>>['visits'][number]

function visitJson(visit: Visit) {
  return {
    session: sessionJson(visit.session),
    path: visit.path,
    edits: visit.edits,
    reads: visit.reads,
    first_at: isoTime(visit.firstAt),
    last_at: isoTime(visit.lastAt),
    digest_only: visit.session.evictedAt !== null,
    evidence: visit.seqs.map((seq) => `${visit.session.uid}#${seq}`),
  }
}

function print({ terminal }: Context, visits: readonly Visit[]): void {
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
