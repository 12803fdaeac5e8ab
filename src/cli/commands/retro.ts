import path from 'node:path'
import { pageHtml } from '../../insight/page-html.ts'
import { pageBrief, pageMarkdown } from '../../insight/page-markdown.ts'
import { retroPage } from '../../insight/retro.ts'
import { UserError } from '../../model/errors.ts'
import { retro as operation } from '../../operations/retro.ts'
import { FRESH_OPTION } from '../command.ts'
import { flag, word } from '../option-values.ts'
import { writeOut } from '../out-file.ts'
import { commandOf } from '../operation-command.ts'
import { printMarkdown } from '../sessions.ts'

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
    if (out === undefined) return html ? terminal.line(text.trimEnd()) : printMarkdown(terminal, text.trimEnd())
    writeOut(path.resolve(cwd, out), text, 'retro.md')
    terminal.note(`written to ${out}`)
  },
})
