import { UserError } from '../../model/errors.ts'
import { sourceTest } from '../../operations/source-test.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'

const FAILED = 1

const test = commandOf({
  operation: sourceTest,
  examples: [],
  args: [{ name: 'module', help: 'an ES module', required: true }],
  exit: ({ passes }) => (passes ? 0 : FAILED),
  print({ terminal }, { checks, fault }) {
    for (const check of checks)
      terminal.line(`${check.passes ? 'ok ' : 'NO '} ${check.name}${check.fault === null ? '' : `: ${check.fault}`}`)
    if (fault !== null) terminal.line(`NO  it cannot be tried: ${fault}`)
  },
})

export const source = commandOfSeveral({
  name: 'source',
  summary: sourceTest.summary,
  ...(sourceTest.details === undefined ? {} : { details: sourceTest.details }),
  args: [
    { name: 'action', help: 'test', required: true },
    { name: 'module', help: 'an ES module', required: true },
  ],
  examples: ['recall source test ./my-source.mjs'],
  parts: [{ command: test }],
  choose([action, module = '']) {
    if (action !== 'test') throw new UserError('USAGE', `no action ${JSON.stringify(action)}`, 'actions are: test')
    return [test, module]
  },
})
