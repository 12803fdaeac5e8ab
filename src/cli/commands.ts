import type { Command } from './command.ts'
import { analyze } from './commands/analyze.ts'
import { blame } from './commands/blame.ts'
import { budget } from './commands/budget.ts'
import { claim } from './commands/claim.ts'
import { completion } from './commands/completion.ts'
import { cost } from './commands/cost.ts'
import { permissions } from './commands/permissions.ts'
import { decide } from './commands/decide.ts'
import { demo } from './commands/demo.ts'
import { digest } from './commands/digest.ts'
import { doctor } from './commands/doctor.ts'
import { env } from './commands/env.ts'
import { exec } from './commands/exec.ts'
import { files } from './commands/files.ts'
import { fix } from './commands/fix.ts'
import { forget } from './commands/forget.ts'
import { hook } from './commands/hook.ts'
import { how } from './commands/how.ts'
import { index } from './commands/index.ts'
import { list } from './commands/list.ts'
import { note } from './commands/note.ts'
import { patterns } from './commands/patterns.ts'
import { pin, unpin } from './commands/pin.ts'
import { rescue } from './commands/rescue.ts'
import { retro } from './commands/retro.ts'
import { schedule } from './commands/schedule.ts'
import { search } from './commands/search.ts'
import { show } from './commands/show.ts'
import { signals } from './commands/signals.ts'
import { similar } from './commands/similar.ts'
import { stats } from './commands/stats.ts'
import { status } from './commands/status.ts'
import { sweep } from './commands/sweep.ts'
import { time } from './commands/time.ts'
import { watch } from './commands/watch.ts'
import { welcome } from './commands/welcome.ts'

/** THE list of commands. Parsing, help, docs/cli.md and completion follow from it. */
export const commands: readonly Command[] = [
  index,
  search,
  similar,
  how,
  fix,
  files,
  blame,
  list,
  show,
  stats,
  time,
  retro,
  claim,
  cost,
  permissions,
  status,
  sweep,
  analyze,
  budget,
  digest,
  env,
  signals,
  patterns,
  decide,
  note,
  pin,
  unpin,
  forget,
  rescue,
  watch,
  schedule,
  hook,
  exec,
  doctor,
  demo,
  welcome,
  completion,
]
