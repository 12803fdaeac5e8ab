import { readText } from '../capture/edit-file.ts'
import { readGrants, type Grant } from '../capture/grants.ts'
import type { Matched } from '../insight/insight.ts'
import { UserError } from '../model/errors.ts'
import type { PermissionScope, PermissionTarget } from '../model/permission.ts'
import { isoTime } from '../model/time.ts'
import { operation, type OperationContext } from './operation.ts'
import { permissionTarget } from './permission-target.ts'
import { choice, count, flag, instant, list, nullable, object, text } from './schema.ts'

const row = object({
  rule: text(),
  pattern: text(),
  agent: text(),
  scope: choice(['project', 'user']),
  dir: nullable(text()),
  file: text(),
  since: text(),
  matched: count(),
  errors: count(),
  samples: list(text()),
  present: nullable(flag()),
  last_used: instant,
})

/** A rule that is in force, and what it has matched. */
export interface RuleInForce extends Omit<Matched, 'count'> {
  readonly rule: string
  readonly pattern: string
  readonly agent: string
  readonly scope: PermissionScope
  readonly dir: string | null
  readonly file: string
  readonly since: string
  readonly matched: number
  /** Null: the file cannot be read. */
  readonly present: boolean | null
}

export const permissionsReport = operation({
  name: 'permissions.report',
  summary: 'what each applied rule has matched since',
  effect: 'reads',
  isSlow: true,
  input: object({}),
  output: object({ rules: list(row) }),
  async run(context): Promise<readonly RuleInForce[]> {
    const inForce = readGrants(context.settings.dataDir).filter((grant) => grant.undoneAt === null)
    return (await Promise.all(inForce.map((grant) => rowsOf(context, grant)))).flat()
  },
  document: (rows: readonly RuleInForce[]) => ({
    rules: rows.map(({ lastUsed, ...rest }) => ({ ...rest, last_used: isoTime(lastUsed) })),
  }),
})

/** What the rules of one application have matched: commands of their agent, where they apply. */
async function rowsOf(context: OperationContext, grant: Grant): Promise<RuleInForce[]> {
  const target = await permissionTarget(context, grant.agent)
  const present = rulesIn(target, grant.file)
  const sessions = { source: grant.agent, limit: 0, ...(grant.dir === null ? {} : { project: grant.dir }) }
  const filter = { since: Date.parse(grant.at), sessions }
  const patterns = grant.rules.map(({ pattern }) => pattern)
  const found = await context.recall.insight.matched(patterns, filter)
  return grant.rules.map(({ rule, pattern }, i) => {
    const { count: matched = 0, ...rest } = found[i] ?? { errors: 0, lastUsed: null, samples: [] }
    return {
      rule,
      pattern,
      agent: grant.agent,
      scope: grant.scope,
      dir: grant.dir,
      file: grant.file,
      since: grant.at,
      matched,
      ...rest,
      present: present === null ? null : present.includes(rule),
    }
  })
}

function rulesIn(target: PermissionTarget, file: string): readonly string[] | null {
  try {
    const settings = readText(file)
    return settings === null ? [] : target.list(settings)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
