import path from 'node:path'
import { tomlServer, type ConnectionScope, type ConnectionTarget } from '../kit/connection.ts'
import type { Env } from '../source.ts'
import { codexHome } from './notify.ts'

/** Codex keeps servers in `config.toml`, its own or, in a project that is trusted, that in `.codex/`. */
export const codexConnection: ConnectionTarget = {
  agent: 'codex',
  servers: (scope, env, cwd) => at(scope, env, cwd, 'config.toml'),
  server: tomlServer,
  skill: (scope, env, cwd) => at(scope, env, cwd, path.join('skills', 'recall', 'SKILL.md')),
  notes: { project: 'Codex reads the settings of a project only where you have trusted it.' },
}

function at(scope: ConnectionScope, env: Env, cwd: string, name: string) {
  if (scope === 'project') return { home: cwd, file: path.join(cwd, '.codex', name) }
  return { home: codexHome(env), file: path.join(codexHome(env), name) }
}
