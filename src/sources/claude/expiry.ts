import { readFileSync } from 'node:fs'
import path from 'node:path'
import { asObject } from '../kit/json.ts'

const DEFAULT_DAYS = 30

/** Claude Code deletes transcripts that were not written to for `cleanupPeriodDays` of its settings. */
export function keepsDays(root: string): number {
  const days = asObject(readSettings(path.join(root, 'settings.json')))?.['cleanupPeriodDays']
  return typeof days === 'number' && days >= 0 ? days : DEFAULT_DAYS
}

function readSettings(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
