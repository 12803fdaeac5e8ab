import type { Calm, Verdict } from './trial.ts'

const MAX_BUGS = 6
const WIDTHS = [12, 8, 8, 8, 9, 9]

/** Sums of what is in other tables: they follow. */
const SUMS =
  /^table (day_\w+|quarter_day|session_place|place|called|spent|ran|touched|ruled|unruled|form|worked|path|touch|made|course|uncharted|stale_\w+|meta|session_path)$/

/** A line for each command, then what went wrong, like failures together and each with a case that shows it. */
export function report(calms: readonly Calm[], verdicts: readonly Verdict[]): string[] {
  const head = row(['command', 'calls', 'tried', 'failed', 'unmet', 'exit 70'])
  const rows = calms.map(({ scenario, calls }) => {
    const own = verdicts.filter(({ one }) => one.scenario === scenario)
    const failed = own.filter(({ differences }) => differences.length > 0).length
    const unmet = own.filter(({ reached }) => !reached).length
    const bugs = own.filter(({ exit }) => exit === '70').length
    return row([scenario.name, calls.length, own.length, failed, unmet, bugs])
  })
  const flaws = calms.flatMap(({ scenario, flaws: own }) =>
    own.map(({ subject, example }) => `\nundisturbed ${scenario.name}: ${subject}\n      ${example}`),
  )
  const bugs = verdicts.filter(({ exit }) => exit === '70').slice(0, MAX_BUGS)
  const rude =
    bugs.length === 0 ? [] : ['\nended as if by a bug, for example:', ...bugs.map((one) => `    ${again(one)}`)]
  return [head, ...rows, ...flaws, ...rude, ...findings(verdicts)]
}

/** Which subjects differ, those that follow from others as one. */
function signature({ one, differences }: Verdict): string {
  const subjects = differences.map(({ subject }) => (SUMS.test(subject.replace(/: .*/, '')) ? 'sums' : subject))
  return `${one.scenario.name}: ${[...new Set(subjects)].sort().join('; ')}`
}

function findings(verdicts: readonly Verdict[]): string[] {
  const found = new Map<string, Verdict[]>()
  for (const verdict of verdicts) {
    if (verdict.differences.length === 0) continue
    found.set(signature(verdict), [...(found.get(signature(verdict)) ?? []), verdict])
  }
  const order = [...found].sort(([, a], [, b]) => b.length - a.length)
  return order.flatMap(([title, own]) => {
    const [first] = own
    if (first === undefined) return []
    return [`\n${own.length} × ${title}`, `    ${tally(own)}`, `    ${again(first)}`, ...examples(first)]
  })
}

function examples({ differences }: Verdict): string[] {
  const told = differences.filter(({ subject }) => !SUMS.test(subject.replace(/: .*/, '')))
  return (told.length > 0 ? told : differences)
    .slice(0, 3)
    .map(({ subject, example }) => `      ${subject}: ${example}`)
}

function tally(verdicts: readonly Verdict[]): string {
  const faults = new Map<string, number>()
  for (const { one } of verdicts) faults.set(one.fault, (faults.get(one.fault) ?? 0) + 1)
  return [...faults].map(([fault, count]) => `${fault} ${count}`).join(', ')
}

function again({ one, exit }: Verdict): string {
  return `npm run faults -- --only ${one.scenario.name} --at ${one.at} --fault ${one.fault}  (${one.call}; the command ended with ${exit})`
}

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, i) => (i === 0 ? String(cell).padEnd(WIDTHS[i] ?? 0) : String(cell).padStart(WIDTHS[i] ?? 0)))
    .join('')
}

/** Everything about one case. */
export function explain({ differences }: Verdict): string {
  return differences.map(({ subject, example }) => `  ${subject}\n      ${example}`).join('\n')
}
