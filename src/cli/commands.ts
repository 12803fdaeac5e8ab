import type { Command } from './command.ts'
import { completion } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { index } from './commands/index.ts'
import { list } from './commands/list.ts'
import { search } from './commands/search.ts'
import { show } from './commands/show.ts'
import { stats } from './commands/stats.ts'
import { status } from './commands/status.ts'
import { welcome } from './commands/welcome.ts'

/** THE list of commands. Parsing, help, docs/cli.md and completion follow from it. */
export const commands: readonly Command[] = [
  index,
  search,
  list,
  show,
  stats,
  status,
  doctor,
  demo,
  welcome,
  completion,
]
