#!/usr/bin/env node
// How does an agent compare a rule with a command? Asks the real ones, with rules in their settings.
//   node rules.mjs --home DIR [--agent NAME] [--reads claude] [--out FILE]
// `--agent grok --reads claude`: Grok, with the rules in the settings of Claude Code, which it reads, too.
// Without --out all is tried, and test/fixtures/rule-cases.json written.
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agents } from './agents.mjs'
import { askAgent } from './ask.mjs'
import { play } from './run.mjs'
import { commands, names, rules } from './rule-cases.mjs'

const FIXTURE = new URL('../test/fixtures/rule-cases.json', import.meta.url)
const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    agent: { type: 'string' },
    reads: { type: 'string' },
    out: { type: 'string' },
    cache: { type: 'string', default: process.env.LAB_CACHE ?? join(tmpdir(), 'agent-lab') },
  },
})

if (values.agent) {
  const found = await tried(resolve(values.home), values.agent, values.reads ?? values.agent)
  writeFileSync(values.out ?? '/dev/stdout', `${JSON.stringify(found)}\n`)
} else {
  const found = []
  for (const [agent, reads] of [
    ['claude', 'claude'],
    ['codex', 'codex'],
    ['grok', 'grok'],
    ['grok', 'claude'],
  ])
    found.push(await tried(join(resolve(values.home), `${agent}-${reads}`), agent, reads))
  writeFileSync(FIXTURE, `${JSON.stringify(found)}\n`)
}

/** @returns what was run unasked, and what was asked about. */
async function tried(home, agent, reads) {
  const cwd = join(home, 'work', `${agent}-asked`)
  // One ordinary run first: it makes the project and the settings.
  await play({
    agent,
    name: 'asked',
    home,
    cwd,
    cache: values.cache,
    scenario: () => ({ steps: [{ prompt: 'Hello' }], turns: [{ text: 'Hello.' }] }),
  })
  const list = rules[reads]
  write(home, reads, list)
  const rows = await askAgent(agent, commands, { home, cache: values.cache, names, outsideOnly: true })
  // What the tool itself refuses was neither asked about nor run.
  const of = (asked) => rows.filter((row) => row.asked === asked && !row.refused).map((row) => row.command)
  const { version } = agents[agent]
  return {
    agent,
    version,
    reads,
    on: new Date().toISOString().slice(0, 10),
    rules: list,
    ran: of(false),
    asked: of(true),
  }
}

function write(home, agent, list) {
  const [file, text] = {
    claude: ['.claude/settings.json', JSON.stringify({ permissions: { allow: list } })],
    codex: [
      '.codex/rules/recall.rules',
      `${list.join('\n')}\nhost_executable(name="probe", paths=["/usr/bin/probe", "/bin/probe"])\n`,
    ],
    grok: ['.grok/config.toml', `\n[permission]\nallow = ${JSON.stringify(list)}\n`],
  }[agent]
  const path = join(home, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: agent === 'grok' ? 'a' : 'w' })
}
