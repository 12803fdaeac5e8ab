import { diffLines } from '../capture/diff.ts'
import { readText, type FileEdit } from '../capture/edit-file.ts'
import { recordGrant, type Grant } from '../capture/grants.ts'
import { planApply, rulesToApply, type RuleEdit } from '../insight/permissions/merge.ts'
import type { PermissionScope } from '../model/permission.ts'
import { consentFields, mayChange } from './consent.ts'
import { operation, type OperationContext } from './operation.ts'
import { inSettings, requireAgent } from './permission-target.ts'
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
  changed: flag(),
  dry_run: flag(),
  backup: nullable(text()),
  diff: list(text()),
})

export interface Applied extends Suggested {
  readonly scope: PermissionScope
  readonly rules: RuleEdit
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
    const wanted = rulesToApply(found.suggestions, asked.include_review === true)
    const rules = inSettings(file, () => planApply(found.target, readText(file), wanted))
    const planned = { ...found, scope, rules, edit: { file, before: rules.before, after: rules.after } }
    return { ...planned, grant: isWritten(planned, asked) ? write(context, planned) : null }
  },
  document: (result: Applied, asked) => ({
    ...suggestedDocument(result, asked),
    applied: {
      file: result.edit.file,
      scope: result.scope,
      rules: result.rules.changed,
      already: result.rules.unchanged,
      changed: result.grant !== null,
      dry_run: asked.dry_run === true,
      backup: result.grant?.backup ?? null,
      diff: diffLines(result.rules.before ?? '', result.rules.after).map((line) => `${line.sign} ${line.text}`),
    },
  }),
})

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
