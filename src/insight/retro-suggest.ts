import type { Outcome, Pattern } from '../model/digest.ts'
import { isChore } from '../distill/signal-order.ts'
import { oneLine, plural } from '../model/text.ts'
import { counted, type Line } from './page.ts'
import {
  notAnalysed,
  patternsOf,
  seen,
  sessionsSeen,
  timesSeen,
  uidsOf,
  withOutcome,
  type PeriodFacts,
  type Trouble,
} from './retro-facts.ts'
import { dollars, percent, spell } from './format.ts'

const WANTED = 3
const LONG_WAIT_S = 30 * 60
const DEAR_SHARE = 0.3
const SAMPLE_LENGTH = 140

export interface Suggestion {
  /** How much it would spare, roughly; for the order. */
  readonly weight: number
  readonly line: Line
}

/** The weightiest, at most three, each with what speaks for it. Without evidence there are fewer. */
export function suggest(facts: PeriodFacts): Suggestion[] {
  return RULES.flatMap((rule) => rule(facts) ?? [])
    .sort((a, b) => b.weight - a.weight)
    .slice(0, WANTED)
}

/** In the order that counts where weights are equal. */
const RULES: readonly ((facts: PeriodFacts) => Suggestion | null)[] = [
  corrections,
  ofPattern({ kind: 'error', sessions: 2, weight: 1, fits: (pattern) => !isChore(pattern) }, (pattern) => [
    { strong: 'Take the most frequent error out of the way.' },
    ` ${quote(pattern)} came up `,
    timesSeen(pattern),
    ' in ',
    sessionsSeen(pattern),
    ". Mend its cause, or say in the project's instructions how to avoid it.",
  ]),
  ofPattern(
    { kind: 'denial', sessions: 1, weight: 4, fits: (pattern) => pattern.by !== 'person' && !isChore(pattern) },
    (pattern) => [
      { strong: 'Decide once what may run.' },
      ` ${quote(pattern)}, `,
      timesSeen(pattern),
      ', with nobody asked. ',
      { code: 'recall stats bash --suggest' },
      ' shows which rules are safe.',
    ],
  ),
  ofPattern(
    { kind: 'denial', sessions: 1, weight: 4, fits: (pattern) => pattern.by === 'person' && !isChore(pattern) },
    (pattern) => [
      { strong: 'Say beforehand what you do not want.' },
      ` ${quote(pattern)}, `,
      timesSeen(pattern),
      ". A line in the project's instructions spares both the attempt and the no.",
    ],
  ),
  ofPattern({ kind: 'retry_loop', sessions: 1, weight: 3 }, (pattern) => [
    { strong: 'Stop loops early.' },
    ` ${quote(pattern)}, `,
    timesSeen(pattern),
    '. After the second failure ask for the cause, not for another attempt.',
  ]),
  ofPattern({ kind: 'intervention', sessions: 1, weight: 3 }, (pattern) => [
    { strong: 'Set the limits before the work, not in the middle of it.' },
    ` ${quote(pattern)}, `,
    timesSeen(pattern),
    '. A plan that you have agreed on is cheaper than a stop.',
  ]),
  ofPattern({ kind: 'churn', sessions: 1, weight: 2 }, (pattern) => [
    { strong: 'Ask for a plan before the edits.' },
    ` ${quote(pattern)}, seen `,
    timesSeen(pattern),
    '. A file that is edited over and over was begun too early.',
  ]),
  ofPattern({ kind: 'compaction', sessions: 1, weight: 2 }, (pattern) => [
    { strong: 'Begin a new session for a new task.' },
    ' ',
    sessionsSeen(pattern),
    ' outgrew the window: compacted ',
    timesSeen(pattern),
    '. What was said before is told again, and paid again.',
  ]),
  waits,
  dearest,
  ended('fail', 5, 'Take up again what failed.', 'ended badly'),
  ended('abandoned', 3, 'Finish or drop what was left.', 'had no end'),
  unseen,
]

function corrections(facts: PeriodFacts): Suggestion | null {
  const { count, evidence } = seen(facts, 'correction')
  const first = patternsOf(facts, 'correction', 1)[0]
  if (first === undefined) return null
  const again = first.count > 1
  const line: Line = [
    { strong: again ? 'Write down what you keep correcting.' : 'See whether your corrections are rules.' },
    ' You corrected the agent ',
    counted(plural(count, 'time'), evidence, count),
    `, e.g. ${quote(first)}. `,
    again
      ? "A line in the project's instructions says it once for all."
      : "None came twice; what holds beyond its day belongs in the project's instructions.",
  ]
  return { weight: (again ? 6 : 2) * count, line }
}

/** Advice on what was seen in the most sessions. */
function ofPattern(
  wanted: {
    readonly kind: Trouble
    readonly sessions: number
    readonly weight: number
    readonly fits?: (pattern: Pattern) => boolean
  },
  line: (pattern: Pattern) => Line,
): (facts: PeriodFacts) => Suggestion | null {
  return (facts) => {
    const pattern = patternsOf(facts, wanted.kind, wanted.sessions).find(wanted.fits ?? (() => true))
    if (pattern === undefined) return null
    return { weight: wanted.weight * pattern.count + 2 * pattern.sessions, line: line(pattern) }
  }
}

function waits({ time, waits: pointers }: PeriodFacts): Suggestion | null {
  const { waiting_s: waiting, wall_s: wall } = time.total
  if (waiting < LONG_WAIT_S) return null
  const line: Line = [
    { strong: 'Let finished agents call you.' },
    ' They waited for you ',
    counted(spell(waiting), pointers, time.waitCount),
    ', ',
    counted(percent(waiting, wall), pointers, time.waitCount),
    ' of the time. A notification at the end of a turn, or larger tasks, shorten that.',
  ]
  return { weight: waiting / 600, line }
}

function dearest({ cost }: PeriodFacts): Suggestion | null {
  const first = cost.bySession[0]
  if (first === undefined || cost.bySession.length < 3 || first.usd < DEAR_SHARE * cost.total.usd || first.usd === 0)
    return null
  const line: Line = [
    { strong: 'Look at the dearest session.' },
    ' It cost ',
    counted(dollars(first.usd), [first.uid]),
    ', ',
    counted(percent(first.usd, cost.total.usd), uidsOf(cost.bySession)),
    ' of all. A fresh session for each part, or a smaller model, would cost less.',
  ]
  return { weight: 8, line }
}

function ended(
  outcome: Outcome,
  weight: number,
  title: string,
  how: string,
): (facts: PeriodFacts) => Suggestion | null {
  return (facts) => {
    const sessions = withOutcome(facts, outcome)
    const last = sessions.at(-1)
    if (last === undefined) return null
    const line: Line = [
      { strong: title },
      ' ',
      counted(plural(sessions.length, 'session'), uidsOf(sessions)),
      ` ${how}, last “${oneLine(last.title ?? 'no title', SAMPLE_LENGTH)}”: `,
      { code: `recall show ${last.uid}` },
      '.',
    ]
    return { weight: weight * sessions.length, line }
  }
}

function unseen(facts: PeriodFacts): Suggestion | null {
  const open = notAnalysed(facts)
  if (open.length === 0) return null
  const line: Line = [
    { strong: 'Have the rest analysed.' },
    ' ',
    counted(plural(open.length, 'session'), uidsOf(open)),
    ' without a digest: what went wrong there is not counted here. ',
    { code: 'recall analyze' },
    ' reads them.',
  ]
  return { weight: open.length, line }
}

function quote({ summary }: Pattern): string {
  return `“${oneLine(summary, SAMPLE_LENGTH)}”`
}
