// Real agents and `recall mcp`: each lists the tools, calls every one of them, and gets answers from a session that it
// played itself a moment before. Prints what is not so; `npm run lab` runs it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { play } from './run.mjs'
import { scenarios } from './scenarios.mjs'

const RECALL = path.join(import.meta.dirname, '../bin/recall.js')
const TOOLS = ['search_memory', 'read_session', 'recent_work', 'find_solution', 'get_digest', 'record_decision']
const DECISION = 'we call the heron project bittern from now on'

/** What is asked of each tool, and what its answer must hold. */
const QUESTIONS = [
  ['search_memory', { query: 'The test fails. Mend it.' }, /"rows":\[\{"session_uid":"\w+:/],
  ['read_session', { session: 'last' }, /"who":"person"/],
  ['recent_work', { project: '/' }, /"ended_at"/],
  ['find_solution', { for: 'task', text: 'run the tests' }, /"rows":/],
  ['get_digest', { session: 'last' }, /"digest":\{"ended_at"/],
  ['record_decision', { session: 'this', text: DECISION }, /"pointer":"#decisions\.1"/],
  ['search_memory', { query: 'x', since: 'never' }, /cannot read the time/],
]

/** Grok and Claude find the tools of servers by searching for them. */
function searches(agent) {
  if (agent === 'grok') return [{ calls: [{ tool: 'search_tool', input: { query: 'past sessions memory' } }] }]
  if (agent !== 'claude') return []
  const query = `select:${TOOLS.map((name) => `mcp__lab__${name}`).join(',')}`
  return [{ calls: [{ tool: 'ToolSearch', input: { query, max_results: 10 } }] }]
}

const asksMemory = (t, { agent }) => ({
  keepBodies: true,
  steps: [{ prompt: 'What did we do about the failing test?', approve: true, mcp: true }],
  turns: [
    ...searches(agent),
    ...QUESTIONS.map(([name, input]) => ({ calls: [t.mcp(name, input)] })),
    { text: 'That is what we did.' },
  ],
})

/** What is not as it should be, in words. */
export async function checkMemory({ agent, cache, version }) {
  const home = mkdtempSync(path.join(cache, 'memory-'))
  const wrong = []
  try {
    const common = { agent, home, cache, version }
    const before = await play({ ...common, name: 'fixtest', scenario: scenarios.fixtest })
    const env = { PATH: process.env.PATH, HOME: home }
    for (const command of ['index', 'analyze'])
      if (spawnSync(process.execPath, [RECALL, command], { env }).status !== 0) wrong.push(`recall ${command} failed`)
    const truth = await play({
      ...common,
      name: 'memory',
      scenario: asksMemory,
      mcp: [process.execPath, RECALL, 'mcp'],
    })
    const told = truth.exchanges.flatMap(({ results }) => results ?? []).map((one) => JSON.stringify(one))
    const announced = JSON.stringify(truth.exchanges)
    for (const name of TOOLS) if (!announced.includes(name)) wrong.push(`${name} is not offered`)
    for (const [name, input, holds] of QUESTIONS) {
      const plain = told.map((one) => one.replaceAll('\\', ''))
      if (!plain.some((one) => holds.test(one))) wrong.push(`${name} ${JSON.stringify(input)}: no answer with ${holds}`)
    }
    const [past] = before.steps
    const [own] = truth.steps
    const found = told.map((one) => one.replaceAll('\\', '')).find((one) => /"rows":\[\{"session_uid"/.test(one)) ?? ''
    if (past.session && !found.includes(past.session)) wrong.push('the session before is not found')
    const unasked = told.filter((one) => !one.includes('decisions.1')).join()
    if (own.session && unasked.includes(own.session)) wrong.push('its own session is told')
    if (process.env.LAB_SHOW) console.log(told.join('\n---\n'))
    return wrong.map((words) => `${agent} memory · ${words}`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { agent: { type: 'string', default: 'claude,codex,grok' }, cache: { type: 'string' } },
  })
  const wrong = []
  for (const agent of values.agent.split(',')) wrong.push(...(await checkMemory({ agent, cache: values.cache })))
  console.log(wrong.length === 0 ? 'agents and their memory: all as it should be' : wrong.join('\n'))
  process.exitCode = wrong.length === 0 ? 0 : 1
}
