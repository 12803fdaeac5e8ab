#!/usr/bin/env node
// Which commands does an agent run without asking anybody, when no rule says so? Asks the real ones.
//   node never-asked.mjs --home DIR                        all agents; writes ../src/sources/kit/tried-commands.ts
//   node never-asked.mjs --home DIR --agent NAME [--version V] [--only COMMAND] [--out FILE]   one of them; writes rows
//   node never-asked.mjs --from FILE,FILE                  the same table from such rows
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agents } from './agents.mjs'
import { askAgent } from './ask.mjs'
import { commands } from './commands.mjs'

const TABLE = new URL('../src/sources/kit/tried-commands.ts', import.meta.url)
/** What the table tells of; the first of each agent is the oldest. */
const TRIED = [
  { agent: 'claude', version: '2.1.197' },
  { agent: 'claude', version: agents.claude.version },
  { agent: 'codex', version: agents.codex.version },
  { agent: 'grok', version: agents.grok.version },
]
const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    agent: { type: 'string' },
    version: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string' },
    cache: { type: 'string', default: process.env.LAB_CACHE ?? join(tmpdir(), 'agent-lab') },
  },
})
const home = resolve(values.home ?? '.')
const all = values.only ? [values.only] : commands
const ask = (agent, version) => askAgent(agent, all, { home, cache: values.cache, version })

if (values.from) {
  writeTable(values.from.split(',').flatMap((file) => JSON.parse(readFileSync(file, 'utf8'))))
} else if (values.agent) {
  const rows = await ask(values.agent, values.version)
  const text = `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`
  if (values.out) writeFileSync(values.out, text)
  else process.stdout.write(text)
} else {
  const rows = []
  for (const { agent, version } of TRIED) {
    rows.push(...(await ask(agent, version)))
  }
  writeTable(rows)
}

/** One line for all commands about which the agents decide alike. */
function writeTable(rows) {
  const said = new Map()
  for (const { agent, version, command, asked, sandbox } of rows) {
    const column = TRIED.findIndex((one) => one.agent === agent && one.version === version)
    const word = (asked ? 'a' : 'n') + (sandbox === 'outside' ? '!' : '')
    const words = said.get(command) ?? TRIED.map(() => '')
    // Codex: asked outside its sandbox alone.
    words[column] = words[column] === 'n' && word === 'a!' ? 's' : words[column] || word
    said.set(command, words)
  }
  const groups = new Map()
  for (const command of commands) {
    const words = said.get(command)
    if (words === undefined || words.includes('')) throw new Error(`not tried with every agent: ${command}`)
    groups.set(words.join(' '), [...(groups.get(words.join(' ')) ?? []), command])
  }
  const text = `// Written by lab/never-asked.mjs from what the real agents did. Do not edit.

/** The day they were tried. */
export const TRIED_ON = '${new Date().toISOString().slice(0, 10)}'

export const TRIED_AGENTS = [
${TRIED.map(({ agent, version }) => `  { agent: '${agent}', version: '${version}' },`).join('\n')}
] as const

/**
 * What each of them did with a command that no rule is about: \`n\` ran it, \`a\` asked first, \`s\` ran it in its sandbox
 * and asked before it ran it outside. Commands stand two spaces apart.
 */
export const TRIED_COMMANDS: Readonly<Record<string, string>> = {
${[...groups].map(([words, list]) => `  ${JSON.stringify(words)}: ${JSON.stringify(list.join('  '))},`).join('\n')}
}
`
  writeFileSync(TABLE, text)
}
