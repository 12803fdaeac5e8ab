import type { Failure } from '../retention/sweep.ts'
import { operation } from './operation.ts'
import { called, count, flag, list, object, text } from './schema.ts'
import { wait } from './writing.ts'

/** Sessions that could not be analysed: they keep their raw text, and are tried again the next time. */
export const failures = list(object({ session_uid: text(), reason: text() }))

export function failuresDocument(failed: readonly Failure[]) {
  return failed.map(({ uid, reason }) => ({ session_uid: uid, reason }))
}

export const analyze = operation({
  name: 'analyze',
  summary: 'write the digests and signals of sessions that have changed',
  effect: 'writes',
  input: object(
    {},
    {
      session: called('id', text('only this one, also while it is being written')),
      all: flag('also those still being written, and those already analysed'),
      wait,
    },
  ),
  output: object({ analyzed: count(), failed: failures }),
  async run({ recall }, { session: id, all = false, wait: isPatient = false }) {
    const session = id === undefined ? {} : { session: await recall.find(id) }
    return recall.analyze({ all, wait: isPatient, ...session })
  },
  document: ({ analyzed, failed }) => ({ analyzed, failed: failuresDocument(failed) }),
})
