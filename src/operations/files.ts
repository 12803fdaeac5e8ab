import { isoTime } from '../model/time.ts'
import type { FilesAnswer, FileVisit } from '../search/files.ts'
import { sessionFields, sessionFilter } from './filters.ts'
import { operation } from './operation.ts'
import { count, flag, instant, list, nullable, object, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const USUAL = 20

const visit = object({
  session: sessionSchema,
  path: text(),
  edits: count(),
  reads: count(),
  first_at: instant,
  last_at: instant,
  digest_only: flag(),
  evidence: list(text()),
})

export const files = operation({
  name: 'files',
  summary: 'sessions that read or changed a file, the latest first',
  details:
    'The path may be whole, relative to where you are, or only its end. All working trees of a repository count as one. ' +
    'Within a repository only its own files are meant; --project looks in another.',
  effect: 'reads',
  isSlow: true,
  input: object({ path: text('a file, or the end of its path') }, sessionFields(USUAL)),
  output: object({
    path: text(),
    root: nullable(text()),
    total: count(),
    elsewhere: count(),
    sessions: list(visit),
  }),
  run(context, asked): Promise<FilesAnswer> {
    const filter = sessionFilter(context, asked, USUAL)
    return context.recall.evidence.files({ path: asked.path, cwd: context.cwd, filter })
  },
  document: ({ path, root, total, elsewhere, visits }: FilesAnswer) => ({
    path,
    root,
    total,
    elsewhere,
    sessions: visits.map(visitDocument),
  }),
})

function visitDocument({ session, path, edits, reads, firstAt, lastAt, seqs }: FileVisit) {
  return {
    session: sessionDocument(session),
    path,
    edits,
    reads,
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
    digest_only: session.evictedAt !== null,
    evidence: seqs.map((seq) => `${session.uid}#${seq}`),
  }
}
