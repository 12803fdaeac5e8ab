/**
 * THE list of operations: each thing the product does for somebody. The command line, the library, and whatever face
 * comes next, follow from it. Each is loaded when it is asked for: one does not pay for the others.
 */
export const OPERATIONS = {
  index: async () => (await import('./index-sessions.ts')).index,
  list: async () => (await import('./list.ts')).list,
  sweep: async () => (await import('./sweep.ts')).sweep,
  analyze: async () => (await import('./analyze.ts')).analyze,
  budget: async () => (await import('./budget.ts')).budget,
  search: async () => (await import('./search.ts')).search,
  'stats.tools': async () => (await import('./stats-tools.ts')).statsTools,
} as const

export type OperationName = keyof typeof OPERATIONS
export type OperationNamed<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]>>
