import type { Doc } from './api.ts'

export type OutlineDoc = Doc<'outline'>
export type View = 'talk' | 'all'

/** One row of the reader: an event, with what answers it, or a subagent that is folded. */
export interface Row {
  readonly key: string
  /** Its place among all events. */
  readonly at: number
  readonly seq: number
  readonly kind: OutlineDoc['events']['kind'][number]
  readonly role: OutlineDoc['events']['role'][number]
  readonly tool: string | null
  /** The event that is its result. */
  readonly result: number | null
  readonly trouble: OutlineDoc['events']['trouble'][number]
  /** How deep: 1 within a subagent. */
  readonly depth: number
  /** The subagent that it started, and how much that said. */
  readonly subagent: { readonly thread: string; readonly events: number; readonly isOpen: boolean } | null
}

const TALK: ReadonlySet<string> = new Set(['user_msg', 'assistant_msg', 'human_intervention', 'decision', 'completion'])

/** What is shown of a session, row by row. Results stand with their calls, subagents below what started them. */
export function rowsOf({ events, threads }: OutlineDoc, view: View, open: ReadonlySet<string>): Row[] {
  const results = new Map<number, number>()
  const seqs = new Set(events.seq)
  events.answers.forEach((call, i) => {
    if (call !== null && seqs.has(call)) results.set(call, i)
  })
  const folded = new Set(results.values())
  const started = new Map(threads.map((one) => [one.parent, one]))
  const mainEnd = Math.min(events.seq.length, ...threads.map(({ first }) => first))
  const afterThreads = Math.max(mainEnd, ...threads.map(({ first, events: many }) => first + many))
  const rows: Row[] = []

  function add(i: number, depth: number): void {
    const seq = events.seq[i] ?? 0
    const kind = events.kind[i] ?? 'lifecycle'
    const thread = started.get(seq)
    const result = results.get(seq)
    const trouble = events.trouble[i] ?? (result === undefined ? null : (events.trouble[result] ?? null))
    const isShown =
      view === 'all'
        ? !folded.has(i)
        : TALK.has(kind) || trouble === 'compacted' || trouble === 'interrupted' || trouble === 'denied'
    if (isShown && !folded.has(i))
      rows.push({
        key: String(seq),
        at: i,
        seq,
        kind,
        role: events.role[i] ?? 'system',
        tool: events.tool[i] ?? null,
        result: result === undefined ? null : (events.seq[result] ?? null),
        trouble,
        depth,
        subagent:
          thread === undefined
            ? null
            : { thread: thread.thread, events: thread.events, isOpen: open.has(thread.thread) },
      })
    if (thread !== undefined && open.has(thread.thread))
      for (let j = thread.first; j < thread.first + thread.events; j++) add(j, depth + 1)
  }

  for (let i = 0; i < mainEnd; i++) add(i, 0)
  for (const { parent, first, events: many, thread } of threads) {
    if (parent !== null && seqs.has(parent)) continue
    // Nobody knows who started it: it stands at the end.
    if (open.has(thread) || view === 'all') for (let j = first; j < first + many; j++) add(j, 1)
  }
  for (let i = afterThreads; i < events.seq.length; i++) add(i, 0)
  return rows
}

/** Where a row with this event is; that of the call for a result, and of the next row for one that is not shown. */
export function rowWith(rows: readonly Row[], seq: number): number {
  const exact = rows.findIndex((row) => row.seq === seq || row.result === seq)
  if (exact !== -1) return exact
  return rows.findIndex((row) => row.seq > seq)
}
