import type { Finding } from '../../store/store.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'check the store and its surroundings',
  details:
    "Checks integrity, full-text parity, packs, permissions, disk space, the lock and the agents' directories. Exits with 1 if something needs you; a note (level `info`) is nothing that does.",
  args: [],
  options: [{ flags: '--secrets', help: 'also look through everything stored for secrets' }, JSON_OPTION],
  examples: ['recall doctor', 'recall doctor --secrets'],
  rows: 'findings',
  async run({ recall, terminal }, _args, given) {
    const findings = await recall.doctor({ secrets: flag(given, 'secrets') })
    const ok = findings.every((finding) => finding.level === 'info')
    if (flag(given, 'json')) terminal.json({ ok, findings })
    else {
      for (const finding of findings) {
        terminal.line(`${mark(finding, terminal)} ${finding.message}`)
        terminal.line(terminal.dim(`  ${finding.remedy}`))
      }
      if (ok) terminal.line(terminal.green('all is well'))
    }
    return ok ? 0 : 1
  },
}

function mark(finding: Finding, paint: { red(text: string): string; yellow(text: string): string }): string {
  if (finding.level === 'error') return paint.red('error')
  return finding.level === 'warn' ? paint.yellow('warning') : 'note'
}
