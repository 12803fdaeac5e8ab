import { UserError } from '../../model/errors.ts'
import { FRESH_OPTION, type Command } from '../command.ts'

export const browse: Command = {
  name: 'browse',
  summary: 'find and read sessions on the whole screen, as you type',
  details:
    'What you type is searched for at once, with the words and filters of `recall search`; without words the newest ' +
    'sessions are there. ↑ and ↓ choose, beside or below stands what was said there, Enter reads the session in the pager. ' +
    'In the list: `r` continues the session in its agent, `y` copies the pointer (and prints it at the end), `s`, `t`, `o`, `p` and `a` filter by source, time, outcome, ' +
    'project of the chosen session, and runs of programs, `/` goes on typing, `q` leaves.',
  args: [{ name: 'words', help: 'what to look for at first', required: false, many: true }],
  options: [FRESH_OPTION],
  examples: ['recall browse', 'recall browse nginx since:30d'],
  async run(context, args) {
    const { terminal } = context
    if (!terminal.isTTY || process.stdin.isTTY !== true || context.env['TERM'] === 'dumb')
      throw new UserError('USAGE', '`recall browse` needs a terminal', 'use `recall search` or `recall list` here')
    const { Browser } = await import('../browse/browse.ts')
    const browser = new Browser(context, args.join(' '))
    const code = await browser.run()
    for (const pointer of new Set(browser.copied)) terminal.line(terminal.cell(pointer))
    return code
  },
}
