import type { Env } from './settings/settings.ts'
import { brief as operation } from './operations/brief.ts'
import { now, productFor, program, settingsFor, sourcesFor } from './product.ts'
import { START, type BriefWish } from './capture/hook-run.ts'

/**
 * What a hook answers at the start of a session, as agents read it; '' for nothing. It never brings a store up to date
 * and never complains: somebody waits for it who did not ask.
 */
export async function brief({ directory, session }: BriefWish, env: Env): Promise<string> {
  const settings = await settingsFor(env, undefined)
  const recall = productFor(settings, env, () => undefined)
  try {
    const context = { recall, settings, sources: sourcesFor(settings), env, cwd: directory, now, program, watching: {} }
    const { text } = await operation.run(context, { directory, ...(session === null ? {} : { without: session }) })
    return text === null
      ? ''
      : JSON.stringify({ hookSpecificOutput: { hookEventName: START, additionalContext: text } })
  } finally {
    await recall.close()
  }
}
