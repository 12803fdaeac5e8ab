import type { IndexReport } from '../ingest/run.ts'
import { UserError } from '../model/errors.ts'
import { hasTranscript } from '../model/regular-file.ts'
import type { EmbedReport } from '../search/embed/embed.ts'
import { source, sourceName } from './filters.ts'
import { operation, type OperationContext } from './operation.ts'
import { called, count, flag, nullable, number, object, text } from './schema.ts'
import { wait } from './writing.ts'

const embed = object({
  model: nullable(text()),
  dimensions: nullable(count()),
  added: count(),
  embedded: count(),
  left: count(),
  seconds: number(),
})

export interface Indexed {
  readonly report: IndexReport & { readonly backup: string | null }
  /** Null if no vectors were asked for. */
  readonly embedded: EmbedReport | null
}

export const index = operation({
  name: 'index',
  summary: "read what is new in the agents' sessions",
  details:
    'Reads only what has changed since the last time. A session that an agent has deleted stays; so does what an agent has ' +
    'removed from a session. `--recreate` moves the old store to `backups/` beside it and brings over what no file can give back. ' +
    '`--embed` may be stopped at any time; the next one goes on. See docs/semantic.md.',
  effect: 'writes',
  input: object(
    {},
    {
      full: flag('read everything again'),
      recreate: flag('move the old store to a backup and build a new one'),
      source,
      restore: called('id', text('read the raw text of an evicted session again')),
      embed: flag('then make the vectors that search by meaning needs'),
      allow_download: flag('with --embed: fetch all-MiniLM-L6-v2 if it is not there (90 MB)'),
      wait,
    },
  ),
  output: object(
    {
      sessions: object({ new: count(), updated: count(), unchanged: count() }),
      files: object({ found: count(), parsed: count(), skipped: count(), failed: count() }),
      events: count(),
      problems: count(),
      bytes_read: count(),
      seconds: number(),
      backup: nullable(text()),
    },
    { embed },
  ),
  async run(context, asked): Promise<Indexed> {
    const { recall, sources, watching } = context
    if (asked.recreate === true && asked.source !== undefined)
      throw new UserError('USAGE', '--recreate rebuilds the whole store', 'leave out --source')
    const only = asked.source === undefined ? {} : { source: sourceName(asked.source, sources) }
    if (asked.restore !== undefined) await restore(context, asked.restore)
    const { full = false, recreate = false, wait: isPatient = false } = asked
    const report = await recall.index({ full, recreate, wait: isPatient, ...only, ...watching })
    watching.onIndexed?.(report)
    const embedded = asked.embed === true ? await makeVectors(context, asked.allow_download === true) : null
    return { report, embedded }
  },
  document: ({ report, embedded }: Indexed) => {
    const { sessions, files, events, problems, bytesRead, seconds, backup } = report
    const read = { sessions, files, events, problems, bytes_read: bytesRead, seconds, backup }
    return embedded === null ? read : { ...read, embed: embedDocument(embedded) }
  },
})

async function restore({ recall }: OperationContext, id: string): Promise<void> {
  const session = await recall.find(id)
  if (session.evictedAt !== null && !hasTranscript(session.sourcePath)) {
    const hint = `\`recall digest ${session.shortId}\` tells what is known`
    throw new UserError('NOT_FOUND', `its transcript is gone: ${session.sourcePath}`, hint)
  }
  await recall.restore(session)
}

/** What the index did stays done if there is no model. */
function makeVectors({ recall, watching }: OperationContext, allowDownload: boolean): Promise<EmbedReport> {
  const { onNote, onCount } = watching
  return recall.embed({
    allowDownload,
    ...(onNote === undefined ? {} : { onNote }),
    ...(onCount === undefined ? {} : { onEmbedded: (done, total) => onCount(done, total, 'text') }),
  })
}

function embedDocument({ model, dimensions, added, embedded, left, seconds }: EmbedReport) {
  return { model, dimensions, added, embedded, left, seconds }
}
