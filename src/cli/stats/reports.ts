import type { Report } from './report.ts'
import { tokens } from './tokens.ts'

/** THE list of reports of `recall stats`. */
export const REPORTS: readonly Report[] = [tokens]
