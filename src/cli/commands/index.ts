import { existsSync } from 'node:fs'
import { UserError } from '../../model/errors.ts'
import { humanBytes, plural } from '../../model/text.ts'
import type { IndexProgress, IndexReport } from '../../ingest/run.ts'
import type { EmbedReport } from '../../search/embed/embed.ts'
import type { Terminal } from '../terminal.ts'
import { JSON_OPTION, SOURCE_OPTION, type Command, type Context, type Given } from '../command.ts'
import { flag, sourceName, word } from '../given.ts'

export const index: Command = {
  name: 'index',
  summary: "read what is new in the agents' sessions",
  details:
    'Reads only what has changed since the last time. A session that an agent has deleted stays; so does what an agent has ' +
    'removed from a session. `--recreate` moves the old store to `backups/` beside it and brings over what no file can give back. ' +
    '`--embed` may be stopped at any time; the next one goes on. See docs/semantic.md.',
  args: [],
  options: [
    { flags: '--full', help: 'read everything again' },
    { flags: '--recreate', help: 'move the old store to a backup and build a new one' },
    SOURCE_OPTION,
    { flags: '--restore <id>', help: 'read the raw text of an evicted session again' },
    { flags: '--embed', help: 'then make the vectors that search by meaning needs' },
    { flags: '--allow-download', help: 'with --embed: fetch all-MiniLM-L6-v2 if it is not there (90 MB)' },
    { flags: '--wait', help: 'if another recall is writing, wait for it' },
    { flags: '-v, --verbose', help: 'name each file as it is read' },
    JSON_OPTION,
  ],
  examples: ['recall index', 'recall index --source claude-code -v', 'recall index --recreate', 'recall index --embed'],
  async run(context, _args, given) {
    const restored = word(given, 'restore')
    if (restored !== undefined) await restore(context, restored)
    const report = await indexWithProgress(context, given)
    if (!flag(given, 'json')) printReport(context, report)
    const embedded = flag(given, 'embed') ? await embedWithProgress(context, given) : null
    if (flag(given, 'json')) context.terminal.json({ ...indexJson(report), ...(embedded && embedJson(embedded)) })
    else if (embedded !== null) printEmbedded(context, embedded)
  },
}

async function restore({ recall }: Context, id: string): Promise<void> {
  const session = await recall.find(id)
  if (session.evictedAt !== null && !existsSync(session.sourcePath)) {
    const hint = `\`recall digest ${session.shortId}\` tells what is known`
    throw new UserError('NOT_FOUND', `its transcript is gone: ${session.sourcePath}`, hint)
  }
  await recall.restore(session)
}

/** What the index did stays done if there is no model. */
async function embedWithProgress({ terminal, recall }: Context, given: Given): Promise<EmbedReport> {
  return recall
    .embed({
      allowDownload: flag(given, 'allowDownload'),
      onNote: (text) => terminal.note(text),
      onEmbedded: (done, total) => terminal.progress(done, total, `${done} of ${plural(total, 'text')}`),
    })
    .finally(() => terminal.progressDone())
}

function embedJson({ model, dimensions, added, embedded, left, seconds }: EmbedReport): Record<string, unknown> {
  return { embed: { model, dimensions, added, embedded, left, seconds } }
}

function printEmbedded({ terminal }: Context, { model, added, embedded, left, seconds }: EmbedReport): void {
  const rest = left > 0 ? `, ${left} left` : ''
  terminal.line(`${plural(added, 'new vector')} of ${model} in ${seconds.toFixed(1)} s, ${embedded} in all${rest}`)
}

export type Report = IndexReport & { backup: string | null }

const MAX_WARNINGS = 5

/** Indexes with a bar on a terminal and the first few problems named. */
export async function indexWithProgress(context: Context, given: Given, recall = context.recall): Promise<Report> {
  const { terminal } = context
  const source = word(given, 'source')
  const verbose = flag(given, 'verbose')
  if (flag(given, 'recreate') && source !== undefined) {
    throw new UserError('USAGE', '--recreate rebuilds the whole store', 'leave out --source')
  }
  const { progress, end } = progressOf(terminal, verbose)
  const options = {
    full: flag(given, 'full'),
    recreate: flag(given, 'recreate'),
    wait: flag(given, 'wait'),
    ...(source === undefined ? {} : { source: sourceName(source, context.sources) }),
  }
  return recall.index({ ...options, ...progress }).finally(end)
}

/** A bar while reading, and what could not be read; `end` clears the bar. */
export function progressOf(terminal: Terminal, verbose: boolean): { progress: IndexProgress; end: () => void } {
  let warned = 0
  const progress: IndexProgress = {
    onBytes: (done, total) => terminal.progress(done, total, `${humanBytes(done)} of ${humanBytes(total)}`),
    onFile: (path, change) => {
      if (verbose) terminal.note(terminal.cell(`${change} ${path}`))
    },
    onProblem: (path, message) => {
      warned++
      if (verbose || warned <= MAX_WARNINGS)
        terminal.note(terminal.yellow(terminal.cell(`warning: ${path}: ${message}`)))
      else if (warned === MAX_WARNINGS + 1)
        terminal.note(terminal.yellow('more warnings: see `recall status`, or use -v'))
    },
  }
  return { progress, end: () => terminal.progressDone() }
}

export function indexJson(report: Report): Record<string, unknown> {
  const { sessions, files, events, problems, seconds, backup } = report
  return { sessions, files, events, problems, bytes_read: report.bytesRead, seconds, backup }
}

function printReport({ terminal }: Context, report: Report): void {
  const { sessions, files } = report
  terminal.line(
    `${plural(sessions.new, 'new session')}, ${sessions.updated} updated, ${sessions.unchanged} unchanged ` +
      `(${plural(report.events, 'event')} in ${report.seconds.toFixed(1)} s)`,
  )
  terminal.line(
    `${plural(files.found, 'file')} found: ${files.parsed} read (${humanBytes(report.bytesRead)}), ${files.skipped} unchanged, ${files.failed} failed`,
  )
  if (report.problems > 0) terminal.line(`${plural(report.problems, 'problem')}: \`recall status\` shows them`)
  if (report.backup !== null) terminal.line(`the old store is at ${report.backup}`)
}
