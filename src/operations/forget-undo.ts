import { UserError } from '../model/errors.ts'
import { operation } from './operation.ts'
import { flag, object, text } from './schema.ts'

export const forgetUndo = operation({
  name: 'forget.undo',
  summary: 'let a forgotten session be read again',
  effect: 'writes',
  input: object({ id: text('the whole uid of the session') }),
  output: object({ session_uid: text(), undone: flag() }),
  async run({ recall }, { id }): Promise<string> {
    if (await recall.unforget(id)) return id
    throw new UserError('NOT_FOUND', `${id} was not forgotten`, 'give the whole uid, e.g. claude:17092961-…')
  },
  document: (uid: string) => ({ session_uid: uid, undone: true }),
})
