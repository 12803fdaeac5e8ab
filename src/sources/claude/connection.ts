import path from 'node:path'
import { jsonServer, type ConnectionTarget } from '../kit/connection.ts'
import { claudeHome } from './hooks.ts'

/** Claude Code keeps servers for a person in `.claude.json`, those of a project in `.mcp.json` at its root. */
export const claudeConnection: ConnectionTarget = {
  agent: 'claude',
  servers(scope, env, cwd) {
    if (scope === 'project') return { home: cwd, file: path.join(cwd, '.mcp.json') }
    const home = claudeHome(env)
    const dir = env['CLAUDE_CONFIG_DIR'] ? home : path.dirname(home)
    return { home, file: path.join(dir, '.claude.json') }
  },
  server: jsonServer,
  skill(scope, env, cwd) {
    const home = scope === 'project' ? path.join(cwd, '.claude') : claudeHome(env)
    return { home: scope === 'project' ? cwd : home, file: path.join(home, 'skills', 'recall', 'SKILL.md') }
  },
  notes: {
    project: 'Claude Code asks each person once whether they trust the server of a project.',
    brief: 'Grok also runs the hooks of Claude Code, and passes over what they say.',
  },
}
