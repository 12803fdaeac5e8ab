import { diffLines } from '../capture/diff.ts'
import { readText, type FileEdit } from '../capture/edit-file.ts'
import { recordGrant, type Grant } from '../capture/grants.ts'
import { planApply, rulesToApply, type RuleEdit } from '../insight/permissions/merge.ts'
import { widerFor, type RefusedRule } from '../insight/permissions/readers.ts'
import type { PermissionScope, PermissionTarget } from '../model/permission.ts'
import { consentFields, mayChange } from './consent.ts'
import { operation, type OperationContext } from './operation.ts'
import { inSettings, isThere, requireAgent } from './permission-target.ts'
import { called, choice, flag, list, nullable, object, text, type TypeOf } from './schema.ts'
import { suggestedDocument, suggestedFields, suggestFields, suggestRules, type Suggested } from './stats-suggest.ts'

const SCOPES = ['project', 'user'] as const

const input = object(
  {},
  {
    ...suggestFields,
    scope: called('where', choice(SCOPES, 'the settings of the project here, or of the user (project)')),
    include_review: flag('also rules to review, which run code of the project'),
    ...consentFields,
  },
)

const applied = object({
  file: text(),
  scope: choice(SCOPES),
  rules: list(text()),
  already: list(text()),
  refused: list(object({ rule: text(), reason: text() })),
  changed: flag(),
  dry_run: flag(),
  backup: nullable(text()),
  diff: list(text()),
})

export interface Applied extends Suggested {
  readonly scope: PermissionScope
  readonly rules: RuleEdit
  /** What another agent on this machine would take for more. */
  readonly refused: readonly RefusedRule[]
  /** What is, or would be, written. */
  readonly edit: FileEdit
  /** Null: nothing was written. */
  readonly grant: Grant | null
}

export const statsApply = operation({
  name: 'stats.apply',
  summary: "merges rules that were suggested into the agent's settings",
  effect: 'writes',
  input,
  output: object({ ...suggestedFields, applied }),
  async run(context, asked): Promise<Applied> {
    const found = await suggestRules(context, asked)
    await requireAgent(context, found.target)
    const scope = asked.scope ?? 'project'
    const file = found.target.file(scope, context.env, context.cwd)
    const { wanted, refused } = await forAllReaders(context, found, file, asked.include_review === true)
    const rules = inSettings(file, () => planApply(found.target, readText(file), wanted))
    const planned = { ...found, refused, scope, rules, edit: { file, before: rules.before, after: rules.after } }
    return { ...planned, grant: isWritten(planned, asked) ? write(context, planned) : null }
  },
  document: (result: Applied, asked) => ({
    ...suggestedDocument(result, asked),
    applied: {
      file: result.edit.file,
      scope: result.scope,
      rules: result.rules.changed,
      already: result.rules.unchanged,
      refused: result.refused.map((one) => ({ ...one })),
      changed: result.grant !== null,
      dry_run: asked.dry_run === true,
      backup: result.grant?.backup ?? null,
      diff: diffLines(result.rules.before ?? '', result.rules.after).map((line) => `${line.sign} ${line.text}`),
    },
  }),
})

/** The rules to write, without those that another agent reads from the same file and takes for more. */
async function forAllReaders(context: OperationContext, found: Suggested, file: string, includeReview: boolean) {
  const { permissionTargets } = await import('../sources/permissions.ts')
  const readers: PermissionTarget[] = []
  for (const target of permissionTargets)
    if (
      target.alsoReads(context.env, context.cwd, context.cwd).some((other) => other.path === file) &&
      (await isThere(context, target))
    )
      readers.push(target)
  const offered = new Set(rulesToApply(found.suggestions, includeReview))
  const refused = new Map<string, string>()
  for (const one of found.suggestions)
    for (const reader of readers) {
      const reason = offered.has(one.rule) ? widerFor(found.target, reader, one) : null
      if (reason !== null) refused.set(one.rule, reason)
    }
  return {
    wanted: [...offered].filter((rule) => !refused.has(rule)),
    refused: [...refused].map(([rule, reason]) => ({ rule, reason })),
  }
}

type Planned = Omit<Applied, 'grant'>

function isWritten({ rules }: Planned, asked: TypeOf<typeof input>): boolean {
  return rules.changed.length > 0 && mayChange(asked)
}

function write({ settings, cwd, now }: OperationContext, { target, suggestions, scope, rules, edit }: Planned): Grant {
  const granted = suggestions.filter(({ rule }) => rules.changed.includes(rule))
  return recordGrant(
    settings.dataDir,
    edit,
    {
      agent: target.agent,
      scope,
      dir: scope === 'project' ? cwd : null,
      file: edit.file,
      rules: granted.map(({ rule, pattern }) => ({ rule, pattern })),
    },
    now(),
  )
}
