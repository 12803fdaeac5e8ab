import { fileRows, knownUsd, toolRows, type DiffSide, type SessionDiff } from '../insight/diff.ts'
import { UserError } from '../model/errors.ts'
import { pointerOf } from '../model/pointers.ts'
import { isoTime } from '../model/time.ts'
import { digestSchema } from './digest.ts'
import { operation } from './operation.ts'
import { choice, count, instant, integer, list, nullable, number, object, text } from './schema.ts'
import { sessionDocument, sessionSchema } from './session-document.ts'

const side = object({
  session: sessionSchema,
  text: choice(['whole', 'part', 'gone']),
  digest: nullable(digestSchema),
  usd: nullable(number()),
  responses: count(),
  unpriced: count(),
  prompts: list(object({ seq: integer(), pointer: text(), text: text() })),
  parts_at: nullable(text()),
})

const touched = nullable(object({ edits: count(), reads: count() }))

export const diff = operation({
  name: 'diff',
  summary: 'two sessions side by side: what was asked, used and touched, what came of it, where they part',
  details:
    'Of sessions with a common start (a fork and its original, or two forks) it says where they part, and tells prompts, tools and files from there on. Cost, time and outcome are of the whole session; what a fork copied is counted where it was said. Of a session whose raw text has gone it tells what the digest says. Each prompt is cut at 2,000 characters, files at the first 200 of a session.',
  effect: 'reads',
  isSlow: true,
  input: object({ a: text('a session'), b: text('another one') }),
  output: object({
    common: nullable(object({ events: count(), prompts: count(), last_a: text(), last_b: text(), ts: instant })),
    a: side,
    b: side,
    tools: list(object({ tool: text(), a: count(), b: count() })),
    files: list(object({ path: text(), a: touched, b: touched })),
  }),
  async run({ recall }, asked): Promise<SessionDiff> {
    const [a, b] = [await recall.find(asked.a), await recall.find(asked.b)]
    if (a.uid !== b.uid) return recall.activity.diff(a, b)
    throw new UserError('USAGE', `${asked.a} and ${asked.b} are the same session`, 'give two different ones')
  },
  document(found: SessionDiff) {
    const { common, a, b } = found
    return {
      common: common && {
        events: common.events,
        prompts: common.prompts,
        last_a: pointerOf(common.last[0]),
        last_b: pointerOf(common.last[1]),
        ts: isoTime(common.at),
      },
      a: sideDocument(a),
      b: sideDocument(b),
      tools: toolRows(found),
      files: fileRows(found).map(({ path, a: left, b: right }) => ({ path, a: times(left), b: times(right) })),
    }
  },
})

function times(file: { readonly edits: number; readonly reads: number } | null) {
  return file && { edits: file.edits, reads: file.reads }
}

function sideDocument({ session, text: left, digest, cost, prompts, partsAt }: DiffSide) {
  return {
    session: sessionDocument(session),
    text: left,
    digest,
    usd: knownUsd(cost),
    responses: cost.responses,
    unpriced: cost.unpriced,
    prompts: prompts.map(({ seq, text: words }) => ({ seq, pointer: pointerOf(seq), text: words })),
    parts_at: partsAt === null ? null : pointerOf(partsAt),
  }
}
