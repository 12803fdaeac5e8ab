import { inertJson } from '../../model/inert.ts'
import { digest as operation } from '../../operations/digest.ts'
import { commandOf } from '../operation-command.ts'

export const digest = commandOf({
  operation,
  args: [{ name: 'id', help: 'which session', required: true }],
  examples: ['recall digest 3f2a9c1e', 'recall digest claude:17092961-… --json | jq .outcome'],
  async print({ terminal }, json) {
    if (!terminal.isTTY) return terminal.line(inertJson(JSON.stringify(JSON.parse(json), null, 2)))
    const { printDigest } = await import('../digest-page.ts')
    printDigest(terminal, operation.document(json, { id: '' }))
  },
  printJson: ({ terminal }, json) => terminal.exact(`${terminal.isTTY ? inertJson(json) : json}\n`),
})
