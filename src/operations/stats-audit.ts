import type { Audit } from '../insight/audit.ts'
import { isoTime } from '../model/time.ts'
import { tokenFields, tokensDocument } from './cost-document.ts'
import { operation } from './operation.ts'
import { count, instant, list, nullable, number, object, text } from './schema.ts'

const place = {
  session_uid: text(),
  thread: nullable(text()),
  native_key: text(),
  model: nullable(text()),
  at: instant,
  file: nullable(text()),
  line: count(),
  ...tokenFields,
}

export const statsAudit = operation({
  name: 'stats.audit',
  summary: 'every record behind the sum of a session or a day, counted or left out',
  effect: 'reads',
  isSlow: true,
  input: object({ what: text('a session or a day') }),
  output: object({
    counted: list(object({ ...place, cost_usd: nullable(number()) })),
    left_out: list(object({ ...place, reason: text() })),
    gone: list(text()),
  }),
  run: ({ recall }, { what }) => recall.audit(what),
  document: ({ counted, leftOut, gone }: Audit) => ({
    counted: counted.map((entry) => ({ ...placeDocument(entry), cost_usd: entry.costUsd })),
    left_out: leftOut.map((entry) => ({ ...placeDocument(entry), reason: entry.reason })),
    gone,
  }),
})

function placeDocument(entry: Audit['counted'][number] | Audit['leftOut'][number]) {
  return {
    session_uid: entry.sessionUid,
    thread: entry.thread,
    native_key: entry.key,
    model: entry.model,
    at: isoTime(entry.at),
    file: entry.file,
    line: entry.line,
    ...tokensDocument(entry),
  }
}
