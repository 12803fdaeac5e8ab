#!/usr/bin/env node
// Compares what recall tells about a home of the lab with what is true: one line for each difference.
// usage: node check.mjs --home DIR --data DIR [--recall /path/to/bin/recall.js]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nameRoots } from './roots.mjs'
import { undocumented } from './types.mjs'

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    data: { type: 'string' },
    recall: { type: 'string', default: 'recall' },
    verbose: { type: 'boolean' },
  },
})
const CALLS = new Set(['tool_call', 'edit', 'test_run', 'retry'])
const RESULTS = new Set(['tool_result', 'error'])
/** What a command was said to be for, and how it was to be run. */
const NOT_SHOWN = new Set(['description', 'justification', 'sandbox_permissions'])
/** What agents tell the model of a call that failed, was broken off or goes on in the background, in words of their own. */
const INVENTED =
  /^aborted$|^Command was moved to the background because the user sent|^Path \S+ does not exist\. Please provide a valid path\.$|^\[Tool result missing due to internal error\]$|^Tool execution was cancelled by the user \(tool|^<task-id>/
const home = resolve(values.home)
const data = resolve(values.data)

function recall(...args) {
  const [command, ...rest] = values.recall.endsWith('.js') ? [process.execPath, values.recall] : [values.recall]
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    XDG_DATA_HOME: join(data, 'data'),
    XDG_CONFIG_HOME: join(data, 'config'),
    XDG_CACHE_HOME: join(data, 'cache'),
    XDG_STATE_HOME: join(data, 'state'),
  }
  return JSON.parse(execFileSync(command, [...rest, ...args, '--json'], { env, maxBuffer: 1 << 30, encoding: 'utf8' }))
}

nameRoots(home, join(data, 'config'))
recall('index')
const truths = readFileSync(join(home, 'lab/truth.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const sessions = new Map(recall('list', '--limit', '0', '--hidden', '--empty').sessions.map((s) => [s.session_uid, s]))
const tokens = new Map(recall('stats', 'tokens', '--by', 'session', '--limit', '0').rows.map((row) => [row.key, row]))
const eventsOf = (uid) => recall('show', uid, '--events', '--payloads', '--limit', '0').events

let differences = 0
let compared = 0
for (const truth of truths) {
  for (const id of new Set(truth.steps.map((s) => s.session))) checkSession(truth, id)
}
for (const { source, type, level, count } of recall('status').problems)
  differ('status', 'problem', `${count}× ${level} ${source} ${type}`)
for (const type of undocumented(home)) differ('docs/formats', 'record', `says nothing of ${type}`)
console.log(`${truths.length} scenarios, ${compared} comparisons, ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

function checkSession(truth, id) {
  const where = `${truth.agent} ${truth.scenario} ${id?.slice(0, 13)}`
  const uid = `${truth.agent}:${id}`
  if (truth.steps.some((s) => s.deleted)) return
  const own = truth.steps.map((s, i) => ({ ...s, i })).filter((s) => s.session === id)
  if (!sessions.has(uid) && truth.agent === 'pi' && isKilled(truth, own)) return
  if (!sessions.has(uid)) return differ(where, 'session', 'is not there')
  const exchanges = truth.exchanges.filter((e) => own.some((s) => s.i === e.step))
  const turns = exchanges.filter((e) => e.kind === 'turn' && e.outcome !== 'error')
  const children = helpersOf(uid, new Set(truth.steps.map((step) => `${truth.agent}:${step.session}`)))
  const events = [uid, ...children.map((s) => s.session_uid)].flatMap(eventsOf)
  const current = events.filter((e) => !e.superseded)
  const told = (kinds) => current.filter((e) => kinds.has(e.kind)).map((e) => e.payload ?? e.summary)

  // A fork shows what it was forked from, too: the conversation, not what its helpers said, and of Claude what came
  // after the last compaction.
  const before = own[0].forked ? own[0].i : 0
  const compacted = (i) => truth.exchanges.some((e) => e.step === i && e.turn?.summary)
  const since = truth.agent === 'claude' ? truth.steps.findLastIndex((_, i) => i < before && compacted(i)) + 1 : 0
  const inherited = truth.exchanges.filter((e) => e.step >= since && e.step < before && e.thread === 'main')
  const all = [...inherited, ...turns].filter((e) => e.kind === 'turn' && e.outcome !== 'error')
  const shown = all.filter((e) => e.outcome === 'streamed' && !e.turn.summary && !e.turn.gone)
  const steps = truth.steps
    .map((s, i) => ({ ...s, i }))
    .filter(({ i }) => (i >= since && i < before) || own.some((s) => s.i === i))
  const answers = new Set(truth.exchanges.map((e) => e.turn?.text))
  const said = (s) => s.spoken?.filter((words) => !answers.has(words)) ?? [s.prompt]
  const prompts = steps.flatMap(said).filter((prompt) => !/^\/\S+$/.test(prompt))
  same(
    where,
    'prompts',
    prompts,
    current.filter((e) => e.kind === 'user_msg' && e.human).map((e) => e.payload),
  )
  // Whether an answer that was cut off or a summary is logged as words of the model is the agent's choice.
  const cut = all.filter((e) => e.outcome === 'cut' || e.turn.summary)
  // So is how much of what came before a compaction it copies into a fork.
  const loose = [...cut, ...truth.exchanges.filter((e) => e.step < since && e.turn?.text)].map((e) => e.turn.text)
  const isLoose = (text) => loose.some((words) => words.startsWith(text.trim()))
  same(
    where,
    'texts',
    shown.map((e) => e.turn.text).filter(Boolean),
    told(new Set(['assistant_msg'])).filter((text) => !isLoose(text)),
  )
  same(where, 'thinking', shown.map((e) => e.turn.think).filter(Boolean), told(new Set(['thinking'])))
  inOrder(where, 'order', conversation(steps, shown), spoken(uid, current, isLoose))

  const calls = all
    .filter((e) => !e.turn.gone)
    .flatMap((e) => [
      ...(e.turn.search ? [{ tool: 'web_search', input: { query: e.turn.search } }] : []),
      ...(e.turn.calls ?? []),
    ])
  same(
    where,
    'tools',
    [...own.flatMap((s) => s.ran ?? []), ...calls.flatMap((c) => (c.inner?.length ? c.inner : [realName(c)]))],
    current.filter((e) => CALLS.has(e.kind)).map((e) => e.tool),
  )
  const inputs = told(CALLS).join('\n')
  for (const call of calls) {
    // Of a program only the calls in it are told, of a command not what it was said to be for.
    const said = call.inner
      ? []
      : (call.raw ??
        Object.entries(call.input).flatMap(([key, value]) =>
          !NOT_SHOWN.has(key) && typeof value === 'string' ? value : [],
        ))
    for (const word of [said].flat().map(hide))
      if (!inputs.includes(word) && !inputs.includes(JSON.stringify(word).slice(1, -1)))
        differ(where, 'input', `of ${call.tool} is not told: ${word.slice(0, 120)}`)
  }
  const results = squeeze(told(RESULTS).join('\n'))
  for (const r of exchanges.filter((e) => !e.turn?.gone).flatMap((e) => e.results ?? [])) {
    const text = squeeze(withoutHeader(r.text))
    if (r.id && text && !INVENTED.test(text) && !results.includes(text.slice(0, 300)))
      differ(where, 'result', `${r.id} is not told: ${JSON.stringify(text.slice(0, 160))}`)
  }
  const failed = current.filter((e) => e.kind === 'error' && e.role === 'tool').length
  if ((truth.failures ?? failed) !== failed) differ(where, 'failures', `${failed} told, ${truth.failures} calls failed`)
  const wasKilled = isKilled(truth, own)
  if (!wasKilled) checkTokens(where, [uid, ...children.map((s) => s.session_uid)], exchanges, truth.agent)

  const models = [...new Set(turns.map((e) => e.model))]
  if (turns.length && !models.includes(sessions.get(uid).model))
    differ(where, 'model', `${sessions.get(uid).model}, not ${models}`)
  const interrupted = steps.some((s) => s.interrupted)
  if (own.some((s) => s.interrupted) && !wasKilled && !events.some((e) => e.kind === 'human_intervention'))
    differ(where, 'interrupt', 'is not told')
  if (!interrupted && events.some((e) => e.kind === 'human_intervention'))
    differ(
      where,
      'interrupt',
      `told, but there was none: ${events.find((e) => e.kind === 'human_intervention').summary}`,
    )
  if (turns.length === 0 && !events.some((e) => e.kind === 'error'))
    differ(where, 'error', 'of the service is not told')
}

/** What was in the making when it was killed, and that it was, OpenCode (docs/formats/opencode.md) and Pi write down nowhere. */
function isKilled({ agent }, steps) {
  return (agent === 'opencode' || agent === 'pi') && steps.some((s) => s.interrupted && s.signal === 'SIGINT')
}

/** Sessions that one started, and those started by them. */
function helpersOf(uid, told) {
  const own = [...sessions.values()].filter((s) => s.parent_uid === uid && !told.has(s.session_uid))
  return own.flatMap((s) => [s, ...helpersOf(s.session_uid, told)])
}

/** What was said on the main thread, in its order. */
function conversation(steps, shown) {
  return steps.flatMap(
    ({ i, prompt, spoken }) =>
      spoken ?? [
        ...(/^\/\S+$/.test(prompt) ? [] : [prompt]),
        ...shown.filter((e) => e.step === i && e.thread === 'main').flatMap((e) => e.turn.text || []),
      ],
  )
}

function spoken(uid, events, isLoose) {
  const isSaid = (e) => (e.kind === 'user_msg' ? e.human : e.kind === 'assistant_msg' && !isLoose(e.payload ?? ''))
  const said = new Set(events.filter(isSaid).map((e) => (e.payload ?? '').trim()))
  const read = recall('show', uid, '--limit', '0').messages
  return read.map(({ content }) => content ?? '').filter((text) => said.has(text.trim()))
}

function inOrder(where, what, expected, got) {
  compared += 1
  const [a, b] = [expected.map(hide), got.map(hide)]
  const at = a.findIndex((text, i) => text !== b[i])
  if (a.length !== b.length || at !== -1)
    differ(where, what, `at ${at}: ${show([a[at] ?? ''])}, told ${show([b[at] ?? ''])}`)
}

/** What a call of a server's tool is a call of, however the agent spells it. */
function realName({ tool, namespace, input }) {
  if (tool === 'use_tool') return input.tool_name
  if (/^lab-(?:echo|fail)$/.test(tool)) return tool.replace('lab-', 'mcp__lab__')
  return namespace?.startsWith('mcp__') ? `${namespace}__${tool}` : tool
}

/** Each response has numbers of its own, so equal sums mean that each was counted once. */
function checkTokens(where, uids, exchanges, agent) {
  if (exchanges.some((e) => e.outcome === 'cut')) return
  const rows = uids.map((uid) => tokens.get(uid)).filter(Boolean)
  // What Grok's compactions cost is in no log: docs/formats/grok.md.
  const untold = (e) => agent === 'grok' && e.turn.summary
  const billed = exchanges.filter((e) => e.outcome === 'streamed' && e.kind === 'turn' && !untold(e))
  const sum = (list, field) => list.reduce((total, item) => total + (item[field] ?? 0), 0)
  const expected = {
    input: sum(
      billed.map((e) => e.usage),
      'input',
    ),
    cache_read: sum(
      billed.map((e) => e.usage),
      'cacheRead',
    ),
    output: sum(
      billed.map((e) => e.usage),
      'output',
    ),
  }
  // One of the two is told by the service, depending on its language.
  if (agent === 'claude' || agent === 'copilot' || exchanges.some((e) => e.path?.endsWith('/messages')))
    expected.cache_write_5m = sum(
      billed.map((e) => e.usage),
      'cacheWrite',
    )
  else
    expected.reasoning = sum(
      billed.map((e) => e.usage),
      'reasoning',
    )
  for (const [field, value] of Object.entries(expected)) {
    compared += 1
    if (sum(rows, field) !== value) differ(where, 'tokens', `${field} ${sum(rows, field)}, not ${value}`)
  }
}

function same(where, what, expected, got) {
  compared += 1
  // Helpers work at the same time as their parents, so the order is not fixed.
  const a = expected.map(hide).sort()
  const b = got.map((text) => hide(text ?? '')).sort()
  if (JSON.stringify(a) === JSON.stringify(b)) return
  const missing = a.filter((x) => !b.includes(x))
  const extra = b.filter((x) => !a.includes(x))
  differ(where, what, `${a.length} expected, ${b.length} told; missing ${show(missing)} extra ${show(extra)}`)
}

// What Codex says about a run before its output, and Claude Code instead of one that is too long.
function withoutHeader(text) {
  if (text.startsWith('<persisted-output>')) return text.match(/Preview \(first .*\):\n([\s\S]{0,500})/)?.[1] ?? ''
  const told = text.replace(/\n?<shellId: \d+ completed with exit code -?\d+>\s*$/, '')
  return told.replace(/^(?:Chunk ID|Exit code|Wall time|Script (?:completed|failed))[\s\S]*?Output:\n/, '')
}

// Secrets are taken out on purpose, and ends of lines are nobody's words.
function hide(text) {
  return text
    .replace(/ghp_\w+/g, '[REDACTED:github-token]')
    .replace(/AKIA\w+/g, '[REDACTED:aws-access-key-id]')
    .trim()
}
function squeeze(text) {
  return hide(text).replace(/\s+/g, ' ')
}
function show(list) {
  return JSON.stringify(list.map((text) => text.slice(0, 100))).slice(0, 500)
}

function differ(where, what, text) {
  differences += 1
  console.log(`${where} · ${what}: ${text}`)
}
