import * as operations from '../../operations/pin.ts'
import { commandOf } from '../operation-command.ts'

function pinning(operation: typeof operations.pin, done: string) {
  return commandOf({
    operation,
    args: [{ name: 'id', help: 'which session', required: true }],
    examples: [`recall ${operation.name} 3f2a9c1e`],
    print: ({ terminal }, { uid }) => terminal.line(`${done} ${uid}`),
  })
}

export const pin = pinning(operations.pin, 'pinned')
export const unpin = pinning(operations.unpin, 'unpinned')

export const bookmark = commandOf({
  operation: operations.bookmark,
  args: [{ name: 'id', help: 'which session', required: true }],
  examples: ['recall bookmark last', 'recall list --tag bookmark', 'recall bookmark 3f2a9c1e --remove'],
  print: ({ terminal }, { session, isOn }) =>
    terminal.line(`${isOn ? 'bookmarked' : 'no longer bookmarked'} ${session.uid}`),
})
