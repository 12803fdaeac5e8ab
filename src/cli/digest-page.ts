import { grouped, plural } from '../model/text.ts'
import { humanDuration, localTime } from '../model/time.ts'
import type { digest } from '../operations/digest.ts'
import { printWrapped } from './sessions.ts'
import type { Terminal } from './terminal.ts'
import { wrap } from './wrap.ts'

type Digest = ReturnType<typeof digest.document>

/** So many of a list are shown; `--json` has all. */
const SHOWN = 8
const LABEL = 10

/** A digest as a person reads it: what it was about, what came of it, and what it took. */
export function printDigest(terminal: Terminal, digest: Digest): void {
  const { cost, time, markers } = digest
  const when = digest.started_at === null ? 'no time' : localTime(Date.parse(digest.started_at))
  const row = (label: string, text: string) => {
    if (text === '') return
    const [first = '', ...rest] = wrap(terminal.cell(text), terminal.width - LABEL)
    terminal.line(`${terminal.dim(label.padEnd(LABEL))}${first}`)
    for (const line of rest) terminal.line(`${' '.repeat(LABEL)}${line}`)
  }
  printWrapped(terminal, terminal.bold(digest.title ?? '(no title)'))
  row('', [digest.session_uid, when, digest.repo, digest.model].filter((part) => part !== null).join(' · '))
  terminal.line()
  const sure = `${Math.round(digest.outcome_confidence * 100)} % sure`
  row('outcome', `${digest.outcome} (${[sure, ...digest.outcome_reasons].join('; ')})`)
  row('asked', digest.first_prompt ?? '')
  row('ended', digest.last_assistant ?? '')
  const tokens = [cost.input_tokens, cost.output_tokens, cost.cache_tokens].map((sum) =>
    sum === null ? 'unknown' : grouped(sum),
  )
  row('tokens', `${tokens[0]} input, ${tokens[1]} output, ${tokens[2]} cache`)
  const spans = { you: time.active_s, agent: time.agent_s, waiting: time.waiting_s, idle: time.idle_s }
  row(
    'time',
    listed(Object.entries(spans), ([who, seconds]) => `${humanDuration(seconds)} ${who}`),
  )
  const seen = Object.entries(markers).filter(([, count]) => count > 0)
  row(
    'seen',
    listed(seen, ([name, count]) => timesOf([name.replace('_', ' '), count])),
  )
  row('tools', listed(byCount(digest.tool_histogram), timesOf))
  row(
    'commands',
    listed(
      digest.commands.map(({ command, count }) => [command, count] as const),
      timesOf,
    ),
  )
  row(
    'files',
    listed(digest.files, ({ path, edits, reads }) => `${path} (${plural(edits, 'edit')}, ${plural(reads, 'read')})`),
  )
  for (const { sample, count } of digest.error_snippets.slice(0, SHOWN)) row('error', `${sample} ×${count}`)
  row('commits', digest.commits.join(', '))
  row('requests', digest.prs.join(', '))
  terminal.note(terminal.dim('--json prints the digest as it is stored'))
}

function byCount(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a)
}

function timesOf([name, count]: readonly [string, number]): string {
  return `${name} ×${count}`
}

function listed<T>(all: readonly T[], say: (one: T) => string): string {
  const more = all.length > SHOWN ? `, ${all.length - SHOWN} more` : ''
  return all.slice(0, SHOWN).map(say).join(', ') + more
}
