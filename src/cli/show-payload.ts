import { payload as operation } from '../operations/payload.ts'
import { commandOf } from './operation-command.ts'

/** `recall show blob://…`: the very bytes, or on a terminal what they say. */
export const payload = commandOf({
  operation,
  args: [{ name: 'id', field: 'payload_ref', help: 'a payload_ref', required: true }],
  examples: [],
  print: ({ terminal }, { text }) => terminal.exact(text),
})
