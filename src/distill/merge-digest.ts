import type { Digest } from '../model/digest.ts'

const MAX_SNIPPETS = 20
const MAX_FILES = 200
const MAX_COMMANDS = 100
const MAX_MADE = 100

/**
 * The digest of a session of which a part was evicted before new words came: what is known of that part, and what the
 * new words give. It never says less than either. Tokens, title, times and time spent are the whole session's in the
 * new one.
 */
export function mergeDigests(part: Digest, fresh: Digest): Digest {
  const judged = changesVerdict(part, fresh) ? fresh : part
  return {
    ...fresh,
    repo: fresh.repo ?? part.repo,
    model: fresh.model ?? part.model,
    started_at: earliest(part.started_at, fresh.started_at),
    ended_at: latest(part.ended_at, fresh.ended_at),
    outcome: judged.outcome,
    cost: { ...fresh.cost, turns: part.cost.turns + fresh.cost.turns, retries: part.cost.retries + fresh.cost.retries },
    tool_histogram: ordered(sums(part.tool_histogram, fresh.tool_histogram)),
    event_count: part.event_count + fresh.event_count,
    kind_counts: sums(part.kind_counts, fresh.kind_counts),
    markers: sums(part.markers, fresh.markers) as Digest['markers'],
    first_prompt: part.first_prompt ?? fresh.first_prompt,
    last_assistant: fresh.last_assistant ?? part.last_assistant,
    error_snippets: snippets(part, fresh),
    outcome_confidence: judged.outcome_confidence,
    outcome_reasons: judged.outcome_reasons,
    task_ref: part.task_ref ?? fresh.task_ref,
    exchanges: part.exchanges + fresh.exchanges,
    files: files(part, fresh),
    commands: commands(part, fresh),
    commits: [...new Set([...part.commits, ...fresh.commits])].slice(0, MAX_MADE),
    prs: [...new Set([...part.prs, ...fresh.prs])].slice(0, MAX_MADE),
    compactions: part.compactions + fresh.compactions,
    redactions: largest(part.redactions, fresh.redactions),
  }
}

/** Work does, and so do words after a session that was left. Words after work that ended well or red leave it so. */
function changesVerdict(part: Digest, fresh: Digest): boolean {
  if (Object.keys(fresh.tool_histogram).length > 0) return true
  return fresh.exchanges > 0 && (part.outcome === 'abandoned' || Object.keys(part.tool_histogram).length === 0)
}

type Counts = Readonly<Record<string, number>>

function combined(a: Counts, b: Counts, with_: (x: number, y: number) => number): Record<string, number> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(names.map((name) => [name, with_(countIn(a, name), countIn(b, name))]))
}

/** A tool may be called `constructor`, which every object knows. */
function countIn(counts: Counts, name: string): number {
  return Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0
}

function sums(a: object, b: object): Record<string, number> {
  return combined(a as Counts, b as Counts, (x, y) => x + y)
}

function largest(a: Counts, b: Counts): Record<string, number> {
  return ordered(combined(a, b, Math.max))
}

function ordered(counts: Counts): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

function earliest(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b
}

function latest(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a > b ? a : b
}

function snippets(part: Digest, fresh: Digest): Digest['error_snippets'] {
  const all = new Map<string, Digest['error_snippets'][number]>()
  for (const snippet of [...part.error_snippets, ...fresh.error_snippets]) {
    const known = all.get(snippet.fingerprint)
    all.set(snippet.fingerprint, known ? { ...known, count: known.count + snippet.count } : snippet)
  }
  return [...all.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SNIPPETS)
}

function files(part: Digest, fresh: Digest): Digest['files'] {
  const all = new Map<string, Digest['files'][number]>()
  for (const file of [...part.files, ...fresh.files]) {
    const { edits = 0, reads = 0 } = all.get(file.path) ?? {}
    all.set(file.path, { path: file.path, edits: edits + file.edits, reads: reads + file.reads })
  }
  const order = (a: Digest['files'][number], b: Digest['files'][number]) =>
    b.edits - a.edits || b.reads - a.reads || (a.path < b.path ? -1 : 1)
  return [...all.values()].sort(order).slice(0, MAX_FILES)
}

function commands(part: Digest, fresh: Digest): Digest['commands'] {
  const counts = [part, fresh].map((digest) =>
    Object.fromEntries(digest.commands.map((one) => [one.command, one.count])),
  )
  return Object.entries(ordered(sums(counts[0] ?? {}, counts[1] ?? {})))
    .slice(0, MAX_COMMANDS)
    .map(([command, count]) => ({ command, count }))
}
