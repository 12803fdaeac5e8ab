import { projectName } from '../model/session.ts'
import { humanBytes, plural } from '../model/text.ts'
import type { Context } from './command.ts'
import { highlighted, printHeading, titleOf } from './sessions.ts'
import { printTable } from './table.ts'
import { localTime } from '../model/time.ts'
import { wrap } from './wrap.ts'

const SAMPLE_QUESTION = {
  demo: 'nginx does not start after the config change',
  real: 'why did the tests fail',
} as const

/** What is there, the latest of it, one answer, and what to type next. */
export async function printOverview(context: Context, kind: 'demo' | 'real'): Promise<void> {
  const { recall, terminal } = context
  const state = await recall.status()
  const count = (pick: (totals: (typeof state.sources)[number]['totals']) => number) =>
    state.sources.reduce((sum, source) => sum + pick(source.totals), 0)
  terminal.line(
    terminal.bold(
      `${plural(
        count((t) => t.sessions),
        'session',
      )}, ${plural(
        count((t) => t.prompts),
        'prompt',
      )}, ` +
        `${plural(
          count((t) => t.toolCalls),
          'tool call',
        )} in ${humanBytes(state.bytes)}`,
    ),
  )
  const { sessions } = await recall.list({ limit: 5 })
  terminal.line()
  printTable(terminal, sessions, [
    { title: 'latest', value: (s) => s.shortId.slice(0, 8) },
    { title: 'started', value: (s) => localTime(s.startedAt) },
    { title: 'title', value: titleOf, flexible: true, least: 44 },
    { title: 'project', value: projectName, flexible: true, tail: true },
    { title: 'source', value: (s) => s.flavor, spare: true },
  ])
  await printAnswer(context, SAMPLE_QUESTION[kind])
  if (kind === 'real') printNext(context, sessions[0]?.shortId.slice(0, 8) ?? '<id>')
}

async function printAnswer({ recall, terminal, now }: Context, question: string): Promise<void> {
  const hit = (await recall.search({ text: question, filter: { limit: 1 }, now: now() })).hits[0]
  if (!hit) return
  terminal.line()
  terminal.line(terminal.dim(`$ recall search "${question}" --limit 1`))
  printHeading(terminal, hit.session, [])
  const snippet = terminal.cell(highlighted(hit.snippet, terminal.yellow))
  for (const line of wrap(snippet, terminal.width - 2)) terminal.line(`  ${line}`)
}

function printNext({ terminal }: Context, id: string): void {
  terminal.line()
  terminal.line('next:')
  terminal.line('  recall search "what you remember of it"')
  terminal.line('  recall list --since 7d')
  terminal.line(`  recall show ${id} --tools`)
  terminal.line('  recall sweep          # judge each session, for outcomes, patterns and times')
  terminal.line('  recall help')
}
