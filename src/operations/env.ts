import path from 'node:path'
import type { Digest } from '../model/digest.ts'
import { UserError } from '../model/errors.ts'
import { operation, type OperationContext } from './operation.ts'
import { count, nullable, number, object, text, type TypeOf } from './schema.ts'

const input = object({}, { id: text('which session') })

const output = object({
  HELIX_SESSION_UID: text(),
  HELIX_REPO: nullable(text()),
  HELIX_FLAVOR: text(),
  HELIX_TOKENS: nullable(count()),
  HELIX_INFRA_OVERHEAD_SHARE: nullable(number()),
  HELIX_STORE_DB: text(),
})

type Variables = TypeOf<typeof output>

const shape = { input, output, document: (variables: Variables) => variables }

export const env = operation({
  ...shape,
  name: 'env',
  summary: 'print what correlates a session with other tools, for `eval`',
  details:
    'Prints `export HELIX_…` lines from the digest of a session, one a line and quoted for any shell; what is not known is empty, with `--json` null. ' +
    'Without a digest: exit code 1 and nothing on standard output.',
  effect: 'reads',
  isLocal: true,
  async run(context, asked): Promise<Variables> {
    const id = asked.id ?? (await latest(context, ({ analyzedAt }) => analyzedAt !== null))
    return variablesOf(context, id, 'run `recall sweep`, or use --sweep')
  },
})

export const envSweep = operation({
  ...shape,
  name: 'env.sweep',
  summary: 'the same, with the digest written first, though the session may not rest yet',
  effect: 'destroys',
  async run(context, asked): Promise<Variables> {
    const { recall } = context
    await recall.sweep({ wait: true })
    const id = asked.id ?? (await latest(context, (one) => one.analyzedAt !== null || one.eventCount > 0))
    if (id !== null) await recall.analyze({ wait: true, session: await recall.find(id) })
    return variablesOf(context, id, '`recall list` shows what there is')
  },
})

type Sessions = Awaited<ReturnType<OperationContext['recall']['list']>>['sessions']

/** The uid of the last to end of those that will do; null for none. */
async function latest({ recall }: OperationContext, willDo: (one: Sessions[number]) => boolean) {
  const { sessions } = await recall.list({ limit: 0, hidden: true })
  const fit = sessions.filter(willDo)
  fit.sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0) || (a.uid < b.uid ? -1 : 1))
  return fit[0]?.uid ?? null
}

async function variablesOf(
  { recall, settings, cwd }: OperationContext,
  id: string | null,
  hint: string,
): Promise<Variables> {
  const json = id === null ? null : await recall.digest(id)
  if (json === null) {
    const message = id === null ? 'no session has a digest yet' : `no digest of ${id}`
    throw new UserError('NOT_FOUND', message, hint)
  }
  const digest = JSON.parse(json) as Digest
  const { input_tokens: read, output_tokens: written } = digest.cost
  return {
    HELIX_SESSION_UID: digest.session_uid,
    HELIX_REPO: digest.repo,
    HELIX_FLAVOR: digest.flavor,
    HELIX_TOKENS: read === null && written === null ? null : (read ?? 0) + (written ?? 0),
    HELIX_INFRA_OVERHEAD_SHARE: digest.infra_overhead_share,
    HELIX_STORE_DB: path.resolve(cwd, settings.storePath),
  }
}
