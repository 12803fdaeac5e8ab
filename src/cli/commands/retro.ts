import { accessSync, chmodSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dayStart, lastFullDays, type Period } from '../../insight/local-days.ts'
import { pageHtml } from '../../insight/page-html.ts'
import { pageBrief, pageMarkdown } from '../../insight/page-markdown.ts'
import { UserError } from '../../model/errors.ts'
import { dayRange } from '../../model/time.ts'
import {
  FRESH_OPTION,
  JSON_OPTION,
  PROJECT_OPTION,
  SINCE_OPTION,
  SOURCE_OPTION,
  type Command,
  type Given,
} from '../command.ts'
import { flag, sessionFilter, timeOf, word } from '../given.ts'

const WEEK = 7

export const retro: Command = {
  name: 'retro',
  summary: 'look back: what was done, what came of it, what it took, what to do better',
  details:
    'The last 7 full days, in local time, compared with as many days before. `--evidence`, `--html` and `--json` tell what every number was counted from: `uid` or `uid#seq`. The same store and days give the same bytes.',
  args: [],
  options: [
    { flags: '--week', help: 'the last 7 full days, today not among them (the default)' },
    { ...SINCE_OPTION, help: `${SINCE_OPTION.help}; from the beginning of that day to the end of today` },
    PROJECT_OPTION,
    SOURCE_OPTION,
    { flags: '--evidence', help: 'with footnotes that list what every number was counted from' },
    { flags: '--html', help: 'as one HTML page with charts and all evidence' },
    { flags: '--out <file>', help: 'write it to this file; HTML if its name ends so' },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall retro',
    'recall retro --json',
    'recall retro --since 30d --out retro.md',
    'recall retro --html --out retro.html',
  ],
  async run(context, _args, given) {
    const { since: _, ...sessions } = sessionFilter(context, given, 0)
    const out = word(given, 'out')
    if (flag(given, 'json')) {
      if (out !== undefined || flag(given, 'html'))
        throw new UserError('USAGE', '--json goes to stdout alone', 'leave out --html and --out')
      return context.terminal.json(await context.recall.chronicle.retroJson(periodOf(given, context.now()), sessions))
    }
    const page = await context.recall.chronicle.retro(periodOf(given, context.now()), sessions)
    const html = flag(given, 'html') || /\.html?$/i.test(out ?? '')
    const text = html ? pageHtml(page) : flag(given, 'evidence') ? pageMarkdown(page) : pageBrief(page)
    if (out === undefined) return context.terminal.line(text.trimEnd())
    replaceFile(path.resolve(out), text)
    context.terminal.note(`written to ${out}`)
  },
}

function periodOf(given: Given, now: number): Period {
  const since = word(given, 'since')
  if (since === undefined) return lastFullDays(now, WEEK)
  if (flag(given, 'week')) throw new UserError('USAGE', '--week and --since exclude each other', 'give one of them')
  const from = dayRange(since)?.since ?? dayStart(timeOf(since, now))
  if (from <= now) return { since: from, before: dayStart(now, 1) }
  throw new UserError('USAGE', `--since ${since} is yet to come`, 'give a time in the past')
}

/** The whole file or nothing: what cannot be replaced, such as a device, is written to. A link stays one. */
function replaceFile(file: string, text: string): void {
  const old = statSync(file, { throwIfNoEntry: false })
  if (old?.isDirectory() === true)
    throw new UserError('USAGE', `cannot write ${file}: it is a directory`, `e.g. --out ${path.join(file, 'retro.md')}`)
  try {
    if (old !== undefined) accessSync(file, constants.W_OK)
    if (old === undefined || old.isFile()) swapFile(old === undefined ? file : realpathSync(file), text, old?.mode)
    else writeFileSync(file, text)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new UserError(
      'USAGE',
      `cannot write ${file} (${error.message})`,
      'name a file that may be written, in a directory that exists',
      error,
    )
  }
}

function swapFile(file: string, text: string, mode = 0o600): void {
  const half = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(half, text, { mode: 0o600 })
    chmodSync(half, mode & 0o777)
    renameSync(half, file)
  } catch (error) {
    rmSync(half, { force: true })
    throw error
  }
}
