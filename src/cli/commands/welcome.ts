import type { IndexProgress } from '../../ingest/run.ts'
import type { Command, Context } from '../command.ts'
import { flag } from '../option-values.ts'
import { indexFirst, VERBOSE_OPTION } from '../indexing.ts'
import { printOverview } from '../overview.ts'
import { demo } from './demo.ts'

/** With so much to read nobody waits for the end of it. */
const LONG_BYTES = 256 * 2 ** 20
const FIRST_LOOK_MS = 2000

/** What `npm start` runs: index, then an overview; on a machine without sessions, the same on the demo. */
export const welcome: Command = {
  name: 'welcome',
  summary: 'index, then show an overview and what to try next',
  args: [],
  options: [VERBOSE_OPTION],
  examples: ['recall welcome'],
  async run(context, _args, values) {
    const { terminal, recall } = context
    const between = firstLook(context.now, () => showNewest(context))
    const report = await indexFirst({ ...context, watching: { ...context.watching, between } }, flag(values, 'verbose'))
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

/** Shows once, while there is much left to read, what is there by then. */
export function firstLook(now: () => number, show: () => Promise<void>): NonNullable<IndexProgress['between']> {
  const began = now()
  let shown = false
  return async (done, total) => {
    if (shown || total - done < LONG_BYTES || now() - began < FIRST_LOOK_MS) return
    shown = true
    await show()
  }
}

async function showNewest(context: Context): Promise<void> {
  const { terminal } = context
  terminal.progressDone()
  await printOverview(context, 'real')
  terminal.line()
  terminal.line('These are the newest; the rest is being read. All commands can be used meanwhile.')
}
