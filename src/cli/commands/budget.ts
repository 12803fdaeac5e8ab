import { humanBytes } from '../../model/text.ts'
import { isoTime } from '../../model/time.ts'
import { JSON_OPTION, type Command } from '../command.ts'
import { count, flag } from '../given.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

const DEFAULT_LIMIT = 10
const BAR = 30

export const budget: Command = {
  name: 'budget',
  summary: 'what the tiers take of what they may, and what would go next',
  args: [],
  options: [{ flags: '--limit <n>', help: `how many of what would go next (${DEFAULT_LIMIT}; 0 = all)` }, JSON_OPTION],
  examples: ['recall budget', 'recall budget --json'],
  async run({ recall, terminal }, _args, given) {
    const state = await recall.budget()
    const limit = count(given, 'limit') ?? DEFAULT_LIMIT
    const next = limit === 0 ? state.next : state.next.slice(0, limit)
    if (flag(given, 'json')) {
      return terminal.json({
        tier1: state.tier1,
        tier2: state.tier2,
        next: next.map(({ uid, bytes, reason, due }) => ({ session_uid: uid, bytes, reason, due })),
        full_at: isoTime(state.fullAt),
      })
    }
    const { tier1, tier2 } = state
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
    terminal.line(
      `full      ${state.fullAt === null ? 'never at the present growth' : `${isoTime(state.fullAt)?.slice(0, 10)} at the present growth`}`,
    )
    if (next.length === 0) return
    terminal.line()
    printTable(terminal, next, [
      { title: 'goes next', value: (entry) => entry.uid, flexible: true },
      { title: 'bytes', value: (entry) => humanBytes(entry.bytes), right: true },
      {
        title: 'when',
        value: (entry) => (entry.due ? `with the next sweep (${entry.reason})` : 'when space is needed'),
      },
    ])
  },
}

function bar(terminal: Terminal, bytes: number, cap: number): string {
  const filled = Math.min(BAR, Math.round((bytes / Math.max(1, cap)) * BAR))
  return `${'━'.repeat(filled)}${terminal.dim('─'.repeat(BAR - filled))}`
}
