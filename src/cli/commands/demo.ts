import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeDemoHome } from '../../demo/demo.ts'
import type { Command } from '../command.ts'
import { printOverview } from '../overview.ts'

export const demo: Command = {
  name: 'demo',
  summary: 'try it on made-up sessions in a throw-away store',
  details:
    'Writes about 30 small sessions to a temporary directory, indexes them there and shows an overview. Nothing of yours is read or changed.',
  args: [],
  options: [{ flags: '--keep', help: 'leave the demo in place and say how to use it' }],
  examples: ['recall demo', 'recall demo --keep'],
  async run(context, _args, values) {
    const { terminal } = context
    const dir = mkdtempSync(path.join(tmpdir(), 'recall-demo-'))
    const store = path.join(dir, 'data', 'recall.db')
    const recall = context.recallFor(dir, store)
    try {
      writeDemoHome(dir, context.now())
      await recall.index()
      await printOverview({ ...context, recall }, 'demo')
      if (values['keep'] === true) terminal.line(`\nkept: try  recall search "nginx" --store ${store}`)
    } finally {
      await recall.close()
      if (values['keep'] !== true) rmSync(dir, { recursive: true, force: true })
    }
  },
}
