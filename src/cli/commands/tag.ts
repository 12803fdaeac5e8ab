import * as operations from '../../operations/tag.ts'
import { commandOf } from '../operation-command.ts'

function tagging(operation: typeof operations.tag) {
  return commandOf({
    operation,
    args: [
      { name: 'id', help: 'which session', required: true },
      { name: 'tag', field: 'tags', help: 'one or more', required: true, many: true },
    ],
    examples: [`recall ${operation.name} 3f2a9c1e auth client-x`, `recall ${operation.name} last keep`],
    print: ({ terminal }, { uid, tags }) =>
      terminal.line(terminal.cell(`${uid}  ${tags.length === 0 ? 'no tags' : tags.map((tag) => `#${tag}`).join(' ')}`)),
  })
}

export const tag = tagging(operations.tag)
export const untag = tagging(operations.untag)
