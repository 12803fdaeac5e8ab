import { UserError } from '../model/errors.ts'
import { flag } from './schema.ts'

/** What every operation takes that writes into files that are not recall's own. */
export const consentFields = {
  dry_run: flag('show the change, and make none'),
  yes: flag('make the change without asking; needed where nobody can be asked'),
}

export interface ConsentInput {
  readonly dry_run?: boolean | undefined
  readonly yes?: boolean | undefined
}

/**
 * Whether a change of files that are not recall's own is made: never with `dry_run`, else with `yes`. USAGE without
 * either. To be asked only where something would change.
 */
export function mayChange(input: ConsentInput): boolean {
  if (input.dry_run === true) return false
  if (input.yes === true) return true
  throw nobodyToAsk()
}

export function nobodyToAsk(): UserError {
  return new UserError(
    'USAGE',
    'nothing was changed: there is nobody to ask',
    '--yes makes the change, --dry-run shows it',
  )
}
