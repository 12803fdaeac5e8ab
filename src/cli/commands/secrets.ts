import { plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { JSON_OPTION, limitOption, PROJECT_OPTION, SINCE_OPTION, SOURCE_OPTION, type Command } from '../command.ts'
import { flag, sessionFilter } from '../given.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

const USUAL_LIMIT = 100

export const secrets: Command = {
  name: 'secrets',
  summary: "where secrets lie in the agents' own files, so that you can revoke them",
  details:
    'Reads the transcripts themselves with the rules of `recall index` and says file, line, kind and age, newest file first; never a secret or a part of one. Changes nothing and needs no store. What recall keeps has none of them: `recall doctor --secrets` proves it.',
  args: [],
  options: [SOURCE_OPTION, PROJECT_OPTION, SINCE_OPTION, limitOption(USUAL_LIMIT), JSON_OPTION],
  examples: [
    'recall secrets',
    'recall secrets --since 7d --project shop',
    'recall secrets --source codex --limit 0 --json',
  ],
  rows: 'secrets',
  async run(context, _args, given) {
    const { recall, settings, terminal } = context
    const { limit = USUAL_LIMIT, source, since, project } = sessionFilter(context, given, USUAL_LIMIT)
    const { secretsInFiles } = await import('../../ingest/secrets-in-files.ts')
    const reading = secretsInFiles({
      roots: recall.roots().filter((root) => source === undefined || root.source.name === source),
      redaction: { rules: settings.redactionRules, allow: settings.redactionAllow },
      ...(since === undefined ? {} : { since }),
      ...(project === undefined ? {} : { project }),
      onBytes: (done, total, file) => terminal.progress(done, total, file),
      onProblem: (file, message) => terminal.note(`${file}: ${message}`),
    })
    const shown = []
    let [total, files, held] = [0, 0, 0]
    for await (const { places } of reading) {
      files++
      if (places.length > 0) held++
      total += places.length
      shown.push(...(limit === 0 ? places : places.slice(0, limit - shown.length)))
    }
    terminal.progressDone()
    if (flag(given, 'json')) {
      const rows = shown.map(({ file, line, rule, source: from, sessionUid, at }) => ({
        file,
        line,
        rule,
        source: from,
        session_uid: sessionUid,
        at: isoTime(at),
        age_days: ageInDays(at, context.now()),
      }))
      terminal.json({ secrets: rows, total, files_read: files })
      return
    }
    if (total === 0) {
      const where = project === undefined ? '' : ` where the project contains "${project}"`
      terminal.line(`no secrets found in ${plural(files, 'file')}${where}`)
      return
    }
    printTable(terminal, shown, [
      { title: 'when', value: ({ at }) => localTime(at) },
      { title: 'age', value: ({ at }) => ageText(at, context.now()) },
      { title: 'kind', value: ({ rule }) => rule },
      { title: 'session', value: ({ sessionUid }) => sessionUid ?? '', spare: true },
      { title: 'where', value: ({ file, line }) => `${file}:${line}`, flexible: true, tail: true },
    ])
    const rest = total > shown.length ? `, ${shown.length} shown (--limit 0 shows all)` : ''
    terminal.note(
      terminal.dim(`${plural(total, 'place')} in ${held} of ${plural(files, 'file')}${rest}: revoke what is real`),
    )
  },
}

const DAY = 24 * 60 * 60 * 1000

/** How long it has lain there; null if the line has no time. */
function ageInDays(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((now - at) / DAY))
}

function ageText(at: number | null, now: number): string {
  const days = ageInDays(at, now)
  return days === null ? '' : `${days}d`
}
