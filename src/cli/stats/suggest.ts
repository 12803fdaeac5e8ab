import { diffLines } from '../../capture/diff.ts'
import { readText } from '../../capture/edit-file.ts'
import { recordGrant, type Grant } from '../../capture/grants.ts'
import { planApply, rulesToApply, type RuleEdit } from '../../insight/permissions/merge.ts'
import { HIGH, MEDIUM, suggestionJson, type Suggestion, type Suggestions } from '../../insight/permissions/suggest.ts'
import { cut, grouped, plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import type { PermissionScope, PermissionTarget } from '../../model/permission.ts'
import type { Context, Given } from '../command.ts'
import { mayChange, printEdit } from '../consent.ts'
import { choice, flag, word } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { inSettings, permissionTarget, requireAgent } from './permission-target.ts'
import { limited, reportFilter } from './report.ts'

const MAX_OF_A_KIND = 15

/** Rules that evidence speaks for; with `--apply`, merged into the settings of the agent. */
export async function suggestRules(context: Context, given: Given): Promise<void> {
  const { recall, terminal } = context
  const target = await permissionTarget(context, word(given, 'for'))
  const found = await recall.insight.suggest(reportFilter(context, given), target)
  const json = flag(given, 'json')
  const document = () => ({
    for: target.agent,
    suggestions: limited(given, found.suggestions, 0).map(toJson),
    skipped: limited(given, found.skipped, 0),
  })
  if (!flag(given, 'apply')) return json ? terminal.json(document()) : print(terminal, target, found, given)
  const applied = await apply(context, target, found.suggestions, given)
  if (json) terminal.json({ ...document(), applied })
}

/** A log tells that somebody was asked only if they refused. If nobody is known to have been, nothing is known. */
function toJson(suggestion: Suggestion): Record<string, unknown> {
  return { ...suggestionJson(suggestion), spared: suggestion.spared === 0 ? null : suggestion.spared }
}

const REVIEW = "Review carefully (few uses, or runs the project's own code):"

function print(terminal: Terminal, target: PermissionTarget, found: Suggestions, given: Given): void {
  const { suggestions, skipped } = found
  const of = (confidence: Suggestion['confidence']) => suggestions.filter((one) => one.confidence === confidence)
  const title = 'Suggested Bash Permissions'
  terminal.line(terminal.bold(title))
  terminal.line('='.repeat(title.length))
  const section = (name: string, rows: readonly Suggestion[]) => {
    if (rows.length === 0) return
    terminal.line()
    terminal.line(name)
    const shown = limited(given, rows, MAX_OF_A_KIND)
    const width = patternWidth(terminal, shown)
    for (const one of shown) printOne(terminal, one, width)
    if (shown.length < rows.length)
      terminal.line(terminal.dim(`  ${rows.length - shown.length} more; --limit 0 shows all`))
  }
  section(`High confidence (>=${HIGH} uses, no dangerous patterns):`, of('high'))
  section(`Medium confidence (>=${MEDIUM} uses):`, of('medium'))
  section(REVIEW, of('low'))
  if (suggestions.length === 0) terminal.line('\nNothing yet: no command was used that a rule could safely allow.')
  printSkipped(terminal, skipped, given)
  terminal.note(
    terminal.dim(`rules for ${target.label}; --json has them in its words, --apply merges high and medium ones`),
  )
}

/** Room for what stands beside a pattern. */
const BESIDE = 24

/** Patterns stand in a column, except those that would leave no room for the rest. */
function patternWidth(terminal: Terminal, shown: readonly { readonly pattern: string }[]): number {
  const room = Math.max(12, terminal.width - BESIDE)
  return Math.max(0, ...shown.map(({ pattern }) => pattern.length).filter((length) => length <= room))
}

function printOne(terminal: Terminal, one: Suggestion, width: number): void {
  terminal.line(`  - ${one.pattern.padEnd(width)}  (${plural(one.count, 'use')})`)
  const failed = one.errorRate === 0 ? 'none failed' : `${(one.errorRate * 100).toFixed(1)}% failed`
  const spared = one.spared === 0 ? 'prompts spared: not told by the logs' : `${plural(one.spared, 'refusal')} seen`
  const facts = [
    projects(one.projects),
    failed,
    `last ${(isoTime(one.lastUsed) ?? 'unknown').slice(0, 10)}`,
    spared,
  ].join(', ')
  const isWide = `      ${one.rule}  ${facts}`.length > terminal.width
  const told = isWide ? [one.rule, facts] : [`${one.rule}  ${facts}`]
  const samples = one.samples.map((sample) => `$ ${sample.split('\n')[0]}`)
  for (const text of [...told, one.reason, ...samples])
    terminal.line(terminal.dim(cut(`      ${text}`, terminal.width)))
  if (one.nearestDanger !== null) terminal.line(terminal.yellow(`      would also allow: ${one.nearestDanger}`))
}

function projects(names: readonly string[]): string {
  if (names.length === 0) return 'project unknown'
  return names.length > 3 ? plural(names.length, 'project') : names.join(', ')
}

function printSkipped(terminal: Terminal, skipped: Suggestions['skipped'], given: Given): void {
  if (skipped.length === 0) return
  terminal.line()
  terminal.line('Not suggested (writes, deletes, runs other code, or not known to be harmless):')
  const shown = limited(given, skipped, MAX_OF_A_KIND)
  const width = patternWidth(terminal, shown)
  for (const { pattern, count, reason } of shown)
    terminal.line(`  - ${pattern.padEnd(width)}  (${plural(count, 'use')}) [SKIPPED]  ${terminal.dim(reason)}`)
  if (shown.length < skipped.length)
    terminal.note(terminal.dim(`${shown.length} of ${grouped(skipped.length)} not suggested; --limit 0 shows all`))
}

interface Applied {
  readonly file: string
  readonly scope: PermissionScope
  readonly rules: readonly string[]
  readonly already: readonly string[]
  readonly changed: boolean
  readonly dry_run: boolean
  readonly backup: string | null
  readonly diff: readonly string[]
}

async function apply(
  context: Context,
  target: PermissionTarget,
  suggestions: readonly Suggestion[],
  given: Given,
): Promise<Applied> {
  await requireAgent(context, target)
  const scope = choice(given, 'scope', ['project', 'user']) ?? 'project'
  const dir = process.cwd()
  const file = target.file(scope, context.env, dir)
  const rules = rulesToApply(suggestions, flag(given, 'includeReview'))
  const edit = inSettings(file, () => planApply(target, readText(file), rules))
  const change = { file, before: edit.before, after: edit.after }
  const show = () => printEdit(context.terminal, change)
  const goes = edit.changed.length > 0 && (await mayChange(context, given, { question: `write ${file}?`, show }))
  const granted = suggestions.filter(({ rule }) => edit.changed.includes(rule))
  const grant = goes
    ? recordGrant(
        context.settings.dataDir,
        change,
        {
          agent: target.agent,
          scope,
          dir: scope === 'project' ? dir : null,
          file,
          rules: granted.map(({ rule, pattern }) => ({ rule, pattern })),
        },
        context.now(),
      )
    : null
  if (!flag(given, 'json')) printResult(context, target, edit, grant)
  return {
    file,
    scope,
    rules: edit.changed,
    already: edit.unchanged,
    changed: grant !== null,
    dry_run: flag(given, 'dryRun'),
    backup: grant?.backup ?? null,
    diff: diffLines(edit.before ?? '', edit.after).map(({ sign, text }) => `${sign} ${text}`),
  }
}

function printResult({ terminal }: Context, { label }: PermissionTarget, edit: RuleEdit, grant: Grant | null): void {
  if (edit.changed.length === 0) return terminal.line(`nothing to add for ${label}`)
  if (grant === null) return
  const them = grant.rules.length === 1 ? 'it' : 'them'
  terminal.line(
    `${plural(grant.rules.length, 'rule')} added for ${label}; \`recall permissions undo\` takes ${them} back`,
  )
}
