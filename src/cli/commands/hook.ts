import { existsSync } from 'node:fs'
import { markCadence } from '../../capture/announce.ts'
import { diffLines } from '../../capture/diff.ts'
import { runHook } from '../../capture/hook-run.ts'
import { readInput } from '../../capture/input.ts'
import {
  applyChange,
  backupOf,
  isInstalled,
  planInstall,
  planUninstall,
  type HookChange,
  type HookPlace,
} from '../../capture/install.ts'
import { programOf } from '../../capture/program.ts'
import { queueDir, queueLength } from '../../capture/queue.ts'
import { UserError } from '../../model/errors.ts'
import type { Source } from '../../sources/source.ts'
import { JSON_OPTION, type Command, type Context, type Given } from '../command.ts'
import { CONSENT_OPTIONS, mayChange, printEdit } from '../consent.ts'
import { flag, sourceNamed } from '../given.ts'
import { printTable } from '../table.ts'

const ACTIONS = ['install', 'uninstall', 'status', 'run']

export const hook: Command = {
  name: 'hook',
  summary: 'let an agent tell recall when a session starts, pauses or ends',
  details:
    "`install` merges one command into the agent's own settings and keeps the old file beside it; `uninstall` (or " +
    '`remove`) takes it out again. Both show the change first and ask. `run` is what the agent calls: it notes the event in the queue and ends. ' +
    'The next sweep, or `recall watch`, reads the session.',
  args: [
    { name: 'action', help: ACTIONS.join(', '), required: true },
    { name: 'agent', help: 'which agent; all that have hooks, for `status`', required: false },
    { name: 'payload', help: 'for `run`: what the agent says, instead of on standard input', required: false },
  ],
  options: [...CONSENT_OPTIONS, JSON_OPTION],
  examples: ['recall hook install claude --dry-run', 'recall hook install claude --yes', 'recall hook status'],
  async run(context, args, given) {
    const [action = '', agent] = args
    if (action === 'status') return printStatus(context, agent, given)
    if (action === 'run') return enqueueHere(context, args.slice(1))
    if (action === 'install') return editSettings(context, agent, given, planInstall)
    if (action === 'uninstall' || action === 'remove') return editSettings(context, agent, given, planUninstall)
    throw new UserError('USAGE', `no action ${JSON.stringify(action)}`, `actions are: ${ACTIONS.join(', ')}`)
  },
}

type Plan = typeof planInstall

async function editSettings(context: Context, agent: string | undefined, given: Given, plan: Plan): Promise<void> {
  const { terminal } = context
  const { source, place } = await placeOf(context, agent)
  const change = plan(place)
  const isChanged = change.before !== change.after
  const question = `write ${change.file}?`
  const isDone = isChanged
    ? await mayChange(context, given, { question, show: () => printEdit(terminal, change) })
    : !flag(given, 'dryRun')
  if (isDone) applyChange(change)
  if (isDone && plan === planInstall) markCadence(context.settings)
  if (flag(given, 'json')) return terminal.json(changeJson(source, change, isDone && isChanged))
  if (!isChanged) return terminal.line(`nothing to change for ${source.label}: ${terminal.cell(change.file)}`)
  if (isDone) printResult(context, { isThere: plan === planInstall, source, change })
}

/** `bin/recall.js` has a shorter way; here come only calls with options before their words. */
function enqueueHere({ env, settings, now }: Context, args: readonly string[]): Promise<void> {
  return runHook({
    args,
    env,
    dataDir: settings.dataDir,
    read: () => readInput(() => process.stdin),
    origins: [],
    now: now(),
  })
}

function hooked(sources: readonly Source[]): Source[] {
  return sources.filter((source) => source.hooks !== undefined)
}

async function placeOf(context: Context, agent: string | undefined): Promise<{ source: Source; place: HookPlace }> {
  const known = hooked(context.sources)
  const names = known.map((source) => source.name).join(', ')
  if (agent === undefined) throw new UserError('USAGE', 'which agent?', `agents with hooks are: ${names}`)
  const source = sourceNamed(agent, known)
  if (source?.hooks === undefined)
    throw new UserError('USAGE', `no agent with hooks ${JSON.stringify(agent)}`, `agents with hooks are: ${names}`)
  const hooks = await source.hooks()
  const command = [...programOf(process), 'hook', 'run', source.name]
  return { source, place: { target: hooks, home: hooks.home(context.env), file: hooks.file(context.env), command } }
}

interface Result {
  readonly isThere: boolean
  readonly source: Source
  readonly change: HookChange
}

function printResult({ terminal, settings }: Context, { isThere, source, change }: Result): void {
  if (!isThere) return terminal.line(`${source.label} no longer calls recall`)
  const backup = backupOf(change.file)
  terminal.line(`${source.label} now calls recall${existsSync(backup) ? `; the old file is ${backup}` : ''}`)
  if (settings.cadence !== 'on-hook')
    terminal.note('`recall sweep` or `recall watch` reads what it tells; cadence = "on-hook" makes hooks start a sweep')
}

function changeJson(source: Source, change: HookChange, changed: boolean): Record<string, unknown> {
  const { file, before, after } = change
  const diff = diffLines(before ?? '', after ?? '').map(({ sign, text }) => `${sign} ${text}`)
  return { agent: source.name, file, changed, backup: existsSync(backupOf(file)) ? backupOf(file) : null, diff }
}

async function printStatus(context: Context, agent: string | undefined, given: Given): Promise<void> {
  const { settings, sources, terminal } = context
  const chosen = agent === undefined ? hooked(sources).map((source) => source.name) : [agent]
  const rows = await Promise.all(chosen.map((name) => stateOf(context, name)))
  const queued = queueLength(queueDir(settings.dataDir))
  if (flag(given, 'json')) return terminal.json({ hooks: rows, queued, cadence: settings.cadence })
  printTable(terminal, rows, [
    { title: 'agent', value: (row) => row.agent },
    { title: 'hook', value: (row) => (row.problem ? 'unknown' : row.installed ? 'installed' : 'not installed') },
    { title: 'file', value: (row) => row.problem ?? row.file, flexible: true, tail: true },
  ])
  terminal.line(`${queued} waiting in the queue; sweeps: ${settings.cadence}`)
}

async function stateOf(context: Context, name: string) {
  const { source, place } = await placeOf(context, name)
  const row = { agent: source.name, file: place.file }
  try {
    return { ...row, installed: isInstalled(place), problem: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { ...row, installed: null, problem: error.message }
  }
}
