import { accessSync, chmodSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pageHtml } from '../../insight/page-html.ts'
import { pageBrief, pageMarkdown } from '../../insight/page-markdown.ts'
import { retroPage } from '../../insight/retro.ts'
import { UserError } from '../../model/errors.ts'
import { retro as operation } from '../../operations/retro.ts'
import { FRESH_OPTION } from '../command.ts'
import { flag, word } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'

export const retro = commandOf({
  operation,
  options: [
    { flags: '--evidence', help: 'with footnotes that list what every number was counted from' },
    { flags: '--html', help: 'as one HTML page with charts and all evidence' },
    { flags: '--out <file>', help: 'write it to this file; HTML if its name ends so' },
    FRESH_OPTION,
  ],
  examples: [
    'recall retro',
    'recall retro --json',
    'recall retro --since 30d --out retro.md',
    'recall retro --html --out retro.html',
  ],
  refine(input, given) {
    if (flag(given, 'json') && (word(given, 'out') !== undefined || flag(given, 'html')))
      throw new UserError('USAGE', '--json goes to stdout alone', 'leave out --html and --out')
    return input
  },
  print({ terminal, cwd }, facts, given) {
    const page = retroPage(facts)
    const out = word(given, 'out')
    const html = flag(given, 'html') || /\.html?$/i.test(out ?? '')
    const text = html ? pageHtml(page) : flag(given, 'evidence') ? pageMarkdown(page) : pageBrief(page)
    if (out === undefined) return terminal.line(text.trimEnd())
    replaceFile(path.resolve(cwd, out), text)
    terminal.note(`written to ${out}`)
  },
})

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
