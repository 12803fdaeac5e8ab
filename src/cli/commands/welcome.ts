import type { Command } from '../command.ts'
import { flag } from '../option-values.ts'
import { indexFirst, VERBOSE_OPTION } from '../indexing.ts'
import { printOverview } from '../overview.ts'
import { demo } from './demo.ts'

/** What `npm start` runs: index, then an overview; on a machine without sessions, the same on the demo. */
export const welcome: Command = {
  name: 'welcome',
  summary: 'index, then show an overview and what to try next',
  args: [],
  options: [VERBOSE_OPTION],
  examples: ['recall welcome'],
  async run(context, _args, given) {
    const { terminal, recall } = context
    const report = await indexFirst(context, flag(given, 'verbose'))
    const { total } = await recall.list({ limit: 1 })
    if (total > 0) {
      if (report.sessions.new + report.sessions.updated > 0) {
        terminal.line(
          `${report.sessions.new} new and ${report.sessions.updated} updated sessions in ${report.seconds.toFixed(1)} s`,
        )
      }
      return printOverview(context, 'real')
    }
    const places = recall.roots().map((root) => root.dir)
    terminal.line(`This machine has no sessions yet (looked in ${places.join(', ')}).`)
    terminal.line('Here is what it looks like on made-up ones (`recall demo`):')
    terminal.line()
    await demo.run(context, [], {})
    terminal.line()
    terminal.line('When an agent has worked here, `recall index` reads its sessions; `recall help` lists the commands.')
  },
}
