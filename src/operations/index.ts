/**
 * THE list of operations: each thing the product does for somebody. The command line, the library, and whatever face
 * comes next, follow from it. Each is loaded when it is asked for: one does not pay for the others.
 */
export const OPERATIONS = {
  list: async () => (await import('./list.ts')).list,
  search: async () => (await import('./search.ts')).search,
  stats: async () => (await import('./stats.ts')).stats,
  'stats.bash': async () => (await import('./stats-bash.ts')).statsBash,
  'stats.suggest': async () => (await import('./stats-suggest.ts')).statsSuggest,
  'stats.apply': async () => (await import('./stats-apply.ts')).statsApply,
  'stats.tokens': async () => (await import('./stats-tokens.ts')).statsTokens,
  'stats.audit': async () => (await import('./stats-audit.ts')).statsAudit,
  'stats.errors': async () => (await import('./stats-errors.ts')).statsErrors,
  'stats.models': async () => (await import('./stats-models.ts')).statsModels,
  'stats.files': async () => (await import('./stats-files.ts')).statsFiles,
  'stats.time': async () => (await import('./stats-time.ts')).statsTime,
  'stats.tools': async () => (await import('./stats-tools.ts')).statsTools,
  time: async () => (await import('./time.ts')).time,
  'time.start': async () => (await import('./time-start.ts')).timeStart,
  'time.stop': async () => (await import('./time-stop.ts')).timeStop,
  'time.tasks': async () => (await import('./time-tasks.ts')).timeTasks,
  'time.sync': async () => (await import('./time-sync.ts')).timeSync,
  'time.import': async () => (await import('./time-import.ts')).timeImport,
  claim: async () => (await import('./claim.ts')).claim,
  'claim.list': async () => (await import('./claim-list.ts')).claimList,
  cost: async () => (await import('./cost.ts')).cost,
  'cost.statusline': async () => (await import('./cost-statusline.ts')).costStatusline,
  'permissions.log': async () => (await import('./permissions-log.ts')).permissionsLog,
  'permissions.report': async () => (await import('./permissions-report.ts')).permissionsReport,
  'permissions.undo': async () => (await import('./permissions-undo.ts')).permissionsUndo,
} as const

export type OperationName = keyof typeof OPERATIONS
export type OperationNamed<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]>>
