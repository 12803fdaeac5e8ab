import path from 'node:path'
import { ClaudeLog, subagentPath, transcriptPath, uuid, write } from './claude-log.ts'
import { CodexLog, rolloutPath, threadId, TURN } from './codex-log.ts'
import { CWD, GrokLog, jsonLines, sessionDir } from './grok-log.ts'
import { jsonl, tracePath } from './kei-trace.ts'
import { samples, type Sample } from './secrets.ts'

/** A secret in a field of a log, beside a word that is no secret and shows whether the field is kept at all. */
export interface Planted {
  readonly field: string
  readonly kind: string
  readonly secret: string
  readonly marker: string
  readonly kept: boolean
}

/** Hands out secrets of one kind after the other, each with a text to put into a field. */
class Planter {
  readonly planted: Planted[] = []
  readonly #any = everyKind(1000, () => true)
  readonly #short = everyKind(500_000, ([, secret]) => secret.length < 90 && !secret.includes('\n'))
  readonly #bare = everyKind(
    900_000,
    ([, secret, before = '', after = '']) => before + after === '' && /^[\w.-]{12,90}$/.test(secret),
  )

  /** Text of any shape. */
  text(field: string, kept = true): string {
    return this.#plant(field, this.#any, kept, ' ')
  }

  /** A line that fits where logs cut what is long. */
  line(field: string): string {
    return this.#plant(field, this.#short, true, ' ').replaceAll('\n', ' ')
  }

  /** A part of a path or of a name. */
  name(field: string, kept = true): string {
    return this.#plant(field, this.#bare, kept, '/')
  }

  #plant(field: string, from: Iterator<Sample>, kept: boolean, gap: string): string {
    const [kind, secret, before = '', after = ''] = from.next().value as Sample
    const marker = `marker${String(this.planted.length).padStart(4, '0')}`
    this.planted.push({ field, kind, secret, marker, kept })
    return `${marker}${gap}${before}${secret}${after}`
  }
}

function* everyKind(first: number, fits: (sample: Sample) => boolean): Generator<Sample> {
  for (let seed = first; ; seed += 7) yield* samples(seed).filter(fits)
}

const ROUNDS = 6

/** Sessions of every agent with secrets in every field that they have. */
export function writeSeededHome(home: string): readonly Planted[] {
  const planter = new Planter()
  for (let round = 0; round < ROUNDS; round++) {
    plantClaude(home, planter, round)
    plantCodex(home, planter, round)
    plantGrok(home, planter, round)
    plantKei(home, planter, round)
  }
  return planter.planted
}

function plantClaude(home: string, p: Planter, round: number): void {
  const session = uuid(`seeded ${round}`)
  const cwd = `/home/sam/${p.name('claude cwd')}`
  const log = new ClaudeLog(session, { cwd, gitBranch: `fix/${p.name('claude branch')}` })
  log.user(p.line('claude prompt')).think(p.text('claude thinking')).say(p.text('claude answer'))
  log.user([
    { type: 'text', text: p.text('claude prompt of blocks') },
    { type: 'image', source: {} },
  ])
  log.call('t1', 'Bash', { command: `echo ${p.text('claude command')}`, description: p.line('claude description') })
  log.result('t1', p.text('claude result'))
  const content = `${p.text('claude file content')}\n${'x '.repeat(2000)}${p.text('claude end of a long input')}`
  log.call('t2', 'Write', { file_path: `/home/sam/${p.name('claude file path')}/a.ts`, content })
  log.result('t2', p.text('claude error'), { is_error: true })
  log.call('t3', 'mcp__x__y', { deep: [{ list: [p.text('claude nested input')] }], [p.name('claude key of input')]: 1 })
  log.result('t3', [{ type: 'text', text: p.text('claude result of blocks') }])
  log.record({ type: 'system', subtype: 'local_command', content: p.text('claude local command') })
  log.record({ type: 'system', subtype: 'api_error', error: { message: p.line('claude API error') } })
  log.record({
    type: 'system',
    subtype: `of tomorrow ${p.name('claude unknown subtype')}`,
    content: p.text('claude unknown'),
  })
  log.record({ type: 'tomorrow', content: p.text('claude unknown record', false) })
  log.record({
    type: 'attachment',
    attachment: { type: 'queued_command', commandMode: 'prompt', prompt: p.text('claude queued prompt') },
  })
  log.bare({
    type: 'queue-operation',
    operation: 'enqueue',
    content: p.text('claude queue', false),
    sessionId: session,
  })
  log.bare({ type: 'custom-title', customTitle: p.line('claude custom title'), sessionId: session })
  log.bare({ type: 'ai-title', aiTitle: p.text('claude title', false), sessionId: session })
  log.bare({ type: 'summary', summary: p.line('claude summary'), leafUuid: log.records[0]?.['uuid'] })
  log.bare({ type: 'pr-link', prUrl: `https://forge.test/${p.name('claude pull request')}/1`, sessionId: session })
  const broken = `{"type":"user","message":{"content":"${p.name('claude broken line', false)}\n`
  const torn = `{"type":"user","message":{"content":"${p.name('claude torn line', false)}`
  write(transcriptPath(home, session), log.text() + broken + torn)
  const agent = new ClaudeLog(session, { agentId: 'a1', isSidechain: true })
  agent.user(p.text('claude subagent prompt')).say(p.text('claude subagent answer'))
  write(subagentPath(home, session, 'a1'), agent.text())
  const lost = {
    display: p.line('claude prompt log'),
    timestamp: 1,
    project: `/x/${p.name('claude project')}`,
    sessionId: uuid(`lost ${round}`),
  }
  if (round === 0) write(path.join(home, '.claude', 'history.jsonl'), jsonl([lost]))
  else p.planted.splice(-2, 2)
}

function plantCodex(home: string, p: Planter, round: number): void {
  const log = new CodexLog(threadId(round + 1), {
    cwd: `/home/sam/${p.name('codex cwd')}`,
    git: {
      branch: `fix/${p.name('codex branch')}`,
      repository_url: `https://forge.test/${p.name('codex repository', false)}`,
    },
    instructions: p.text('codex instructions', false),
  })
  log.start(TURN[0]).context()
  log.injected(`<environment_context>${p.text('codex environment')}</environment_context>`)
  log.prompt(p.line('codex prompt')).think(p.text('codex thinking')).say(p.text('codex answer'))
  log.item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: p.text('codex developer') }] })
  log.call('c1', 'shell', { command: ['bash', '-lc', `echo ${p.text('codex command')}`], workdir: '/x' })
  log.output('c1', JSON.stringify({ output: p.text('codex result'), metadata: { exit_code: 0 } }))
  log.call('c2', 'exec_command', { cmd: p.text('codex exec') }).output('c2', p.text('codex plain result'))
  log.item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'c3', input: p.text('codex patch') })
  log.item({ type: 'custom_tool_call_output', call_id: 'c3', output: p.text('codex patch result') })
  log.call('c4', 'shell', { command: ['psql', '--password', 'x'] })
  log.output('c4', JSON.stringify({ output: p.text('codex error'), metadata: { exit_code: 1 } }))
  log.event('error', { message: p.text('codex error event', false) })
  log.event('of_tomorrow', { message: p.text('codex unknown event', false) })
  log.record('compacted', { message: p.text('codex summary', false) })
  log.tokens(10, 0, 5).complete(TURN[0], { last_agent_message: p.text('codex last message', false) })
  const broken = `{"timestamp":"2026","payload":{"text":"${p.name('codex broken line', false)}\n`
  write(rolloutPath(home, log.session), log.text() + broken)
}

function plantGrok(home: string, p: Planter, round: number): void {
  const session = `019f0000-0000-7000-8000-00000000001${round}`
  const log = new GrokLog(session)
    .prompt(p.line('grok prompt'))
    .think(p.text('grok thinking'))
    .say(p.text('grok answer'))
  log.call('c1', 'run_terminal_command', { command: `echo ${p.text('grok command')}` })
  log.progress('c1', p.text('grok progress', false)).result('c1', p.text('grok result'))
  log.call('c2', 'write', { file_path: `/home/sam/${p.name('grok file path')}`, content: p.text('grok content') })
  log.result('c2', p.text('grok error'), 1, 'failed')
  log.update('plan', { entries: [{ content: p.text('grok plan', false), status: 'pending' }] })
  log.update('of_tomorrow', { note: p.text('grok unknown', false) }).done()
  const dir = sessionDir(path.join(home, '.grok'), session)
  write(path.join(dir, 'updates.jsonl'), `${log.text()}{"params":"${p.name('grok broken line', false)}\n`)
  const summary = {
    info: { id: session, cwd: `${CWD}/${p.name('grok cwd')}` },
    generated_title: p.line('grok title'),
    session_summary: p.text('grok summary', false),
    head_branch: p.name('grok branch'),
  }
  write(path.join(dir, 'summary.json'), JSON.stringify(summary))
  const prompt = {
    session_id: `019f0000-0000-7000-8000-00000000002${round}`,
    prompt: p.line('grok prompt log'),
    timestamp: 1,
  }
  if (round === 0) write(path.join(path.dirname(dir), 'prompt_history.jsonl'), jsonLines([prompt]))
  else p.planted.splice(-1, 1)
}

function plantKei(home: string, p: Planter, round: number): void {
  const lines = [
    {
      ts: 1700000000,
      kind: 'tool_use',
      tool: 'Read',
      file_path: `/a/${p.name('kei file path')}`,
      event_class: 'tool_use:Read',
    },
    { ts: 1700000001, kind: 'tool_result', tool: 'Read', is_error: false, message: p.text('kei result') },
    { ts: 1700000002, kind: 'tool_use', tool: 'Bash', is_error: true, message: p.text('kei error') },
    { ts: 1700000003, kind: 'other', message: p.text('kei remark'), event_class: 'user_correction' },
    { ts: 1700000004, kind: 'other', message: 'x', event_class: p.name('kei label') },
    { ts: 1700000005, kind: 'tool_use', tool: p.name('kei tool'), message: 'x' },
  ]
  write(tracePath(home, `flat${round}`), `${jsonl(lines)}{"kind":"${p.name('kei broken line', false)}\n`)
}
