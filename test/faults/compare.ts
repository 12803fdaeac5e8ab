import type { Snapshot } from './snapshot.ts'

export interface Difference {
  /** What differs, in a few words: differences are counted by it. */
  readonly subject: string
  readonly example: string
}

const MAX_EXAMPLE = 200

/** What stands in one state and not in the other. A subject that is as in one of `others` is fine too. */
export function compare(wanted: Snapshot, got: Snapshot, ...others: readonly Snapshot[]): Difference[] {
  const subjects = new Set([...wanted.keys(), ...got.keys()])
  const isFine = (subject: string) => others.some((other) => differences(subject, other, got).length === 0)
  return [...subjects].flatMap((subject) => (isFine(subject) ? [] : differences(subject, wanted, got)))
}

/** What no undisturbed run may leave either. */
export function flawsOf(snapshot: Snapshot): Difference[] {
  const flaws = [
    ...['damage', 'lost bytes'].flatMap((subject) => (snapshot.get(subject) ?? []).map((line) => ({ subject, line }))),
    ...(snapshot.get('bodies') ?? [])
      .filter((line) => line.endsWith('has no body'))
      .map((line) => ({ subject: 'bodies are lost', line })),
    ...(snapshot.get('full text') ?? [])
      .filter((line) => /no (session|exchange)/.test(line))
      .map((line) => ({ subject: 'full text of nothing', line })),
  ]
  const subjects = new Set(flaws.map(({ subject }) => subject))
  return [...subjects].map((subject) => {
    const own = flaws.filter((flaw) => flaw.subject === subject)
    return { subject, example: `${own.length}: ${own[0]?.line.slice(0, MAX_EXAMPLE)}` }
  })
}

function differences(subject: string, wanted: Snapshot, got: Snapshot): Difference[] {
  const want = wanted.get(subject) ?? []
  const have = got.get(subject) ?? []
  const missing = minus(want, have)
  const extra = minus(have, want)
  // A word that is gone from a kind of file may stand there cut into pieces; only what is too much counts.
  const counted = subject === 'markers' ? [] : missing
  if (counted.length + extra.length === 0) return []
  return [{ subject: `${subject}: ${told(subject, counted, extra, have)}`, example: example(counted, extra) }]
}

function told(subject: string, missing: readonly string[], extra: readonly string[], have: readonly string[]): string {
  if (subject === 'markers') return `words that must be gone are in ${kinds(extra)}`
  if (missing.length > 0 && extra.length > 0) return 'differs'
  if (missing.length > 0) return 'missing'
  const twice = extra.every((line) => have.filter((other) => other === line).length > 1)
  return twice ? 'twice' : 'too much'
}

function kinds(lines: readonly string[]): string {
  return [...new Set(lines.map((line) => line.replace(/^\w+ in /, '')))].sort().join(', ')
}

/** The lines of one list beyond those of the other, repeated ones counted. */
function minus(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}

function example(missing: readonly string[], extra: readonly string[]): string {
  const [want = '', have = ''] = [missing[0], extra[0]]
  let start = 0
  while (start < Math.min(want.length, have.length) && want[start] === have[start]) start++
  const from = Math.max(0, start - 60)
  const cut = (line: string) =>
    line.length > from + MAX_EXAMPLE ? `${line.slice(from, from + MAX_EXAMPLE)}…` : line.slice(from)
  const counts = `${missing.length} missing, ${extra.length} too much`
  return [counts, ...(want ? [`- ${cut(want)}`] : []), ...(have ? [`+ ${cut(have)}`] : [])].join('\n      ')
}
