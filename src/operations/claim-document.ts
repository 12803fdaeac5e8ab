import { TIERS } from '../insight/journals.ts'
import { choice, object, text } from './schema.ts'

/** A line of the journal of claims. */
export const claimLine = object(
  { kind: choice(['claim']), value: text(), evidence_tier: choice(TIERS), pointer: text(), ts: text() },
  { session_id: text() },
)
