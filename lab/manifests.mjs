// recall as a plugin, by the word of the agents themselves: each takes the manifests of this package for what they are.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { program } from './agents.mjs'

const ROOT = path.join(import.meta.dirname, '..')

/** What each agent is asked, and what its answer must hold. */
const ASKED = {
  claude: [
    [['plugin', 'validate', ROOT], /mcpServers: recall stdio recall \["mcp"\][\s\S]*skills: recall:recall/],
    [['plugin', 'marketplace', 'add', ROOT], /helix-forge/],
    [['plugin', 'install', 'recall@helix-forge'], /recall/],
    [['plugin', 'list'], /recall@helix-forge/],
  ],
  codex: [
    [['plugin', 'marketplace', 'add', ROOT], /Added marketplace `helix-forge`/],
    [['plugin', 'add', 'recall@helix-forge'], /Added plugin `recall`/],
    [['plugin', 'list'], /recall@helix-forge\s+installed, enabled/],
    [['mcp', 'list'], /^recall\s+recall\s+mcp\s/m],
  ],
  grok: [[['plugin', 'validate', ROOT], /Plugin manifest is valid[\s\S]*1 skill dir/]],
}

/** What is not as it should be, in words. */
export function checkManifests({ agent, cache, version }) {
  const home = mkdtempSync(path.join(cache, 'plugin-'))
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', DISABLE_AUTOUPDATER: '1' }
  try {
    return ASKED[agent].flatMap(([args, holds]) => {
      const { status, stdout, stderr } = spawnSync(program(agent, { cache, version }), args, {
        env,
        cwd: home,
        encoding: 'utf8',
        timeout: 60_000,
      })
      if (status === 0 && holds.test(stdout)) return []
      return [`${agent} plugin · ${args.join(' ')} ended with ${status}: ${(stdout + stderr).slice(0, 500)}`]
    })
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { agent: { type: 'string', default: 'claude,codex,grok' }, cache: { type: 'string' } },
  })
  const wrong = values.agent.split(',').flatMap((agent) => checkManifests({ agent, cache: values.cache }))
  console.log(wrong.length === 0 ? 'the manifests: all agents take them' : wrong.join('\n'))
  process.exitCode = wrong.length === 0 ? 0 : 1
}
