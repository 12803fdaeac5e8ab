import path from 'node:path'
import { tomlServer, type ConnectionScope, type ConnectionTarget } from '../kit/connection.ts'
import type { Env } from '../source.ts'
import { grokHome } from './hook-origin.ts'

/** Grok keeps servers in `config.toml`, its own or, in a folder that is trusted, that in `.grok/`. */
export const grokConnection: ConnectionTarget = {
  agent: 'grok',
  servers: (scope, env, cwd) => at(scope, env, cwd, 'config.toml'),
  server: tomlServer,
  skill: (scope, env, cwd) => at(scope, env, cwd, path.join('skills', 'recall', 'SKILL.md')),
  notes: {
    user: 'Grok also reads the servers of Claude Code; of two with the same name it starts this one alone.',
    project: 'Grok reads the settings of a project only where you have trusted the folder.',
    brief: 'Grok passes over what hooks say at the start of a session: no brief was set up.',
  },
  ignoresBrief: true,
}

function at(scope: ConnectionScope, env: Env, cwd: string, name: string) {
  if (scope === 'project') return { home: cwd, file: path.join(cwd, '.grok', name) }
  return { home: grokHome(env), file: path.join(grokHome(env), name) }
}
