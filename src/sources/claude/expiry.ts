import path from 'node:path'
import { readRegular } from '../../model/regular-file.ts'
import { asObject } from '../kit/json.ts'

const DEFAULT_DAYS = 30
const MAX_BYTES = 16 * 1024 * 1024

/** Claude Code deletes transcripts that were not written to for `cleanupPeriodDays` of its settings. */
export function keepsDays(root: string): number {
  const days = asObject(readSettings(path.join(root, 'settings.json')))?.['cleanupPeriodDays']
  return typeof days === 'number' && days >= 0 ? days : DEFAULT_DAYS
}

function readSettings(file: string): unknown {
  try {
    return JSON.parse(readRegular(file, MAX_BYTES) ?? 'null')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
