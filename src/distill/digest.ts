import { DIGEST_SCHEMA_VERSION, type Digest, type DigestEvent, type DigestInput } from '../model/digest.ts'
import { EVENT_KINDS, isToolCall, type EventKind } from '../model/event.ts'
import { baseName, projectOf } from '../model/session.ts'
import { oneLine } from '../model/text.ts'
import { isoTime } from '../model/time.ts'
import { errorFingerprint, errorLine } from './fingerprint.ts'
import { judgeOutcome } from './outcome.ts'
import { INFRA_TOOLS, infraShare } from './infra-overhead.ts'
import { shortPath, wholePath, type Place } from './paths.ts'
import { spansOf, sumSpans } from './spans.ts'
import { TASK_REFS, taskRefOf } from './task-ref.ts'
import { deniedCalls, inTime, isCompaction, isPrompt, isRequest } from './timeline.ts'

const SNIPPET = 400
const MAX_SNIPPETS = 20
const MAX_FILES = 200
const MAX_COMMANDS = 100
const MAX_MADE = 100

export interface DigestOptions {
  /** Patterns of the keys of tasks. */
  readonly taskRefs?: readonly RegExp[]
  /** Names of tools that do no work of their own, `*` for any characters. */
  readonly infraTools?: readonly string[]
}

/** What stays of a session. Pure: the same input gives the same object, key by key. */
export function buildDigest(input: DigestInput, options: DigestOptions = {}): Digest {
  const { session } = input
  const events = inTime(input.events)
  const { outcome, confidence, reasons } = judgeOutcome(events)
  const kinds = kindCounts(events)
  const denied = deniedCalls(events)
  const allowed = events.filter(({ call }) => call === null || !denied.has(call))
  const tools = histogram(events)
  const compactions = events.filter(isCompaction).length
  const prompts = events.filter(isPrompt)
  const firstPrompt = prompts[0]?.text ?? programPrompt(events)
  const project = projectOf(session)
  return {
    session_uid: session.uid,
    flavor: session.flavor,
    repo: project === null ? null : baseName(project),
    domain: session.domain,
    model: session.model,
    started_at: isoTime(session.startedAt),
    ended_at: isoTime(session.endedAt),
    outcome,
    cost: costOf(input, prompts.length, kinds.get('retry') ?? 0),
    tool_histogram: tools,
    event_count: events.length,
    kind_counts: Object.fromEntries(kinds),
    markers: markersOf(events, allowed, kinds, compactions),
    first_prompt: snippet(firstPrompt),
    last_assistant: snippet(lastWords(events)),
    error_snippets: errorSnippets(events),
    schema_version: DIGEST_SCHEMA_VERSION,
    title: session.title,
    outcome_confidence: confidence,
    outcome_reasons: reasons,
    task_ref: taskRefOf(
      { branch: session.gitBranch, prompt: firstPrompt, cwd: session.cwd },
      options.taskRefs ?? TASK_REFS,
    ),
    exchanges: prompts.length,
    files: filesTouched(allowed, session),
    commands: commandsRun(events),
    commits: made(events, 'commit'),
    prs: made(events, 'pr'),
    time: sumSpans(spansOf(events, session)),
    compactions,
    redactions: inOrder(Object.entries(input.redactions)),
    sources: input.sources
      .toSorted((a, b) => compare(a.path, b.path))
      .map(({ path, bytes, hash }) => ({ path, bytes, hash })),
    infra_overhead_share: infraShare(tools, options.infraTools ?? INFRA_TOOLS),
  }
}

function costOf({ session }: DigestInput, turns: number, retries: number): Digest['cost'] {
  const { tokens, startedAt, endedAt } = session
  return {
    input_tokens: tokens?.input ?? null,
    output_tokens: tokens?.output ?? null,
    cache_tokens: tokens === null ? null : tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h,
    wall_clock_s: startedAt === null || endedAt === null ? null : Math.round((endedAt - startedAt) / 1000),
    turns,
    retries,
  }
}

/** In the order of the kinds, without those that do not occur. */
function kindCounts(events: readonly DigestEvent[]): Map<EventKind, number> {
  const counts = new Map<EventKind, number>()
  for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return new Map(EVENT_KINDS.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind) ?? 0]] : [])))
}

function markersOf(
  events: readonly DigestEvent[],
  allowed: readonly DigestEvent[],
  kinds: ReadonlyMap<EventKind, number>,
  compactions: number,
): Digest['markers'] {
  const of = (kind: EventKind) => kinds.get(kind) ?? 0
  return {
    errors: of('error'),
    retries: of('retry'),
    interventions: events.filter(({ kind, marks }) => kind === 'human_intervention' || marks.midTurn === true).length,
    test_runs: of('test_run'),
    edits: allowed.filter(({ kind }) => kind === 'edit').length,
    decisions: of('decision'),
    compactions,
  }
}

function histogram(events: readonly DigestEvent[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const event of events) {
    if (isToolCall(event.kind)) add(counts, event.tool ?? 'unknown')
  }
  return inOrder(counts)
}

function programPrompt(events: readonly DigestEvent[]): string | null {
  const asked = events.find(isRequest)
  return asked?.text ?? null
}

function lastWords(events: readonly DigestEvent[]): string | null {
  const spoken = ({ kind, text, marks }: DigestEvent) =>
    kind === 'assistant_msg' && !marks.injected && text !== null && text.trim() !== ''
  return (events.findLast((event) => !event.sidechain && spoken(event)) ?? events.findLast(spoken))?.text ?? null
}

/** The most frequent first. */
function errorSnippets(events: readonly DigestEvent[]): Digest['error_snippets'] {
  const snippets = new Map<string, { fingerprint: string; sample: string; count: number; tool: string | null }>()
  for (const event of events) {
    if (event.kind !== 'error') continue
    const text = event.text ?? event.summary
    const fingerprint = errorFingerprint(text)
    const known = snippets.get(fingerprint)
    if (known !== undefined) known.count++
    else
      snippets.set(fingerprint, { fingerprint, sample: oneLine(errorLine(text), SNIPPET), count: 1, tool: event.tool })
  }
  return [...snippets.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SNIPPETS)
}

/** The most edited first, then the most read. */
function filesTouched(events: readonly DigestEvent[], place: Place): Digest['files'] {
  const files = new Map<string, { path: string; edits: number; reads: number }>()
  for (const event of events) {
    for (const { path, edit } of event.files) {
      const name = shortPath(wholePath(path, place), place)
      let file = files.get(name)
      if (file === undefined) files.set(name, (file = { path: name, edits: 0, reads: 0 }))
      if (edit) file.edits++
      else file.reads++
    }
  }
  return [...files.values()]
    .sort((a, b) => b.edits - a.edits || b.reads - a.reads || compare(a.path, b.path))
    .slice(0, MAX_FILES)
}

function commandsRun(events: readonly DigestEvent[]): Digest['commands'] {
  const counts = new Map<string, number>()
  for (const { kind, base, sub } of events) {
    if (base !== null && isToolCall(kind)) add(counts, sub === null ? base : `${base} ${sub}`)
  }
  return Object.entries(inOrder(counts))
    .slice(0, MAX_COMMANDS)
    .map(([command, count]) => ({ command, count }))
}

function made(events: readonly DigestEvent[], kind: 'commit' | 'pr'): string[] {
  const values = events.flatMap((event) => event.made.filter((thing) => thing.kind === kind).map(({ value }) => value))
  return [...new Set(values)].slice(0, MAX_MADE)
}

function snippet(text: string | null): string | null {
  const line = text === null ? '' : oneLine(text, SNIPPET)
  return line === '' ? null : line
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** The largest first. */
function inOrder(counts: Iterable<readonly [string, number]>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || compare(a, b)))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
