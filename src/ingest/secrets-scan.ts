import type { Finding, KnownRow } from '../store/store.ts'
import { createKnownSecrets, KNOWN, type KnownSecrets, type KnownState } from './known-secrets.ts'
import { NO_CONFIG, type RedactionConfig } from './redact-config.ts'
import { createRedactor, CUT_OFF } from './redact.ts'

/** A text that is stored, and where: something a person can look up, such as `claude:1234#17 text`. */
export interface StoredText {
  readonly where: string
  readonly text: string
}

/** What is known of the session that a text is of, by where it stands; null if nothing is. */
export type KnownOf = (where: string) => KnownSecrets | null

/** Of texts that stand beside a session: `claude:1234#17 text`, `claude:1234 title`. */
export function knownByPlace(key: Uint8Array | null, rows: readonly KnownRow[]): KnownOf {
  if (key === null || rows.length === 0) return () => null
  const known = new Map(
    rows.map(({ uid, state }) => [uid, createKnownSecrets(key, JSON.parse(state) as KnownState)] as const),
  )
  return (where) => known.get(/^[^\s#]*/.exec(where)?.[0] ?? '') ?? null
}

const PLACES_NAMED = 3

/**
 * What the rules, and what is known of each session, still find in what is stored: one finding a rule, with how often
 * and where first. Says nothing of the secrets themselves. Reads each text once and keeps none.
 */
export function scanSecrets(
  texts: Iterable<StoredText>,
  config: RedactionConfig = NO_CONFIG,
  knownOf: KnownOf = () => null,
): Finding[] {
  const redactor = createRedactor(config)
  const places = new Map<string, { count: number; where: Set<string> }>()
  for (const { where, text } of texts) {
    const known = knownOf(where)
    const isKnown = known !== null && known.text(text) !== text
    redactor.text(text)
    for (const rule of [...(redactor.taken() ?? []), ...(isKnown ? [KNOWN] : [])]) {
      // What is stored was cut after it was redacted, too.
      if (rule === CUT_OFF) continue
      const place = places.get(rule) ?? { count: 0, where: new Set() }
      place.count++
      if (place.where.size < PLACES_NAMED) place.where.add(where)
      places.set(rule, place)
    }
  }
  return [...places].map(([rule, { count, where }]) => ({
    id: 'secret',
    level: 'error',
    message: `${count} × ${rule} in what is stored, first in ${[...where].join(', ')}`,
    remedy: 'run `recall index`: it takes out what the rules of this version find',
  }))
}
