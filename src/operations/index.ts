/**
 * THE list of operations: each thing the product does for somebody. The command line, the library, and whatever face
 * comes next, follow from it. Each is loaded when it is asked for: one does not pay for the others.
 */
export const OPERATIONS = {
  list: async () => (await import('./list.ts')).list,
  search: async () => (await import('./search.ts')).search,
  'stats.tools': async () => (await import('./stats-tools.ts')).statsTools,
  time: async () => (await import('./time.ts')).time,
  'time.start': async () => (await import('./time-start.ts')).timeStart,
  'time.stop': async () => (await import('./time-stop.ts')).timeStop,
  'time.tasks': async () => (await import('./time-tasks.ts')).timeTasks,
  'time.sync': async () => (await import('./time-sync.ts')).timeSync,
  'time.import': async () => (await import('./time-import.ts')).timeImport,
  claim: async () => (await import('./claim.ts')).claim,
  'claim.list': async () => (await import('./claim-list.ts')).claimList,
} as const

export type OperationName = keyof typeof OPERATIONS
export type OperationNamed<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]>>
