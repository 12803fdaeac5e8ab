/**
 * THE list of operations: each thing the product does for somebody. The command line, the library, and whatever face
 * comes next, follow from it. Each is loaded when it is asked for: one does not pay for the others.
 */
export const OPERATIONS = {
  list: async () => (await import('./list.ts')).list,
  search: async () => (await import('./search.ts')).search,
  show: async () => (await import('./show.ts')).show,
  events: async () => (await import('./events.ts')).events,
  payload: async () => (await import('./payload.ts')).payload,
  similar: async () => (await import('./similar.ts')).similar,
  how: async () => (await import('./how.ts')).how,
  fix: async () => (await import('./fix.ts')).fix,
  files: async () => (await import('./files.ts')).files,
  blame: async () => (await import('./blame.ts')).blame,
  digest: async () => (await import('./digest.ts')).digest,
  env: async () => (await import('./env.ts')).env,
  'env.sweep': async () => (await import('./env.ts')).envSweep,
  signals: async () => (await import('./signals.ts')).signals,
  patterns: async () => (await import('./patterns.ts')).patterns,
  retro: async () => (await import('./retro.ts')).retro,
  status: async () => (await import('./status.ts')).status,
  acknowledge: async () => (await import('./status.ts')).acknowledge,
  decide: async () => (await import('./decide.ts')).decide,
  note: async () => (await import('./note.ts')).note,
  pin: async () => (await import('./pin.ts')).pin,
  unpin: async () => (await import('./pin.ts')).unpin,
  'stats.tools': async () => (await import('./stats-tools.ts')).statsTools,
} as const

export type OperationName = keyof typeof OPERATIONS
export type OperationNamed<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]>>
