import { pageBrief, pageMarkdown } from '../../insight/page-markdown.ts'
import { retroPage } from '../../insight/retro.ts'
import { retro as operation } from '../../operations/retro.ts'
import { FRESH_OPTION } from '../command.ts'
import { flag } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { checkPageOptions, OUT_OPTION, writePage } from '../page-file.ts'
import { printMarkdown } from '../sessions.ts'

export const retro = commandOf({
  operation,
  options: [
    { flags: '--evidence', help: 'with footnotes that list what every number was counted from' },
    { flags: '--html', help: 'as one HTML page with charts and all evidence' },
    OUT_OPTION,
    FRESH_OPTION,
  ],
  examples: [
    'recall retro',
    'recall retro --json',
    'recall retro --since 30d --out retro.md',
    'recall retro --html --out retro.html',
  ],
  refine: checkPageOptions,
  async print(context, facts, values) {
    const page = retroPage(facts)
    const text = flag(values, 'evidence') ? pageMarkdown : pageBrief
    if (await writePage(context, page, values, { usual: 'retro.md', text })) return
    printMarkdown(context.terminal, text(page).trimEnd())
  },
})
