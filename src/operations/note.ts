import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { operation } from './operation.ts'
import { flag, nullable, object, text } from './schema.ts'

export interface Noted {
  readonly file: string
  /** Why it could not be posted yet; null if it was or need not be. */
  readonly failure: string | null
}

export const note = operation({
  name: 'note',
  summary: 'leave a progress note in the hub',
  details: 'Appends a line to `hub/notes.jsonl` beside the store and, if `hub.url` is set, posts it there.',
  effect: 'writes',
  input: object({ text: text('what to note') }),
  output: object({ kept: flag(), file: text(), failure: nullable(text()) }),
  async run({ recall, settings }, asked): Promise<Noted> {
    const words = asked.text.trim()
    if (words === '') throw new UserError('USAGE', 'a note needs words', 'e.g. recall note "migration finished"')
    const failure = await recall.note(words)
    return { file: path.join(path.dirname(settings.storePath), 'hub', 'notes.jsonl'), failure }
  },
  document: ({ file, failure }: Noted) => ({ kept: true, file, failure }),
})
