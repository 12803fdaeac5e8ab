import path from 'node:path'
import type { Metric } from '../../insight/journals.ts'
import { onOneLine, spell } from '../../insight/format.ts'
import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import { timeImport } from '../../operations/time-import.ts'
import { timeStart } from '../../operations/time-start.ts'
import { timeStop } from '../../operations/time-stop.ts'
import { timeSync } from '../../operations/time-sync.ts'
import { timeTasks } from '../../operations/time-tasks.ts'
import { time as operation } from '../../operations/time.ts'
import { FRESH_OPTION, type Command, type OptionValues } from '../command.ts'
import { commandOf } from '../operation-command.ts'
import { commandOfSeveral } from '../several.ts'
import { printTable } from '../table.ts'
import { printTime } from '../time-report.ts'

const TASK = [{ name: 'name', help: 'the task', required: false, many: true }]

const report = commandOf({
  operation,
  options: [FRESH_OPTION],
  examples: [],
  print: ({ terminal }, found) => printTime(terminal, found.report),
})

const start = commandOf({
  operation: timeStart,
  args: TASK,
  examples: [],
  print: ({ terminal }, line) => terminal.line(`started ${onOneLine(line.name)} at ${line.ts}`),
})

const stop = commandOf({
  operation: timeStop,
  args: TASK,
  examples: [],
  refine({ name, ...rest }, values) {
    const entries = metricWords(values)
    // `--metric a=1 name`: the option has swallowed the name.
    const swallowed = name === undefined ? entries.filter((entry) => !entry.includes('=')) : []
    const metric = metricOf(entries.filter((entry) => !swallowed.includes(entry)))
    return { ...rest, name: name ?? swallowed.join(' '), metric }
  },
  print: ({ terminal }, line) => terminal.line(`${onOneLine(line.name)} took ${spell(line.duration_s ?? 0)}`),
})

const tasks = commandOf({
  operation: timeTasks,
  examples: [],
  print({ terminal }, found) {
    if (found.tasks.length === 0) terminal.note(`no tasks in ${found.dir}`)
    else
      printTable(terminal, found.tasks, [
        { title: 'task', value: (task) => onOneLine(task.name), flexible: true },
        { title: 'started', value: (task) => new Date(task.start_epoch * 1000).toISOString().replace(/\.\d+Z$/, 'Z') },
        {
          title: 'took',
          value: (task) => (task.duration_s === null ? task.state : spell(task.duration_s)),
          right: true,
        },
        { title: 'exit', value: (task) => String(task.exit ?? ''), right: true },
        { title: 'metric', value: (task) => onOneLine(spelledMetric(task.metric)), flexible: true },
      ])
    if (found.unread > 0) terminal.note(terminal.yellow(`${plural(found.unread, 'line')} could not be read`))
  },
})

const sync = commandOf({
  operation: timeSync,
  examples: [],
  print: ({ terminal }, { added, told, dir }) =>
    terminal.line(`${plural(added, 'session')} added to ${path.join(dir, 'sessions.jsonl')}; ${told} were in it`),
})

const importJournals = commandOf({
  operation: timeImport,
  args: [{ name: 'dir', help: 'the directory to import', required: false, many: true }],
  examples: [],
  print({ terminal }, { imported }) {
    for (const { journal, added, broken } of imported) {
      const lost = broken === 0 ? '' : `, ${plural(broken, 'broken line')} left behind`
      terminal.line(`${journal}: ${plural(added, 'line')} added${lost}`)
    }
  },
})

const ACTIONS: Readonly<Record<string, Command>> = { start, stop, tasks, sync, import: importJournals }

export const time = commandOfSeveral({
  name: 'time',
  summary: operation.summary,
  details:
    'Sessions side by side count once. `start` and `stop` keep a journal of tasks, `tasks` shows it; `sync` tells the journal of sessions what is not in it yet; `import` takes over journals of another directory.',
  args: [
    { name: 'action', help: `${Object.keys(ACTIONS).join(', ')}; without: the report`, required: false },
    { name: 'what', help: 'the task, or the directory to import', required: false, many: true },
  ],
  examples: [
    'recall time --week',
    'recall time --project api --since 30d --json',
    'recall time start audit',
    'recall time stop audit --metric findings=12 fixed=9',
    'recall time sync',
  ],
  parts: [{ command: report }, ...Object.entries(ACTIONS).map(([label, command]) => ({ command, label }))],
  choose([name, ...words]) {
    if (name === undefined) return [report]
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (action !== undefined) return [action, ...words]
    throw new UserError('USAGE', `cannot ${name} time`, `it takes ${Object.keys(ACTIONS).join(', ')}, or nothing`)
  },
})

function metricWords(values: OptionValues): readonly string[] {
  const typed = values['metric']
  return Array.isArray(typed) ? typed.filter((entry) => typeof entry === 'string') : []
}

function metricOf(entries: readonly string[]): Metric {
  const pairs = entries.map((entry): [string, number] => {
    const [, key, value] = /^([^=]+)=(-?\d+(?:\.\d+)?)$/.exec(entry) ?? []
    if (key !== undefined && value !== undefined) return [key, Number(value)]
    throw new UserError('USAGE', `--metric cannot be ${JSON.stringify(entry)}`, 'e.g. --metric findings=12')
  })
  return Object.fromEntries(pairs)
}

function spelledMetric(metric: Metric | null): string {
  return Object.entries(metric ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
}
