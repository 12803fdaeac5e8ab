import { shortName } from '../../model/pointers.ts'
import { humanBytes } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { budget as operation, type Titled } from '../../operations/budget.ts'
import { commandOf } from '../operation-command.ts'
import { printTable, type Column } from '../table.ts'
import type { Terminal } from '../terminal.ts'

const BAR = 30
const TITLE: Column<Titled> = { title: 'title', value: ({ title }) => title ?? '(no title)', flexible: true }

export const budget = commandOf({
  operation,
  examples: ['recall budget', 'recall budget --json'],
  print({ terminal }, { tier1, tier2, next, fullAt }) {
    terminal.line(
      `raw text  ${bar(terminal, tier1.bytes, tier1.soft)} ${humanBytes(tier1.bytes)} of ${humanBytes(tier1.soft)} (never above ${humanBytes(tier1.hard)})`,
    )
    terminal.line(
      `digests   ${bar(terminal, tier2.bytes, tier2.cap)} ${humanBytes(tier2.bytes)} of ${humanBytes(tier2.cap)}`,
    )
    if (tier2.flagged)
      terminal.line(
        terminal.yellow(
          'digests are above their cap: nothing is dropped; raise distilled_cap_bytes or forget sessions',
        ),
      )
    terminal.line(`full      ${whenFull(fullAt)} at the present growth`)
    if (next.length === 0) return
    terminal.line()
    printTable(terminal, next, [
      { title: 'goes next', value: (entry) => (terminal.isTTY ? shortName(entry.uid) : entry.uid), flexible: true },
      ...(terminal.isTTY ? [TITLE] : []),
      { title: 'bytes', value: (entry) => humanBytes(entry.bytes), right: true },
      {
        title: 'when',
        value: (entry) => (entry.due ? `with the next sweep (${entry.reason})` : 'when space is needed'),
      },
    ])
  },
})

const FORESEEN_MS = 10 * 365 * 86_400_000

function whenFull(at: number | null): string {
  if (at === null) return 'never'
  return at - Date.now() > FORESEEN_MS ? 'not within ten years' : (isoTime(at)?.slice(0, 10) ?? 'never')
}

function bar(terminal: Terminal, bytes: number, cap: number): string {
  const filled = Math.min(BAR, Math.round((bytes / Math.max(1, cap)) * BAR))
  return `${'━'.repeat(filled)}${terminal.dim('─'.repeat(BAR - filled))}`
}
