import path from 'node:path'
import { jsonHooks } from '../kit/hooks.ts'
import { codexHome } from './notify.ts'

/** Codex stops the hook at the end of a session after 3 s, and complains of a longer time. */
const TIMEOUT_S = 3

/** Hooks that Codex runs once a person has trusted them. */
export const codexHooks = jsonHooks(
  'codex',
  { home: codexHome, file: (env) => path.join(codexHome(env), 'hooks.json') },
  { events: ['SessionStart', 'Stop', 'SessionEnd', 'PreCompact', 'SubagentStop'], timeout: TIMEOUT_S },
)
