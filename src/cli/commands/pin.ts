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
