import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readText } from '../capture/edit-file.ts'
import { auditRules, type AuditedRule, type RuleHere } from '../insight/permissions/audit.ts'
import { lineDiff, planApply, planUndo } from '../insight/permissions/merge.ts'
import { UserError } from '../model/errors.ts'
import { RULE_SCOPES, type PermissionTarget, type RuleFile } from '../model/permission.ts'
import { operation } from './operation.ts'
import { isThere, repositoryAbove } from './permission-target.ts'
import { choice, count, flag, list, nullable, object, text } from './schema.ts'

const row = object({
  agent: text('who goes by it'),
  written_for: text('in whose settings it stands'),
  file: text(),
  scope: choice(RULE_SCOPES),
  rule: text(),
  verdict: choice(['safe', 'wide', 'idle', 'shadowed', 'other']),
  reason: text(),
  worst: nullable(text('the worst command that it lets run unasked')),
  used: nullable(count()),
  narrower: list(text(), 'rules that would do instead'),
})

const fixed = object({ file: text(), diff: list(text()) })

/** What would make one file narrower. */
export interface NarrowerFile {
  readonly file: string
  readonly diff: readonly string[]
}

export interface Audit {
  readonly rules: readonly AuditedRule[]
  /** Empty unless asked for. */
  readonly fixes: readonly NarrowerFile[]
  /** Files that cannot be read, and why. */
  readonly unreadable: readonly { readonly file: string; readonly why: string }[]
}

export const permissionsAudit = operation({
  name: 'permissions.audit',
  summary:
    "the rules that are in force in the agents' settings: what each lets through, used or not, too wide, or for nothing",
  effect: 'reads',
  isSlow: true,
  input: object({}, { fix: flag('proposes the narrower rules as a diff of each file; writes nothing') }),
  output: object({
    rules: list(row),
    fixes: list(fixed),
    unreadable: list(object({ file: text(), why: text() })),
  }),
  async run(context, asked): Promise<Audit> {
    const { permissionTargets } = await import('../sources/permissions.ts')
    const unreadable = new Map<string, string>()
    const found: RuleHere[] = []
    const { env, cwd } = context
    const root = repositoryAbove(cwd)
    for (const target of permissionTargets) {
      const files = target.settings(env, cwd, root)
      const alone = holderOf(target, files)
      const own = rulesIn({ target, writer: target }, files, unreadable)
      found.push(...own.map((one) => (alone === null || one.scope === 'managed' ? one : { ...one, moot: alone })))
      const others = (await isThere(context, target)) ? target.alsoReads(env, cwd, root) : []
      for (const writer of permissionTargets) {
        const read = others.filter((file) => file.writer === writer.agent)
        found.push(...rulesIn({ target, writer }, read, unreadable))
      }
    }
    const evidence = new Map(
      await Promise.all(
        permissionTargets.map(async ({ agent }) => {
          const filter = { sessions: { source: agent, limit: 0 } }
          const { insight } = context.recall
          return [
            agent,
            { forms: await insight.forms(filter), shell: (await insight.shell('all', filter)).rows },
          ] as const
        }),
      ),
    )
    const rules = auditRules(found, evidence)
    return {
      rules,
      fixes: asked.fix === true ? fixesOf(rules, permissionTargets) : [],
      unreadable: [...unreadable].map(([file, why]) => ({ file, why })),
    }
  },
  document: ({ rules, fixes, unreadable }: Audit) => ({
    rules: rules.map(({ writtenFor, ...rest }) => ({ ...rest, written_for: writtenFor })),
    fixes: fixes.map((one) => ({ ...one })),
    unreadable: unreadable.map((one) => ({ ...one })),
  }),
})

type Whose = Pick<RuleHere, 'target' | 'writer'>

function rulesIn(whose: Whose, files: readonly RuleFile[], unreadable: Map<string, string>): RuleHere[] {
  return files.flatMap(({ scope, path: place }) =>
    filesAt(place).flatMap((file) => {
      try {
        const settings = readText(file)
        if (settings === null) return []
        return [
          ...whose.writer.list(settings).map((rule) => ({ ...whose, effect: 'allows' as const, file, scope, rule })),
          ...whose.writer.barred(settings).map((rule) => ({ ...whose, effect: 'bars' as const, file, scope, rule })),
        ]
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        unreadable.set(file, error.message)
        return []
      }
    }),
  )
}

/** The managed file that says no others count; null if none does. */
function holderOf(target: PermissionTarget, files: readonly RuleFile[]): string | null {
  const managed = files.filter(({ scope }) => scope === 'managed').flatMap(({ path: place }) => filesAt(place))
  return managed.find((file) => holdsAlone(target, file)) ?? null
}

function holdsAlone(target: PermissionTarget, file: string): boolean {
  try {
    const text = readText(file)
    return text !== null && target.holdsAlone(text)
  } catch (error) {
    // That it cannot be read is told with its rules.
    if (error instanceof UserError) return false
    throw error
  }
}

/** A directory holds files of rules, or of settings where its name ends so. */
function filesAt(place: string): string[] {
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return [place]
  const ending = place.endsWith('.d') ? '.json' : '.rules'
  return readdirSync(place)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(place, name))
}

/** Each file without its rules that are too wide, and with those that would do instead. */
function fixesOf(rules: readonly AuditedRule[], targets: readonly PermissionTarget[]): NarrowerFile[] {
  const wide = rules.filter(({ verdict }) => verdict === 'wide')
  return [...new Set(wide.map(({ file }) => file))].flatMap((file) => {
    const here = wide.filter((one) => one.file === file)
    const writer = targets.find(({ agent }) => agent === here[0]?.writtenFor)
    const before = readText(file)
    if (writer === undefined || before === null) return []
    const without = planUndo(writer, before, [...new Set(here.map(({ rule }) => rule))]).after
    const narrower = [...new Set(here.flatMap((one) => one.narrower))].filter((rule) =>
      here.every((one) => one.rule !== rule),
    )
    const after = narrower.length === 0 ? without : planApply(writer, without, narrower).after
    return [{ file, diff: lineDiff(before, after) }]
  })
}
