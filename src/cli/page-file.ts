import path from 'node:path'
import type { Page } from '../insight/page.ts'
import { UserError } from '../model/errors.ts'
import type { Context, OptionValues, Option } from './command.ts'
import { flag, word } from './option-values.ts'
import { writeOut } from './out-file.ts'

export const OUT_OPTION: Option = { flags: '--out <file>', help: 'write it to this file; HTML if its name ends so' }

/** JSON goes to stdout and nowhere else. */
export function checkPageOptions<Input>(input: Input, values: OptionValues): Input {
  if (flag(values, 'json') && (word(values, 'out') !== undefined || flag(values, 'html')))
    throw new UserError('USAGE', '--json goes to stdout alone', 'leave out --html and --out')
  return input
}

/** Writes the page to the file that was named, or as HTML to stdout; false if neither was asked for. */
export async function writePage(
  { terminal, cwd }: Context,
  page: Page,
  values: OptionValues,
  { usual, text }: { readonly usual: string; readonly text: (page: Page) => string },
): Promise<boolean> {
  const out = word(values, 'out')
  const isHtml = flag(values, 'html') || /\.html?$/i.test(out ?? '')
  if (out === undefined && !isHtml) return false
  const written = isHtml ? (await import('../insight/page-html.ts')).pageHtml(page) : text(page)
  if (out === undefined) terminal.line(written.trimEnd())
  else {
    writeOut(path.resolve(cwd, out), written, usual)
    terminal.note(`written to ${out}`)
  }
  return true
}
