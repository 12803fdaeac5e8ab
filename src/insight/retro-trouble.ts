import type { Pattern } from '../model/digest.ts'
import { grouped, oneLine, plural } from '../model/text.ts'
import { counted, heading, text, type Block, type Line } from './page.ts'
import { patternsOf, seen, sessionsSeen, timesSeen, type PeriodFacts } from './retro-facts.ts'
import { isSlip, sumSlips } from './agent-slips.ts'

/** Of each kind. */
const MAX_PATTERNS = 4
const MAX_CORRECTIONS = 6
const LINE_LENGTH = 160

/** What a person can act on first: corrections, denials, loops, errors; agents' own slips are one line. */
export function troubleBlocks(facts: PeriodFacts): Block[] {
  const errors = patternsOf(facts, 'error', 2)
  const again = [
    ...patternsOf(facts, 'denial', 2).slice(0, MAX_PATTERNS),
    ...errors.filter((pattern) => !isSlip(pattern)).slice(0, MAX_PATTERNS),
    ...patternsOf(facts, 'retry_loop', 1).slice(0, MAX_PATTERNS),
  ]
  const slips = sumSlips(errors)
  const items = again.map((pattern): Line => [
    `${toolName(pattern)}${oneLine(pattern.summary, LINE_LENGTH)}: `,
    timesSeen(pattern),
    ' in ',
    sessionsSeen(pattern),
  ])
  const folded: Line[] =
    slips === null
      ? []
      : [
          [
            `agents' own slips (${slips.names}): `,
            counted(`${grouped(slips.count)} times`, slips.evidence, slips.count),
          ],
        ]
  return [
    heading(2, 'What went wrong more than once'),
    ...correctionBlocks(facts),
    heading(3, 'Denials, errors and loops'),
    items.length + folded.length === 0
      ? text('No error came up in more than one session.')
      : { block: 'list', items: [...items, ...folded] },
  ]
}

/** Which tool, unless the words say it. */
function toolName({ tool, summary }: Pattern): string {
  return tool === null || summary.includes(tool) ? '' : `${tool}: `
}

function correctionBlocks(facts: PeriodFacts): Block[] {
  const corrections = patternsOf(facts, 'correction', 1)
  const { count, evidence } = seen(facts, 'correction')
  const title = heading(3, 'Corrections')
  if (corrections.length === 0) return [title, text('You corrected nothing.')]
  const items = corrections
    .slice(0, MAX_CORRECTIONS)
    .map((pattern): Line => [`“${oneLine(pattern.summary, LINE_LENGTH)}” `, timesSeen(pattern)])
  return [
    title,
    text('You corrected the agent ', counted(plural(count, 'time'), evidence, count), ':'),
    { block: 'list', items },
  ]
}
