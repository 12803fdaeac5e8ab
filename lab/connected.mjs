// Real agents that `recall connect` has given the memory to: files that come back byte for byte, hooks that are run, the
// brief at the start, the server that is found and called, a session that goes on by our command, and the archive before
// a compaction. Prints what is not so; `npm run lab` runs it.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { program } from './agents.mjs'
import { play } from './run.mjs'
import { scenarios } from './scenarios.mjs'
import { hasTmux } from './screen.mjs'

const RECALL = path.join(import.meta.dirname, '../bin/recall.js')
const FIRST = 'The test fails. Mend it.'
const MENDED = 'The sum subtracted. It adds now.'
const ASKED = 'What did we do about the failing test?'
const WENT_ON = 'So we went on with it.'
/** Each agent at a terminal, when a session goes on there. */
const READY = { claude: /❯/, codex: /Hooks need review/, grok: /❯|>/ }
/** What an agent needs beside, or its hooks are not run, or our server asks first. */
const FLAGS = {
  claude: ['--allowedTools', 'mcp__recall Bash'],
  codex: ['--dangerously-bypass-hook-trust'],
  grok: [],
}
/** Of what `connect` sets up, each agent is called at these. Grok takes no words at the start. */
const HEARD = ['SessionStart', 'Stop']

const TOOL = {
  claude: (name, input) => ({ tool: `mcp__recall__${name}`, input }),
  codex: (name, input) => ({ tool: name, namespace: 'mcp__recall', input }),
  grok: (name, input) => ({ tool: 'use_tool', input: { tool_name: `recall__${name}`, tool_input: input } }),
}

function searches(agent) {
  if (agent === 'grok') return [{ calls: [{ tool: 'search_tool', input: { query: 'past sessions memory' } }] }]
  if (agent !== 'claude') return []
  return [{ calls: [{ tool: 'ToolSearch', input: { query: 'select:mcp__recall__search_memory' } }] }]
}

/** What somebody asked at a terminal: of what programs asked, no brief tells. */
const byHand = () => ({
  steps: [
    {
      prompt: FIRST,
      ...(hasTmux
        ? {
            async live(screen) {
              await screen.say(FIRST)
              await screen.until(MENDED)
            },
          }
        : {}),
    },
  ],
  turns: [{ text: MENDED }],
})

/** Asks the memory without a terminal, then goes on at one with what `recall resume` starts. */
const asksAndGoesOn =
  (resume) =>
  (t, { agent }) => ({
    keepBodies: true,
    steps: [{ prompt: ASKED, approve: agent !== 'claude', flags: FLAGS[agent] }, ...(hasTmux ? [resume] : [])],
    turns: [
      // Servers are started beside the conversation, and on a busy machine come a little later.
      { calls: [t.sh('sleep 4')] },
      ...searches(agent),
      { calls: [TOOL[agent]('search_memory', { query: FIRST })] },
      { text: 'We mended the sum.' },
      ...(hasTmux ? [{ text: WENT_ON }] : []),
    ],
  })

/** Others have no place yet that `recall connect` knows. */
export const canConnect = (agent) => Object.hasOwn(TOOL, agent)

/** What is not as it should be, in words. */
export async function checkConnected({ agent, cache, version }) {
  const home = mkdtempSync(path.join(cache, 'connected-'))
  const wrong = []
  const bin = program(agent, { cache, version })
  const env = { PATH: `${path.dirname(path.resolve(bin))}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8' }
  const cwd = path.join(home, 'work', 'adding')
  mkdirSync(cwd, { recursive: true })
  const recall = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [RECALL, ...args], { cwd, env, encoding: 'utf8' })
    if (status !== 0) wrong.push(`recall ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }
  try {
    const common = { agent, home, cache, version }
    const before = await play({ ...common, name: 'byhand', scenario: byHand, cwd })
    trust(agent, home, cwd)
    recall('index')
    recall('analyze')
    const brief = briefWords(recall('brief'))

    const all = ['connect', agent, '--hooks', '--brief', '--skill', '--yes']
    const files = filesIn(home)
    recall(...all)
    const connected = filesIn(home)
    if (same(files, connected)) wrong.push('connect has written nothing')
    recall('connect', agent, '--remove', '--yes')
    for (const name of differing(files, filesIn(home))) wrong.push(`after --remove ${name} is not what it was`)
    recall(...all)
    for (const name of differing(connected, filesIn(home))) wrong.push(`connected again, ${name} is another`)

    const [past] = before.steps
    const resume = {
      prompt: 'Go on.',
      resume: true,
      // The shell of a terminal may set a path of its own.
      command(session) {
        recall('index')
        return ['env', `PATH=${env.PATH}`, process.execPath, RECALL, 'resume', session]
      },
      ready: READY[agent],
      async live(screen) {
        if (agent === 'codex') {
          // It trusts hooks at a terminal alone.
          await screen.reach(/› 2\. Trust all/, 'Down')
          await screen.press('Enter')
          await screen.until(/^›(?! \d\.)/m)
        }
        await screen.say('Go on.')
        await screen.until(WENT_ON)
      },
    }
    const truth = await play({
      ...common,
      name: 'connected',
      scenario: asksAndGoesOn(resume),
      cwd,
      env: { PATH: env.PATH },
    })
    const requests = readFileSync(path.join(home, 'lab/requests', `${agent}-connected.jsonl`), 'utf8')
    const told = truth.exchanges.flatMap(({ results }) => results ?? []).map((one) => JSON.stringify(one))
    const plain = told.map((one) => one.replaceAll('\\', ''))
    if (!plain.some((one) => one.includes('"rows":[{"session_uid"') && one.includes(past.session)))
      wrong.push('the server that was registered does not find the session before')

    // Grok passes over what hooks say at the start, so none of that is set up there.
    const isBriefed = firstBody(requests).includes(brief)
    if (isBriefed !== (agent !== 'grok'))
      wrong.push(isBriefed ? 'it was briefed' : 'the brief is not in the conversation')

    const [own] = truth.steps
    const heard = queued(home, own.session)
    for (const event of HEARD)
      if (!heard.some((entry) => isEvent(entry, event)))
        wrong.push(`no hook was run at ${event}: ${JSON.stringify(heard)}`)
    const twice = heard.filter((entry, i) => heard.findIndex((one) => sameCall(one, entry)) !== i)
    if (twice.length > 0) wrong.push(`told twice: ${JSON.stringify(twice[0])}`)

    if (hasTmux) {
      const last = truth.exchanges.findLast(({ turn }) => turn?.text === WENT_ON)
      if (last === undefined) wrong.push('recall resume did not go on')
      else if (!bodyOf(requests, WENT_ON).includes('We mended the sum.'))
        wrong.push('what went on knows nothing of before')
      recall('index')
      const shown = recall('show', own.session, '--json')
      if (!shown.includes(WENT_ON)) wrong.push('what was said after recall resume is not in that session')
    }

    if (agent === 'claude') wrong.push(...(await checkArchive(common, env, recall)))
    recall('connect', agent, '--remove', '--yes')
    for (const [name, text] of Object.entries(filesIn(home)))
      if (
        /^\.(claude|codex|grok)/.test(name) &&
        !/\.(jsonl|sqlite|db|log)/.test(name) &&
        isSettings(name) &&
        text.includes('recall.js')
      )
        wrong.push(`after --remove ${name} still names recall`)
    return wrong.map((words) => `${agent} connected · ${words}`)
  } finally {
    endDaemons(home)
    if (process.env.LAB_KEEP) console.log(`kept ${home}`)
    else rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** Codex leaves servers of its own behind at a terminal: those that were started from this home. */
function endDaemons(home) {
  if (!existsSync('/proc/self/cmdline')) return
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(path.resolve(home))) process.kill(Number(pid))
    } catch {
      // It is over already, or somebody else's.
    }
  }
}

/** As somebody has said at a terminal before. */
function trust(agent, home, cwd) {
  if (agent !== 'codex') return
  appendFileSync(
    path.join(home, '.codex/config.toml'),
    `\n[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`,
  )
}

/** As in a container: the agent lives where the instructions are those of a group. */
async function checkArchive(common, env, recall) {
  const { home } = common
  recall('group', 'add', 'main', '--yes')
  const cwd = path.join(home, 'work', 'group')
  mkdirSync(cwd, { recursive: true })
  cpSync(path.join(home, '.local/share/recall/groups/main/CLAUDE.md'), path.join(cwd, 'CLAUDE.md'))
  await play({ ...common, name: 'compact', scenario: scenarios.compact, cwd, env: { PATH: env.PATH } })
  const dir = path.join(cwd, 'conversations')
  const archives = existsSync(dir) ? readdirSync(dir) : []
  const [name = ''] = archives
  if (archives.length !== 1 || !/^\d{4}-\d\d-\d\d-[\w-]+\.md$/.test(name))
    return [`archives before a compaction: ${archives.join(', ') || 'none'}`]
  const text = readFileSync(path.join(dir, name), 'utf8')
  const isWhole =
    /^# .+\n\nArchived: \w{3} \d+, \d+:\d\d [AP]M\n\n---\n\n/.test(text) &&
    text.includes('**User**: Remember that the key is under the mat.')
  return isWhole ? [] : [`the archive before a compaction says ${text.slice(0, 300)}`]
}

const SETTINGS =
  /^\.(claude\.json|claude\/(settings\.json|skills\/)|codex\/(config\.toml|hooks\.json|skills\/)|grok\/(config\.toml|hooks\/|skills\/)|agents\/)/
const isSettings = (name) => SETTINGS.test(name)

/** Every file below a home but those of recall and the lab, with its bytes and mode. */
function filesIn(home) {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(\.local|\.config\/recall|lab|work)(\/|$)/.test(name),
  )
  return Object.fromEntries(
    names.flatMap((name) => {
      const place = path.join(home, name)
      const stat = statSync(place, { throwIfNoEntry: false })
      if (stat === undefined) return []
      return [[name, `${stat.mode.toString(8)} ${stat.isFile() ? readFileSync(place, 'latin1') : ''}`]]
    }),
  )
}

const differing = (a, b) => [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name])
const same = (a, b) => differing(a, b).length === 0

/** What the hooks of a session have put into the queue. */
function queued(home, session) {
  const dir = path.join(home, '.local/share/recall/queue')
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(path.join(dir, name), 'utf8')))
    .filter((entry) => JSON.stringify(entry).includes(session))
}

const letters = (words) =>
  String(words ?? '')
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()
const isEvent = (entry, event) => letters(JSON.stringify(entry.event ?? entry)).includes(letters(event))
const sameCall = (a, b) => a.agent === b.agent && a.event === b.event && a.at === b.at

const lines = (requests) =>
  requests
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const firstBody = (requests) =>
  JSON.stringify(lines(requests).find(({ kind }) => kind === 'turn')?.body ?? '')
    .replaceAll('\\n', '\n')
    .replaceAll('\\', '')
const bodyOf = (requests, answer) =>
  JSON.stringify(lines(requests).findLast(({ turn }) => turn?.text === answer)?.body ?? '')
/** A line of the brief by which it can be told. */
const briefWords = (text) =>
  text
    .split('\n')
    .find((line) => line.length > 30)
    ?.replaceAll('\\', '')
    .slice(0, 60) ?? 'no brief'

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      agent: { type: 'string', default: 'claude,codex,grok' },
      cache: { type: 'string', default: process.env.LAB_CACHE },
    },
  })
  const wrong = []
  for (const agent of values.agent.split(',')) wrong.push(...(await checkConnected({ agent, cache: values.cache })))
  console.log(wrong.length === 0 ? 'agents that were connected: all as it should be' : wrong.join('\n'))
  process.exitCode = wrong.length === 0 ? 0 : 1
}
