import type { Command } from './command.ts'

const pinCommands = () => import('./commands/pin.ts')
const tagCommands = () => import('./commands/tag.ts')
const backupCommands = () => import('./commands/backup.ts')

/**
 * THE list of commands. Parsing, help, docs/cli.md and completion follow from it. Each is loaded when it is asked for:
 * a command does not pay for the others.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  index: async () => (await import('./commands/index.ts')).index,
  search: async () => (await import('./commands/search.ts')).search,
  serve: async () => (await import('./commands/serve.ts')).serve,
  browse: async () => (await import('./commands/browse.ts')).browse,
  similar: async () => (await import('./commands/similar.ts')).similar,
  how: async () => (await import('./commands/how.ts')).how,
  fix: async () => (await import('./commands/fix.ts')).fix,
  files: async () => (await import('./commands/files.ts')).files,
  blame: async () => (await import('./commands/blame.ts')).blame,
  list: async () => (await import('./commands/list.ts')).list,
  diff: async () => (await import('./commands/diff.ts')).diff,
  show: async () => (await import('./commands/show.ts')).show,
  resume: async () => (await import('./commands/resume.ts')).resume,
  handoff: async () => (await import('./commands/handoff.ts')).handoff,
  brief: async () => (await import('./commands/brief.ts')).brief,
  stats: async () => (await import('./commands/stats.ts')).stats,
  time: async () => (await import('./commands/time.ts')).time,
  retro: async () => (await import('./commands/retro.ts')).retro,
  claim: async () => (await import('./commands/claim.ts')).claim,
  cost: async () => (await import('./commands/cost.ts')).cost,
  permissions: async () => (await import('./commands/permissions.ts')).permissions,
  status: async () => (await import('./commands/status.ts')).status,
  sweep: async () => (await import('./commands/sweep.ts')).sweep,
  analyze: async () => (await import('./commands/analyze.ts')).analyze,
  budget: async () => (await import('./commands/budget.ts')).budget,
  digest: async () => (await import('./commands/digest.ts')).digest,
  env: async () => (await import('./commands/env.ts')).env,
  signals: async () => (await import('./commands/signals.ts')).signals,
  patterns: async () => (await import('./commands/patterns.ts')).patterns,
  decide: async () => (await import('./commands/decide.ts')).decide,
  note: async () => (await import('./commands/note.ts')).note,
  pin: async () => (await pinCommands()).pin,
  unpin: async () => (await pinCommands()).unpin,
  bookmark: async () => (await pinCommands()).bookmark,
  tag: async () => (await tagCommands()).tag,
  untag: async () => (await tagCommands()).untag,
  title: async () => (await import('./commands/title.ts')).title,
  forget: async () => (await import('./commands/forget.ts')).forget,
  rescue: async () => (await import('./commands/rescue.ts')).rescue,
  watch: async () => (await import('./commands/watch.ts')).watch,
  schedule: async () => (await import('./commands/schedule.ts')).schedule,
  connect: async () => (await import('./commands/connect.ts')).connect,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  hook: async () => (await import('./commands/hook.ts')).hook,
  group: async () => (await import('./commands/group.ts')).group,
  session: async () => (await import('./commands/session.ts')).session,
  archive: async () => (await import('./commands/archive.ts')).archive,
  export: async () => (await import('./commands/export.ts')).exporting,
  sql: async () => (await import('./commands/sql.ts')).sql,
  sync: async () => (await import('./commands/sync.ts')).sync,
  backup: async () => (await backupCommands()).backup,
  restore: async () => (await backupCommands()).restore,
  import: async () => (await import('./commands/import.ts')).importing,
  exec: async () => (await import('./commands/exec.ts')).exec,
  source: async () => (await import('./commands/source.ts')).source,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  secrets: async () => (await import('./commands/secrets.ts')).secrets,
  demo: async () => (await import('./commands/demo.ts')).demo,
  welcome: async () => (await import('./commands/welcome.ts')).welcome,
  completion: async () => (await import('./commands/completion.ts')).completion,
}

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()))
}
