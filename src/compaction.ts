import { archiveBeforeCompaction, type Compaction } from './groups/before-compaction.ts'
import { createRedactor } from './ingest/redact.ts'
import { loadSettings } from './settings/load.ts'
import { configPathOf, resolveSettings, type Env, type Settings } from './settings/settings.ts'
import { groupAgent } from './sources/group-agents.ts'
import { sources } from './sources/index.ts'

/** What a hook does before a compaction, put together apart from the hook: only then is it loaded. */
export async function beforeCompaction(agentName: string, compaction: Compaction, env: Env): Promise<void> {
  if (agentName !== groupAgent.source) return
  const { groupsRoot: root, assistantName, redactionRules: rules, redactionAllow: allow } = await settingsOf(env)
  const redactor = createRedactor({ rules, allow })
  const places = {
    root,
    assistantName,
    agent: groupAgent,
    now: Date.now,
    redact: (text: string) => redactor.text(text),
  }
  archiveBeforeCompaction(places, compaction)
}

/** A config file that cannot be read must not cost a conversation. */
async function settingsOf(env: Env): Promise<Settings> {
  const sourceNames = sources.map(({ name }) => name)
  return loadSettings(env, sourceNames, {}).catch(() =>
    resolveSettings({ env, config: null, configPath: configPathOf(env), sourceNames, flags: {} }),
  )
}
