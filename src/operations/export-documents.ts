import { hostname } from 'node:os'
import { UserError } from '../model/errors.ts'
import type { DocumentFormat, DocumentsReport } from '../portable/documents.ts'
import { exportFields, outPath } from './export-traces.ts'
import { filterFields, narrowing } from './filters.ts'
import { operation } from './operation.ts'
import { called, count, flag, object, text } from './schema.ts'

function documents(format: DocumentFormat, summary: string, details: string) {
  return operation({
    name: `export.${format}`,
    summary,
    details,
    effect: 'writes',
    input: object(
      { out: called('path', text('a file for one session, else a directory')) },
      {
        id: text('which session; without, all that the filters leave'),
        ...exportFields,
        tag: filterFields.tag,
        anonymize: flag('other names for people, accounts, homes, hosts and mailboxes'),
        force: flag('replace what is there'),
      },
    ),
    output: object({ out: text(), sessions: count(), bytes: count() }),
    async run(context, { id, out: named, anonymize, force, ...narrow }): Promise<DocumentsReport> {
      const { recall, watching } = context
      const out = outPath(context, named)
      if (id !== undefined && Object.values(narrow).some((value) => value !== undefined))
        throw new UserError('USAGE', 'either a session or filters', 'leave out the id, or the filters')
      const sessions =
        id === undefined
          ? (await recall.list({ ...narrowing(context, narrow, 0).sessions, limit: 0, hidden: true, empty: false }))
              .sessions
          : [await recall.find(id)]
      return recall.portable.exportDocuments({
        format,
        sessions,
        isOne: id !== undefined,
        out,
        force: force === true,
        anonymize: anonymize === true,
        hostname: hostname(),
        ...(watching.onCount ? { onCount: watching.onCount } : {}),
      })
    },
    document: (report: DocumentsReport) => ({ ...report }),
  })
}

const ANONYMOUS =
  'With --anonymize names of accounts, homes, hosts, addresses and authors are others, the same everywhere; a name in prose that stands nowhere as one stays.'

export const exportMd = documents('md', 'sessions as Markdown', ANONYMOUS)
export const exportHtml = documents(
  'html',
  'sessions as pages that need no server and no network, with an index that searches',
  `Nothing in them runs or loads: what was said is text, code is coloured, edits are diffs, calls are folded. ${ANONYMOUS}`,
)
export const exportJson = documents('json', 'sessions as JSON documents', ANONYMOUS)
