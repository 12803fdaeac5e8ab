import { UserError } from '../../model/errors.ts'
import { grouped, plural } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import type { Friction } from '../../insight/permissions/friction.ts'
import { permissionsAudit } from '../../operations/permissions-audit.ts'
import { permissionsFriction } from '../../operations/permissions-friction.ts'
import { permissionsLog } from '../../operations/permissions-log.ts'
import { permissionsNeverAsked, type NeverAsked } from '../../operations/permissions-never-asked.ts'
import { permissionsReport } from '../../operations/permissions-report.ts'
import { noApplication, permissionsUndo } from '../../operations/permissions-undo.ts'
import type { Command } from '../command.ts'
import { printEdit } from '../consent.ts'
import { commandOf } from '../operation-command.ts'
import { limited } from '../../operations/report.ts'
import { noteRest, printWrapped } from '../sessions.ts'
import { commandOfSeveral } from '../several.ts'
import { keyNames } from '../stats/report.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { localTime } from '../../model/time.ts'

const log = commandOf({
  operation: permissionsLog,
  examples: [],
  rows: 'applied',
  print({ terminal }, grants) {
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
  },
})

const report = commandOf({
  operation: permissionsReport,
  examples: [],
  rows: 'rules',
  print({ terminal }, rows) {
    if (rows.length === 0)
      return terminal.note('no rules are in force; `recall permissions log` lists what was applied')
    const dirs = rows.map(({ dir }) => ({ key: dir }))
    const nameOf = keyNames(terminal, 'project', dirs)
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
  },
})

const audit = commandOf({
  operation: permissionsAudit,
  examples: [],
  rows: 'rules',
  print({ terminal }, { rules, fixes, unreadable }) {
    for (const { file, why } of unreadable) terminal.note(terminal.yellow(`${file}: ${why}`))
    if (rules.length === 0) return terminal.note('no rule is in force in the settings of any agent here')
    printTable(terminal, rules, [
      { title: 'rule', value: (row) => row.rule, flexible: true },
      { title: 'agent', value: (row) => row.agent },
      { title: 'verdict', value: (row) => row.verdict },
      { title: 'used', value: (row) => (row.used === null ? '' : grouped(row.used)), right: true },
      { title: 'why', value: (row) => row.reason, flexible: true },
      { title: 'file', value: (row) => row.file, flexible: true, tail: true, spare: true },
    ])
    for (const { file, diff } of fixes) {
      terminal.line()
      terminal.line(terminal.bold(file))
      for (const line of diff) terminal.line(line)
    }
  },
})

const friction = commandOf({
  operation: permissionsFriction,
  examples: [],
  rows: 'rows',
  print({ terminal }, rows, _values, { limit = 20 }) {
    if (rows.length === 0) return terminal.note('no question is on record')
    const shown = limited(rows, limit)
    printTable(terminal, shown, [
      { title: 'asked', value: (row) => grouped(row.asked), right: true },
      { title: 'waited', value: (row) => waited(row.waitedMs), right: true },
      { title: 'agent', value: (row) => row.agent },
      { title: 'about', value: aboutOf, flexible: true },
      { title: 'in the way', value: (row) => row.obstacles.join(', '), spare: true },
      { title: 'would help', value: (row) => `${row.help.kind}: ${row.help.text}`, flexible: true },
    ])
    noteRest(terminal, shown.length, rows.length, 'row')
  },
})

function aboutOf({ tool, subject }: Friction): string {
  return tool === 'Bash' || subject === tool ? subject : `${tool} ${subject}`
}

function waited(ms: number): string {
  return ms === 0 ? '' : ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

const neverAsked = commandOf({
  operation: permissionsNeverAsked,
  examples: [],
  rows: 'agents',
  print: ({ terminal }, agents) => agents.forEach((one) => printNeverAsked(terminal, one)),
})

const ANSWERS = [
  ['never', 'Never asks about:'],
  ['sandbox', 'Runs in its sandbox without asking, and asks before it runs outside:'],
  ['asks', 'Asks about:'],
] as const

function printNeverAsked(terminal: Terminal, { label, from, to, on, newest, newer, rows }: NeverAsked): void {
  terminal.line(terminal.bold(`${label} ${from === to ? to : `${from} to ${to}`}, tried on ${on}`))
  if (newer) terminal.note(terminal.yellow(`${label} ${newest} is newer than what the table was made with (${to})`))
  for (const [answer, title] of ANSWERS) {
    const names = rows.filter((row) => row.answer === answer).map(({ name }) => name)
    if (names.length > 0) printWrapped(terminal, `${title} ${names.join(', ')}`, '', '  ')
  }
  const mixed = rows.filter((row) => row.answer === 'some')
  if (mixed.length > 0) terminal.line('It depends on how it is written:')
  for (const { name, asked } of mixed) printWrapped(terminal, `${name}: asks about ${asked.join(', ')}`, '  ', '  ')
  terminal.line()
}

const NUMBER = { name: 'number', help: 'for `undo`: which application, as `log` numbers them', required: false }

const undo = commandOf({
  operation: permissionsUndo,
  args: [NUMBER],
  examples: [],
  refine({ number, ...rest }) {
    if (number === undefined) return rest
    const typed = String(number)
    if (!/^(0|[1-9]\d*)$/.test(typed)) throw noApplication(typed)
    return { ...rest, number: Number(typed) }
  },
  change: ({ terminal }, { edit, isChanged }) =>
    isChanged ? { question: `write ${edit.file}?`, writes: edit, show: () => printEdit(terminal, edit) } : null,
  print({ terminal }, { target, grant, isDone }) {
    if (isDone) terminal.line(`${plural(grant.rules.length, 'rule')} of ${target.label} taken back`)
  },
})

const ACTIONS: Readonly<Record<string, Command>> = { log, report, undo, audit, friction, 'never-asked': neverAsked }
const NAMES = Object.keys(ACTIONS).join(', ')

export const permissions = commandOfSeveral({
  name: 'permissions',
  summary:
    'permission rules: those in force, what the agents never ask about, which questions cost most; and those that `stats bash --suggest --apply` has written',
  details:
    '`log` lists what was applied and taken back. `report` tells what each applied rule has matched since. `undo` takes ' +
    'the last application back, or the one with this number: to the very bytes from before if nothing else has changed ' +
    'since, else its rules alone. `audit` judges the rules that are in force in the settings of all agents; `--fix` ' +
    'proposes narrower ones. `friction` tells which questions cost most, and what would help. `never-asked` prints what ' +
    'the agents run without asking when no rule says anything.',
  args: [{ name: 'action', help: NAMES, required: true }, NUMBER],
  examples: [
    'recall permissions audit --fix',
    'recall permissions friction --since 30d',
    'recall permissions never-asked --for codex',
    'recall permissions undo --dry-run',
  ],
  parts: Object.entries(ACTIONS).map(([label, command]) => ({ command, label })),
  choose([name = '', ...words]) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (action !== undefined) return [action, ...words]
    throw new UserError('USAGE', `no action ${JSON.stringify(name)}`, `actions are: ${NAMES}`)
  },
})
