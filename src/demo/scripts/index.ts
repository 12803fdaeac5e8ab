import type { Script, Session } from '../script.ts'
import { handbook } from './handbook.ts'
import { ledgerApi } from './ledger-api.ts'
import { platform } from './platform.ts'
import { sift } from './sift.ts'
import { storefront } from './storefront.ts'
import { tidepool } from './tidepool.ts'

export function claudeScripts(): readonly Script[] {
  return [
    ...inProject('~/code/ledger-api', ledgerApi()),
    ...inProject('~/code/tidepool', tidepool()),
    ...inProject('~/code/sift', sift()),
    ...inProject('~/code/platform', platform()),
    ...inProject('~/code/storefront', storefront()),
    ...inProject('~/code/handbook', handbook()),
  ]
}

function inProject(project: string, sessions: readonly Session[]): readonly Script[] {
  return sessions.map((session) => ({ project, ...session }))
}
