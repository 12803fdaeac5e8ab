import { UserError } from '../model/errors.ts'
import { splitPointer } from '../model/pointers.ts'
import { object } from '../operations/schema.ts'
import { rowOf, session, type Found, type Row } from './answer.ts'
import { tokensOf } from './fit.ts'
import type { Memory } from './memory.ts'
import { quotedDeep, WHOLE } from './quote.ts'
import { digestUri } from './resources.ts'
import { tool } from './tool.ts'

type Digest = Readonly<Record<string, unknown>>

interface Digested extends Row {
  readonly digest: Digest
}

/** What is told of a session beside what every row says. */
const TOLD = [
  'ended_at',
  'outcome_confidence',
  'outcome_reasons',
  'first_prompt',
  'last_assistant',
  'files',
  'commands',
  'error_snippets',
  'commits',
  'prs',
  'task_ref',
  'markers',
  'exchanges',
  'model',
] as const

/** Lists and texts are cut to this, the first that fits. */
const CUTS = [
  { items: 20, text: 2000 },
  { items: 10, text: 800 },
  { items: 5, text: 300 },
  { items: 2, text: 100 },
]

export const getDigest = tool({
  name: 'get_digest',
  title: 'Digest of a session',
  description: 'What came of a session: outcome and why, files, commands, errors, commits; also when its text is gone.',
  isReadOnly: true,
  input: object({ session }),
  async find(memory, { session: id }): Promise<Found<Digested>> {
    await memory.refreshed()
    const { session: known } = await memory.ask('read', { id: await memory.named(splitPointer(id).session), limit: 1 })
    const uid = known.session_uid
    const stored = (await digestOf(memory, uid)) ?? (memory.mayWrite ? await madeDigest(memory, uid) : null)
    const row = rowOf(known, null, 'sure')
    if (stored === null)
      return {
        rows: [{ ...row, digest: {} }],
        notes: ['it has no digest yet: `recall analyze` writes it; read_session reads it'],
      }
    const digest = Object.fromEntries(TOLD.map((name) => [name, stored[name]]))
    const cut = (i: number): Digested => ({ ...row, digest: quotedDeep(digest, CUTS[i] ?? WHOLE) as Digest })
    return {
      rows: [cut(0)],
      shorter: (_, room) => CUTS.map((__, i) => cut(i)).find((one) => tokensOf(one) <= room) ?? null,
      rest: ([told]) =>
        told === undefined || tokensOf(told) < tokensOf({ ...row, digest: quotedDeep(digest, WHOLE) as Digest })
          ? { left_out: `lists are cut; all of it is the resource ${digestUri(uid)}` }
          : null,
    }
  },
})

async function digestOf(memory: Memory, id: string) {
  try {
    return await memory.ask('digest', { id })
  } catch (error) {
    if (error instanceof UserError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Written now, if nobody else writes. */
async function madeDigest(memory: Memory, uid: string) {
  try {
    await memory.ask('analyze', { session: uid })
    return await digestOf(memory, uid)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
