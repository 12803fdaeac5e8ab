import type { SecretPlace } from '../ingest/secrets-in-files.ts'
import { isoTime } from '../model/time.ts'
import { sessionFields, sessionFilter } from './filters.ts'
import { operation } from './operation.ts'
import { count, instant, list, nullable, object, text } from './schema.ts'

const USUAL = 100
const DAY = 24 * 60 * 60 * 1000

export interface SecretsFound {
  /** As many as were asked for. */
  readonly places: readonly (SecretPlace & { readonly ageDays: number | null })[]
  readonly total: number
  readonly files: number
  /** How many of the files hold any. */
  readonly holding: number
}

export const secrets = operation({
  name: 'secrets',
  summary: "where secrets lie in the agents' own files, so that you can revoke them",
  details:
    'Reads the transcripts themselves with the rules of `recall index` and says file, line, kind and age, newest file first; never a secret or a part of one. Changes nothing and needs no store. What recall keeps has none of them: `recall doctor --secrets` proves it.',
  effect: 'reads',
  isLocal: true,
  isSlow: true,
  input: object({}, sessionFields(USUAL)),
  output: object({
    secrets: list(
      object({
        file: text(),
        line: count(),
        rule: text(),
        source: text(),
        session_uid: nullable(text()),
        at: instant,
        age_days: nullable(count()),
      }),
    ),
    total: count(),
    files_read: count(),
  }),
  async run(context, asked): Promise<SecretsFound> {
    const { recall, settings, watching, now } = context
    const { limit = USUAL, source, since, project } = sessionFilter(context, asked, USUAL)
    const { onCount, onProblem } = watching
    const { secretsInFiles } = await import('../ingest/secrets-in-files.ts')
    const reading = secretsInFiles({
      roots: recall.roots().filter((root) => source === undefined || root.source.name === source),
      redaction: { rules: settings.redactionRules, allow: settings.redactionAllow },
      ...(since === undefined ? {} : { since }),
      ...(project === undefined ? {} : { project }),
      ...(onCount === undefined ? {} : { onBytes: onCount }),
      ...(onProblem === undefined ? {} : { onProblem }),
    })
    const kept: SecretPlace[] = []
    let [total, files, holding] = [0, 0, 0]
    for await (const { places } of reading) {
      files++
      if (places.length > 0) holding++
      total += places.length
      kept.push(...(limit === 0 ? places : places.slice(0, limit - kept.length)))
    }
    const places = kept.map((place) => ({ ...place, ageDays: ageInDays(place.at, now()) }))
    return { places, total, files, holding }
  },
  document: ({ places, total, files }: SecretsFound) => ({
    secrets: places.map(({ file, line, rule, source, sessionUid, at, ageDays }) => ({
      file,
      line,
      rule,
      source,
      session_uid: sessionUid,
      at: isoTime(at),
      age_days: ageDays,
    })),
    total,
    files_read: files,
  }),
})

/** How long it has lain there; null if the line has no time. */
function ageInDays(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((now - at) / DAY))
}
