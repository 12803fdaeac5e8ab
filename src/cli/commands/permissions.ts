import { readText } from '../../capture/edit-file.ts'
import { readGrants, recordUndo, textBefore, type Grant } from '../../capture/grants.ts'
import { planApply, planUndo } from '../../insight/permissions/merge.ts'
import { UserError } from '../../model/errors.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import { grouped, plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { JSON_OPTION, type Command, type Context, type Given } from '../command.ts'
import { CONSENT_OPTIONS, mayChange, printEdit } from '../consent.ts'
import { flag } from '../given.ts'
import { keyNames } from '../stats/report.ts'
import { inSettings, permissionTarget } from '../stats/permission-target.ts'
import { printTable } from '../table.ts'
import { localTime } from '../when.ts'

const ACTIONS = ['log', 'report', 'undo']

export const permissions: Command = {
  name: 'permissions',
  summary: 'rules that `stats bash --suggest --apply` has written: list them, see what they matched, take them back',
  details:
    '`log` lists what was applied and taken back. `report` tells what each applied rule has matched since. `undo` takes ' +
    'the last application back, or the one with this number: to the very bytes from before if nothing else has changed ' +
    'since, else its rules alone.',
  args: [
    { name: 'action', help: ACTIONS.join(', '), required: true },
    { name: 'number', help: 'for `undo`: which application, as `log` numbers them', required: false },
  ],
  options: [...CONSENT_OPTIONS.map(({ flags, help }) => ({ flags, help: `undo: ${help}` })), JSON_OPTION],
  examples: ['recall permissions log', 'recall permissions report', 'recall permissions undo --dry-run'],
  rows: ([action]) => (action === 'undo' ? null : action === 'report' ? 'rules' : 'applied'),
  async run(context, [action = '', number], given) {
    if (action === 'log') return log(context, given)
    if (action === 'report') return report(context, given)
    if (action === 'undo') return undo(context, number, given)
    throw new UserError('USAGE', `no action ${JSON.stringify(action)}`, `actions are: ${ACTIONS.join(', ')}`)
  },
}

function log({ terminal, settings }: Context, given: Given): void {
  const grants = readGrants(settings.dataDir)
  if (flag(given, 'json')) return terminal.json({ applied: grants.map(grantJson) })
  if (grants.length === 0)
    return terminal.note('nothing was applied; `recall stats bash --suggest` shows what could be')
  printTable(terminal, grants, [
    { title: 'no', value: (grant) => String(grant.id), right: true },
    { title: 'applied', value: (grant) => localTime(Date.parse(grant.at)) },
    { title: 'agent', value: (grant) => grant.agent },
    { title: 'rules', value: (grant) => String(grant.rules.length), right: true },
    { title: 'taken back', value: (grant) => (grant.undoneAt === null ? '' : localTime(Date.parse(grant.undoneAt))) },
    { title: 'file', value: (grant) => grant.file, flexible: true, tail: true },
  ])
}

function grantJson({ undoneAt, ...grant }: Grant): Record<string, unknown> {
  return { ...grant, undone_at: undoneAt }
}

async function report(context: Context, given: Given): Promise<void> {
  const { terminal, settings } = context
  const inForce = readGrants(settings.dataDir).filter((grant) => grant.undoneAt === null)
  const rows = (await Promise.all(inForce.map((grant) => rowsOf(context, grant)))).flat()
  if (flag(given, 'json'))
    return terminal.json({ rules: rows.map(({ lastUsed, ...row }) => ({ ...row, last_used: isoTime(lastUsed) })) })
  if (rows.length === 0) return terminal.note('no rules are in force; `recall permissions log` lists what was applied')
  const nameOf = keyNames(
    terminal,
    'project',
    rows.map(({ dir }) => ({ key: dir })),
  )
  printTable(terminal, rows, [
    { title: 'rule', value: (row) => row.rule, flexible: true },
    { title: 'agent', value: (row) => row.agent },
    { title: 'for', value: (row) => (row.dir === null ? 'all projects' : nameOf(row.dir)), spare: true },
    { title: 'since', value: (row) => row.since.slice(0, 10) },
    { title: 'matched', value: (row) => grouped(row.matched), right: true },
    { title: 'failed', value: (row) => grouped(row.errors), right: true },
    { title: 'last', value: (row) => (isoTime(row.lastUsed) ?? '').slice(0, 10) },
    { title: 'in its file', value: (row) => (row.present === null ? 'unknown' : row.present ? 'yes' : 'no') },
  ])
}

/** What the rules of one application have matched: commands of their agent, where they apply. */
async function rowsOf(context: Context, grant: Grant) {
  const target = await permissionTarget(context, grant.agent)
  const present = rulesIn(target, grant.file)
  const sessions = { source: grant.agent, limit: 0, ...(grant.dir === null ? {} : { project: grant.dir }) }
  const filter = { since: Date.parse(grant.at), sessions }
  const patterns = grant.rules.map(({ pattern }) => pattern)
  const found = await context.recall.insight.matched(patterns, filter)
  return grant.rules.map(({ rule, pattern }, i) => {
    const { count = 0, ...matched } = found[i] ?? { errors: 0, lastUsed: null, samples: [] }
    return {
      rule,
      pattern,
      agent: grant.agent,
      scope: grant.scope,
      dir: grant.dir,
      file: grant.file,
      since: grant.at,
      matched: count,
      ...matched,
      present: present === null ? null : present.includes(rule),
    }
  })
}

function rulesIn(target: PermissionTarget, file: string): readonly string[] | null {
  try {
    const text = readText(file)
    return text === null ? [] : target.list(text)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

async function undo(context: Context, number: string | undefined, given: Given): Promise<void> {
  const { terminal, settings } = context
  const grant = grantToUndo(readGrants(settings.dataDir), number)
  const target = await permissionTarget(context, grant.agent)
  const edit = inSettings(grant.file, () => undoOf(target, grant))
  const question = `write ${edit.file}?`
  const isChanged = edit.before !== edit.after
  const isDone = isChanged
    ? await mayChange(context, given, { question, show: () => printEdit(terminal, edit) })
    : !flag(given, 'dryRun')
  const now = context.now()
  if (isDone) recordUndo(settings.dataDir, edit, grant, now)
  const undoneAt = isDone ? isoTime(now) : null
  if (flag(given, 'json'))
    return terminal.json({ ...grantJson({ ...grant, undoneAt }), undone: isDone, changed: isChanged })
  if (isDone) terminal.line(`${plural(grant.rules.length, 'rule')} of ${target.label} taken back`)
}

function grantToUndo(grants: readonly Grant[], number: string | undefined): Grant {
  if (number === undefined) {
    const last = grants.findLast((grant) => grant.undoneAt === null)
    if (last) return last
    throw new UserError('NOT_FOUND', 'nothing to take back', '`recall permissions log` lists what was applied')
  }
  const named = grants.find((grant) => String(grant.id) === number)
  if (named === undefined)
    throw new UserError('NOT_FOUND', `no application ${number}`, '`recall permissions log` numbers them')
  if (named.undoneAt === null) return named
  throw new UserError(
    'USAGE',
    `application ${number} was taken back already`,
    '`recall permissions log` lists them all',
  )
}

function undoOf(target: PermissionTarget, grant: Grant) {
  const { file } = grant
  const rules = grant.rules.map(({ rule }) => rule)
  const before = readText(file)
  if (before === null) return { file, before, after: null }
  const original = textBefore(grant)
  if (original !== undefined && planApply(target, original, rules).after === before)
    return { file, before, after: original }
  return { file, before, after: planUndo(target, before, rules).after }
}
