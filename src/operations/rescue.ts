import { isoTime } from '../model/time.ts'
import type { Endangered } from '../retention/rescue.ts'
import { timeOf } from './filters.ts'
import { operation } from './operation.ts'
import { called, count, flag, instant, list, nullable, object, text } from './schema.ts'

const USUAL = '7d'

export interface Rescue {
  readonly within: string
  readonly rows: readonly Endangered[]
  /** Those of them that recall does not hold complete. */
  readonly lost: readonly Endangered[]
}

export const rescue = operation({
  name: 'rescue',
  summary: 'which transcripts their agent will delete soon, and whether recall has them',
  details:
    'Exit code 1 if one of them is not held complete: `recall index` reads what is new or has changed, `recall index --restore` what was evicted.',
  effect: 'reads',
  isSlow: true,
  input: object({}, { within: called('time', text(`how soon (${USUAL})`)) }),
  output: object({
    sessions: list(
      object({ source: text(), path: text(), deleted_at: instant, held: flag(), reason: nullable(text()) }),
    ),
    total: count(),
    not_held: count(),
  }),
  async run({ recall, now }, { within = USUAL }): Promise<Rescue> {
    const at = now()
    const rows = await recall.rescue(at + (at - timeOf(within, at, 'use 7d or 30d')))
    return { within, rows, lost: rows.filter((row) => !row.held) }
  },
  document: ({ rows, lost }: Rescue) => ({
    sessions: rows.map(({ source, path, deletedAt, held, reason }) => ({
      source,
      path,
      deleted_at: isoTime(deletedAt),
      held,
      reason,
    })),
    total: rows.length,
    not_held: lost.length,
  }),
})
