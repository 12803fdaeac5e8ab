import path from 'node:path'
import { ClaudeLog, transcriptPath, uuid, write } from './claude-log.ts'
import { CodexLog, rolloutPath, threadId, TURN } from './codex-log.ts'
import { GrokEvents, GrokLog, sessionDir } from './grok-log.ts'
import { jsonl, tracePath } from './kei-trace.ts'

/** A log that no agent should write, in a home of its own or among others. `word` stands in a prompt of it. */
export interface HostileLog {
  readonly name: string
  readonly word: string
  /** True if it holds what is told as a Problem. */
  readonly odd: boolean
  /** Returns the path of its transcript. */
  write(home: string): string
}

/** Numbers that no counter can have, as they stand in the JSON; and whether that is a Problem. */
const NUMBERS: readonly (readonly [json: string, problem: boolean])[] = [
  ['9007199254740993', true],
  ['9007199254740991', false],
  ['9223372036854775807', true],
  ['18446744073709551616', true],
  ['1e308', true],
  ['1e400', true],
  ['-1e400', true],
  ['-5', true],
  ['1.5', true],
  ['1e-320', true],
  ['"12"', true],
  ['"NaN"', true],
  ['[]', true],
  ['{"a":1}', true],
  ['true', true],
  ['null', false],
]

/** Times that no session had. */
const TIMES: readonly string[] = [
  '"0001-01-01T00:00:00.000Z"',
  '"1969-12-31T23:59:59.999Z"',
  '"1999-12-31T23:59:59.999Z"',
  '"2100-01-01T00:00:00.001Z"',
  '"6025-11-18T00:00:00.000Z"',
  '"+275760-09-13T00:00:00.000Z"',
  '"-271821-04-20T00:00:00.000Z"',
  '8640000000000001',
  '1e300',
  '-1',
]

/** Names that every plain object knows. */
export const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'prototype']

const AGENTS = { claude: claudeLog, codex: codexLog, grok: grokLog, kei: keiLog } as const
type Agent = keyof typeof AGENTS

/** What stands in a log where the hostile thing goes: replaced in the text, since JSON cannot say all of it. */
const NUMBER = '@number@'
const TIME = '@time@'

interface Hostile {
  readonly number?: string
  readonly time?: string
  readonly called?: string
}

export function hostileLogs(): HostileLog[] {
  const logs: HostileLog[] = []
  let nth = 1
  for (const agent of Object.keys(AGENTS) as Agent[]) {
    const add = (name: string, hostile: Hostile, odd: boolean) => {
      const word = `heron${nth}x`
      const id = nth++
      const put = (home: string) => AGENTS[agent](home, id, word, hostile)
      logs.push({ name: `${agent}: ${name}`, word, odd, write: put })
    }
    for (const [number, odd] of agent === 'kei' ? [] : NUMBERS) add(`every number is ${number}`, { number }, odd)
    for (const time of TIMES) add(`times are ${time}`, { time }, true)
    for (const called of NAMES) add(`everything is called ${called}`, { called }, false)
  }
  return logs
}

function fill(text: string, { number = '7', time }: Hostile): string {
  const timed = time === undefined ? text : text.replaceAll(`"${TIME}"`, time)
  return timed.replaceAll(`"${NUMBER}"`, number)
}

function claudeLog(home: string, id: number, word: string, hostile: Hostile): string {
  const { called = 'plain' } = hostile
  const session = uuid(`hostile ${id}`)
  const log = new ClaudeLog(session, { cwd: `/home/sam/${called}`, gitBranch: called, version: called })
  const usage = {
    input_tokens: NUMBER,
    output_tokens: NUMBER,
    cache_creation_input_tokens: NUMBER,
    cache_read_input_tokens: NUMBER,
    cache_creation: { ephemeral_5m_input_tokens: NUMBER, ephemeral_1h_input_tokens: NUMBER },
  }
  const at = hostile.time === undefined ? {} : { timestamp: TIME }
  log.user(`the prompt of ${word}`)
  log.say('an answer', { costUSD: NUMBER, message: { model: `claude-${called}`, usage }, ...at })
  log.call('t1', 'Bash', { command: `${called} --help && sudo ${called} deploy | ${called}`, description: called })
  log.result('t1', `${called}: done`, { toolUseResult: { exitCode: NUMBER, durationMs: NUMBER } })
  log.call('t2', called, { [called]: called, file_path: `/home/sam/${called}` }).result('t2', called)
  log.call('t3', 'Edit', { file_path: `/home/sam/${called}`, old_string: called, new_string: 'b' })
  log.result('t3', `${called}: Error: ${called}`, { is_error: true, toolDenialKind: called })
  log.record({ type: 'system', subtype: 'turn_duration', durationMs: NUMBER, ...at })
  log.record({ type: called, subtype: called, content: called })
  log.record({ type: 'system', subtype: called, content: called })
  log.record({ type: 'attachment', attachment: { type: called, content: called } })
  const modelUsage = JSON.parse(`{"${called}":{"inputTokens":"${NUMBER}","outputTokens":"${NUMBER}"}}`) as object
  log.bare({ type: 'cost-state', sessionId: session, startTime: NUMBER, modelUsage, totalCostUSD: NUMBER })
  return write(transcriptPath(home, session), fill(log.text(), hostile))
}

function codexLog(home: string, id: number, word: string, hostile: Hostile): string {
  const { called = 'plain' } = hostile
  const session = threadId(1000 + id)
  const log = new CodexLog(session, { cwd: `/home/sam/${called}`, git: { branch: called }, cli_version: called })
  log.start(TURN[0]).context(`gpt-${called}`).prompt(`the prompt of ${word}`)
  log.call('c1', 'shell', { command: ['bash', '-lc', `${called} deploy`] })
  log.output(
    'c1',
    JSON.stringify({ output: called, metadata: { exit_code: 1 } }).replace('1', fill(`"${NUMBER}"`, hostile)),
  )
  log.call('c2', called, { [called]: called }).output('c2', called)
  const spent = { input_tokens: NUMBER, cached_input_tokens: NUMBER, output_tokens: NUMBER, total_tokens: NUMBER }
  log.tokens(10, 0, 5).event('token_count', { info: { total_token_usage: spent, last_token_usage: spent } })
  log.completed(
    {
      type: 'CommandExecution',
      id: 'exec-1',
      command: ['bash', '-lc', called],
      status: 'completed',
      exit_code: NUMBER,
    },
    { duration: { secs: NUMBER, nanos: NUMBER }, ...(hostile.number === undefined ? {} : { started_at_ms: NUMBER }) },
  )
  log.event(called, { message: called }).item({ type: called, role: called, content: [{ type: called }] })
  log.event('thread_rolled_back', { num_turns: NUMBER }).record(called, { type: called })
  log.say('an answer').complete(TURN[0], { duration_ms: NUMBER })
  const text = hostile.time === undefined ? log.text() : atHostileTime(log.text())
  return write(rolloutPath(home, session), fill(text, hostile))
}

/** All but the first two lines are of that time. */
function atHostileTime(text: string): string {
  const [first = '', second = '', ...rest] = text.split('\n')
  return [first, second, ...rest.map((line) => line.replace(/^\{"timestamp":"[^"]*"/, `{"timestamp":"${TIME}"`))].join(
    '\n',
  )
}

function grokLog(home: string, id: number, word: string, hostile: Hostile): string {
  const { called = 'plain' } = hostile
  const session = `019f0000-0000-7000-8000-${String(id).padStart(12, '0')}`
  const log = new GrokLog(session).prompt(`the prompt of ${word}`, { modelId: `grok-${called}` })
  const events = new GrokEvents(log).turn({ model_id: `grok-${called}`, turn_number: NUMBER })
  log.say('an answer').call('g1', 'run_terminal_command', { command: `${called} deploy` })
  log
    .result('g1', called, 1, 'failed')
    .call('g2', called, { [called]: called })
    .result('g2', called)
  log.update(called, { content: called }).update('subagent_finished', { tool_calls: NUMBER, status: called })
  const spent = { inputTokens: NUMBER, outputTokens: NUMBER, cachedReadTokens: NUMBER, costUsdTicks: NUMBER }
  const modelUsage = JSON.parse(`{"${called}":${JSON.stringify(spent)}}`) as object
  log
    .done({ elapsed_ms: NUMBER, usage: { ...spent, modelUsage } })
    .update('rewind_marker', { target_prompt_index: NUMBER })
  const timed =
    hostile.time === undefined
      ? log.text()
      : log.text().replaceAll(/("agentTimestampMs"|"timestamp"):\d+/g, `$1:"${TIME}"`)
  const dir = sessionDir(path.join(home, '.grok'), session)
  const updates = write(
    path.join(dir, 'updates.jsonl'),
    fill(timed.replaceAll('"exit_code":1', `"exit_code":"${NUMBER}"`), hostile),
  )
  events.event('permission_resolved', { tool_name: called, decision: called, wait_ms: NUMBER })
  events.event(called, { tool_name: called }).end()
  write(path.join(dir, 'events.jsonl'), fill(events.text(), hostile))
  const summary = {
    info: { id: session, cwd: `/home/sam/${called}` },
    head_branch: called,
    created_at: TIME,
    last_active_at: TIME,
  }
  write(path.join(dir, 'summary.json'), fill(JSON.stringify(summary), { time: '"2026-10-05T09:00:00Z"', ...hostile }))
  return updates
}

function keiLog(home: string, id: number, word: string, hostile: Hostile): string {
  const { called = 'plain', time } = hostile
  const ts = time === undefined ? 1_790_000_000 : TIME
  const lines = [
    { ts, kind: 'tool_use', tool: called, file_path: `/home/sam/${called}/${word}`, event_class: `tool_use:${called}` },
    { ts, kind: 'tool_result', tool: called, is_error: false, message: called },
    { ts, kind: 'tool_use', tool: 'Bash', is_error: true, message: `${called}: Error: ${called}` },
    { ts: 1_790_000_005, kind: 'other', message: `the prompt of ${word}`, event_class: called },
    { ts, kind: called, type: called, message: called },
  ]
  return write(tracePath(home, `trace-${id}`), fill(jsonl(lines), hostile))
}
