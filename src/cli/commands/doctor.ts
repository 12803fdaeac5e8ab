import type { Finding } from '../../store/store.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'check the store and its surroundings',
  details:
    "Checks every page of the database against its checksum, full-text parity, packs, permissions, disk space, the lock and the agents' directories. " +
    '`--deep` also reads every row, index and payload. `--repair` makes anew what is derived, reads again what a transcript still has, ' +
    'keeps every other row that can be read, and names what is lost; the damaged store is kept in `backups/`. ' +
    'Exits with 1 if something needs you; a note (level `info`) is nothing that does.',
  args: [],
  options: [
    { flags: '--deep', help: 'also read every row, index and payload' },
    { flags: '--repair', help: 'mend what is damaged, as far as that can be done' },
    { flags: '--secrets', help: 'also look through everything stored for secrets' },
    JSON_OPTION,
  ],
  examples: ['recall doctor', 'recall doctor --deep', 'recall doctor --repair', 'recall doctor --secrets'],
  rows: 'findings',
  async run({ recall, terminal }, _args, given) {
    const onProgress = (done: number, total: number, what: string) => terminal.progress(done, total, what)
    const options = { secrets: flag(given, 'secrets'), deep: flag(given, 'deep'), onProgress }
    const examined = flag(given, 'repair') ? recall.repair(options) : recall.doctor(options)
    const findings = await examined.finally(() => terminal.progressDone())
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
