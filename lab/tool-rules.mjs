#!/usr/bin/env node
// Does a rule for a tool of a server, or for a site, spare its question, and nothing beside it? Asks the real agents.
//   node tool-rules.mjs --home DIR [--only TEXT] [--out FILE]     writes test/fixtures/tool-rules.json, 2 minutes
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agents } from './agents.mjs'
import { play } from './run.mjs'

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: new URL('../test/fixtures/tool-rules.json', import.meta.url).pathname },
    cache: { type: 'string', default: process.env.LAB_CACHE ?? join(tmpdir(), 'agent-lab') },
  },
})

/** The tools of each server. */
const SERVERS = {
  lab: [
    'get_issue',
    'get_issues',
    'get_issue_comments',
    'get_issue_',
    'get_issue2',
    'get-issue',
    'getIssue',
    'get_Issue',
    'get',
    'issue',
    'get__issue',
    '_get_issue',
    'forget_issue',
    'list_issues',
    'read_issue',
    'search_issues',
    'create_issue',
    'delete_issue',
  ],
  lab2: ['get_issue', 'delete_issue'],
  labs: ['get_issue'],
  my_lab: ['get_issue'],
  lab__get: ['issue'],
  'lab-get': ['get_issue'],
  LAB: ['get_issue'],
  other: ['get_issue', 'lab__get_issue'],
}
const TOOLS = Object.entries(SERVERS).flatMap(([server, tools]) => tools.map((tool) => `${server}__${tool}`))

/** Sites beside docs.example.org, and other ways to write it. */
const SITES = [
  'https://example.org/',
  'https://www.example.org/',
  'https://api.example.org/x',
  'https://v2.docs.example.org/',
  'https://a.b.docs.example.org/x',
  'https://www.docs.example.org/',
  'https://evildocs.example.org/',
  'https://docs-example.org/',
  'https://docs.example.com/',
  'https://docs.example.org.evil.example.com/',
  'https://docs.example.org@evil.example.com/',
  'https://evil.example.com/docs.example.org/',
  'https://evil.example.com/?u=https://docs.example.org/',
  'https://evil.example.com/#docs.example.org',
  'https://evil.example.com\\@docs.example.org/',
  'https://docs.example.org%2eevil.example.com/',
  'https://docs.example.orgx/',
  'https://docs.example.org./',
  'https://docs%2eexample.org.evil.example.com/',
  'https://docsxexample.org/',
  'https://d\u043ecs.example.org/',
  'https://evil.example.com/https://docs.example.org/',
  'https://evil.example.com:443/docs.example.org',
  'http://evil.example.com/',
]
/** The same site otherwise: each agent has a way of its own with them. */
const SPELLINGS = [
  'http://docs.example.org/guide',
  'https://docs.example.org:8443/guide',
  'https://docs.example.org:443/guide',
  'https://DOCS.example.org/guide',
  'https://user@docs.example.org/guide',
  'ftp://docs.example.org/guide',
]
const PAGES = ['https://docs.example.org/', 'https://docs.example.org/guide/deep.html?page=2#top']

const server = (rule, file, readers) => ({
  kind: 'server',
  rule,
  file,
  readers,
  uses: ['lab__get_issue'],
  misses: TOOLS,
})
const site = (rule, file, readers) => ({
  kind: 'fetch',
  rule,
  file,
  readers,
  uses: PAGES,
  misses: [...SITES, ...SPELLINGS],
})
const RULES = [
  server('mcp__lab__get_issue', 'claude', ['claude', 'grok']),
  server('MCPTool(lab__get_issue)', 'grok', ['grok']),
  site('WebFetch(domain:docs.example.org)', 'claude', ['claude', 'grok']),
  site('WebFetch(domain:docs.example.org)', 'grok', ['grok']),
  site('WebFetch(https://docs.example.org/*)', 'grok', ['grok']),
]
const FILES = {
  claude: (rule) => [
    '.claude/settings.json',
    JSON.stringify({ permissions: { allow: [rule] }, skipWebFetchPreflight: true }),
    'w',
  ],
  grok: (rule) => ['.grok/config.toml', `\n[permission]\nallow = ${JSON.stringify([rule])}\n`, 'a'],
}
const CALLS = {
  claude: {
    server: (name) => ({ tool: `mcp__${name}`, input: { text: name } }),
    fetch: (url) => ({ tool: 'WebFetch', input: { url, prompt: 'What is there?' } }),
  },
  grok: {
    server: (name) => ({ tool: 'use_tool', input: { tool_name: name, tool_input: { text: name } } }),
    fetch: (url) => ({ tool: 'web_fetch', input: { url } }),
  },
}
const ASK = { claude: askClaude, grok: askGrok }

const found = []
for (const [n, { kind, rule, file, readers, uses, misses }] of RULES.entries())
  for (const agent of readers) {
    if (!`${agent} ${kind} ${file} ${rule}`.includes(values.only)) continue
    const home = join(resolve(values.home), `${n}-${agent}`)
    const before = await ASK[agent](kind, uses, home)
    const [name, text, flag] = FILES[file](rule)
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text, { flag })
    const after = await ASK[agent](kind, [...uses, ...misses.filter((one) => !uses.includes(one))], home)
    const that = (rows, said) => rows.filter((row) => row.said === said).map(({ what }) => what)
    found.push({
      agent,
      version: agents[agent].version,
      file,
      kind,
      rule,
      on: new Date().toISOString().slice(0, 10),
      uses,
      askedBefore: that(before, 'asked'),
      ranAfter: that(after, 'ran'),
      askedAfter: that(after, 'asked'),
      refused: that(after, 'refused'),
    })
    const last = found.at(-1)
    console.error(agent, file, rule, last.askedBefore.length, last.ranAfter, last.askedAfter.length, last.refused)
  }
writeFileSync(values.out, `${JSON.stringify(found, null, 1)}\n`)

/** Without a person Claude Code denies what it would ask about, and goes on. It finds tools by searching for them. */
async function askClaude(kind, list, home) {
  const calls = list.map(CALLS.claude[kind])
  const names = [...new Set(calls.map(({ tool }) => tool))]
  const mcpServers = Object.fromEntries(Object.keys(SERVERS).map((name) => [name, start(name)]))
  const flags = ['--strict-mcp-config', '--mcp-config', JSON.stringify({ mcpServers })]
  const search = { tool: 'ToolSearch', input: { query: `select:${names.join(',')}`, max_results: names.length } }
  const truth = await tryAll('claude', [search, ...calls], home, flags)
  const denied = new Set(JSON.parse(truth.steps[0].out).permission_denials.map((one) => one.tool_use_id))
  return rowsOf(truth, list, (id) => denied.has(id))
}

/** Grok ends the turn at the first thing it would ask about; the rest is tried in a new session. */
async function askGrok(kind, list, home) {
  const rows = []
  for (let left = list; left.length > 0;) {
    const calls = left.map(CALLS.grok[kind])
    // Servers are started beside the conversation.
    const wait = { tool: 'search_tool', input: { query: 'issue' } }
    const truth = await tryAll('grok', [wait, ...calls], home, ['--permission-mode', 'default'])
    const tried = rowsOf(truth, left, (id, result) => result === undefined)
    rows.push(...tried)
    left = left.slice(Math.max(tried.length, 1))
  }
  return rows
}

function tryAll(agent, calls, home, flags) {
  return play({
    agent,
    name: 'tools',
    home,
    cache: values.cache,
    env: { GROK_WEB_FETCH: '1' },
    scenario: () => {
      if (agent === 'grok') addServers(home)
      return {
        steps: [{ prompt: 'Try these.', flags }],
        turns: [...calls.map((call) => ({ calls: [call] })), { text: 'Tried.' }],
      }
    },
  })
}

/** After the first call, which is the search. */
function rowsOf({ exchanges }, list, isAsked) {
  const results = exchanges.flatMap((e) => e.results ?? [])
  const ids = exchanges.filter((e) => e.kind === 'turn').flatMap((e) => e.ids.calls)
  return ids.slice(1).map((id, i) => {
    const result = results.find((one) => one.id === id)?.text
    const isRefused = /^<tool_use_error>|invalid url|no such tool|not found/i.test(result ?? '')
    if (process.env.LAB_SHOW) console.error(list[i], isAsked(id, result), result?.slice(0, 200))
    return { what: list[i], said: isAsked(id, result) ? 'asked' : isRefused ? 'refused' : 'ran' }
  })
}

function start(name) {
  return { command: process.execPath, args: [new URL('mcp-echo.mjs', import.meta.url).pathname, ...SERVERS[name]] }
}

function addServers(home) {
  const path = join(home, '.grok/config.toml')
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return
  }
  if (text.includes('[mcp_servers')) return
  for (const name of Object.keys(SERVERS)) {
    const { command, args } = start(name)
    appendFileSync(
      path,
      `\n[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    )
  }
}
