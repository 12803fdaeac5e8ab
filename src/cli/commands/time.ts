import { statSync } from 'node:fs'
import path from 'node:path'
import { dayStart } from '../../insight/local-days.ts'
import type { Metric } from '../../insight/journals.ts'
import { onOneLine, spell } from '../../insight/words.ts'
import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import {
  FRESH_OPTION,
  JSON_OPTION,
  PROJECT_OPTION,
  SINCE_OPTION,
  SOURCE_OPTION,
  type Command,
  type Context,
  type Given,
} from '../command.ts'
import { count, flag, sessionFilter } from '../given.ts'
import { printTable } from '../table.ts'
import { printTime, timeJson } from '../time-report.ts'

type Action = (context: Context, words: readonly string[], given: Given) => Promise<void>

const ACTIONS: Readonly<Record<string, Action>> = { start, stop, tasks, sync, import: importJournals }

export const time: Command = {
  name: 'time',
  summary: 'who was at work when: you, agents, waiting for you, idle',
  details:
    'Sessions side by side count once. `start` and `stop` keep a journal of tasks, `tasks` shows it; `sync` tells the journal of sessions what is not in it yet; `import` takes over journals of another directory.',
  args: [
    { name: 'action', help: `${Object.keys(ACTIONS).join(', ')}; without: the report`, required: false },
    { name: 'what', help: 'the task, or the directory to import', required: false, many: true },
  ],
  options: [
    { flags: '--week', help: 'only the last 7 days, today included' },
    SINCE_OPTION,
    PROJECT_OPTION,
    SOURCE_OPTION,
    { flags: '--metric <k=v...>', help: 'stop: what came of the task, in numbers' },
    { flags: '--exit <n>', help: 'stop: exit code of the task (0)' },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall time --week',
    'recall time --project api --since 30d --json',
    'recall time start audit',
    'recall time stop audit --metric findings=12 fixed=9',
    'recall time sync',
  ],
  async run(context, args, given) {
    const [name, ...words] = args
    if (name === undefined) return report(context, given)
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (action !== undefined) return action(context, words, given)
    throw new UserError('USAGE', `cannot ${name} time`, `it takes ${Object.keys(ACTIONS).join(', ')}, or nothing`)
  },
}

async function report(context: Context, given: Given): Promise<void> {
  const { since: asked, ...sessions } = sessionFilter(context, given, 0)
  if (asked !== undefined && flag(given, 'week'))
    throw new UserError('USAGE', '--week and --since exclude each other', 'give one of them')
  const since = flag(given, 'week') ? dayStart(context.now(), -6) : asked
  const found = await context.recall.chronicle.time({ sessions, ...(since === undefined ? {} : { since }) })
  if (flag(given, 'json')) return context.terminal.json(timeJson(found, since ?? null))
  printTime(context.terminal, found)
}

async function start({ recall, terminal, env }: Context, words: readonly string[], given: Given): Promise<void> {
  const line = (await recall.chronicle.books()).startTask(taskName(words, 'start'), here(env))
  if (flag(given, 'json')) terminal.json({ task: line })
  else terminal.line(`started ${onOneLine(line.name)} at ${line.ts}`)
}

async function stop({ recall, terminal, env }: Context, words: readonly string[], given: Given): Promise<void> {
  const told = given['metric']
  const entries = Array.isArray(told) ? told.filter((entry) => typeof entry === 'string') : []
  // `--metric a=1 name`: the option has swallowed the name.
  const swallowed = words.length === 0 ? entries.filter((entry) => !entry.includes('=')) : []
  const metric = metricOf(entries.filter((entry) => !swallowed.includes(entry)))
  const exit = count(given, 'exit') ?? 0
  const name = taskName([...words, ...swallowed], 'stop')
  const line = (await recall.chronicle.books()).stopTask(name, { exit, metric, source: here(env) })
  if (flag(given, 'json')) terminal.json({ task: line })
  else terminal.line(`${onOneLine(line.name)} took ${spell(line.duration_s ?? 0)}`)
}

async function tasks({ recall, terminal }: Context, _words: readonly string[], given: Given): Promise<void> {
  const books = await recall.chronicle.books()
  const found = books.tasks()
  if (flag(given, 'json')) return terminal.json({ tasks: found.tasks, unread: found.unread })
  if (found.tasks.length === 0) terminal.note(`no tasks in ${books.dir}`)
  else {
    printTable(terminal, found.tasks, [
      { title: 'task', value: (task) => onOneLine(task.name), flexible: true },
      { title: 'started', value: (task) => new Date(task.start_epoch * 1000).toISOString().replace(/\.\d+Z$/, 'Z') },
      { title: 'took', value: (task) => (task.duration_s === null ? task.state : spell(task.duration_s)), right: true },
      { title: 'exit', value: (task) => String(task.exit ?? ''), right: true },
      { title: 'metric', value: (task) => onOneLine(metricWords(task.metric)), flexible: true },
    ])
  }
  if (found.unread > 0) terminal.note(terminal.yellow(`${plural(found.unread, 'line')} could not be read`))
}

async function sync({ recall, terminal }: Context, _words: readonly string[], given: Given): Promise<void> {
  const { added, told } = await recall.chronicle.tellSessions()
  const { dir } = await recall.chronicle.books()
  if (flag(given, 'json')) terminal.json({ added, told, dir })
  else terminal.line(`${plural(added, 'session')} added to ${path.join(dir, 'sessions.jsonl')}; ${told} were in it`)
}

async function importJournals({ recall, terminal, env }: Context, words: readonly string[], given: Given) {
  const asked = words.join(' ')
  const from = asked === '' ? path.join(env['HOME'] ?? '', '.claude', 'memory', 'time-metrics') : path.resolve(asked)
  const books = await recall.chronicle.books()
  if (path.resolve(books.dir) === from)
    throw new UserError('USAGE', `${from} is where the journals are kept already`, 'name another directory')
  const isThere = statSync(from, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isThere && asked !== '') throw new UserError('NOT_FOUND', `no directory ${from}`, 'name one that has journals')
  if (!isThere) terminal.note(`there is no ${from}; to import from elsewhere, name the directory`)
  const imported = isThere ? books.importFrom(from) : []
  if (flag(given, 'json')) return terminal.json({ from, imported })
  for (const { journal, added, broken } of imported) {
    const lost = broken === 0 ? '' : `, ${plural(broken, 'broken line')} left behind`
    terminal.line(`${journal}: ${plural(added, 'line')} added${lost}`)
  }
}

function taskName(words: readonly string[], action: string): string {
  const name = words.join(' ').trim()
  if (name !== '') return name
  throw new UserError('USAGE', 'a task needs a name', `e.g. recall time ${action} audit`)
}

function metricOf(entries: readonly string[]): Metric {
  const pairs = entries.map((entry): [string, number] => {
    const [, key, value] = /^([^=]+)=(-?\d+(?:\.\d+)?)$/.exec(entry) ?? []
    if (key !== undefined && value !== undefined) return [key, Number(value)]
    throw new UserError('USAGE', `--metric cannot be ${JSON.stringify(entry)}`, 'e.g. --metric findings=12')
  })
  return Object.fromEntries(pairs)
}

function metricWords(metric: Metric | null): string {
  return Object.entries(metric ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
}

/** The working directory as people write it. */
function here(env: Context['env']): string {
  const [home, cwd] = [env['HOME'] ?? '', process.cwd()]
  const within = home !== '' && (cwd === home || cwd.startsWith(home + path.sep))
  return within ? `~${cwd.slice(home.length)}` : cwd
}
