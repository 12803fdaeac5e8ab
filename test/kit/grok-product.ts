import path from 'node:path'
import { createRecall } from '../../src/recall.ts'
import { resolveSettings } from '../../src/settings/settings.ts'
import { grok } from '../../src/sources/grok/grok.ts'
import { files, openForReading, openForWriting } from '../../src/store/open.ts'
import { NOW, tempDir } from './home.ts'

/** The product on the sessions of Grok in a home, with a store of its own. */
export function productOn(home: string, store = path.join(tempDir(), 'recall.db')) {
  const settings = resolveSettings({
    env: {},
    config: null,
    configPath: '',
    sourceNames: ['grok'],
    flags: { '--store': store },
  })
  const parts = {
    settings,
    sources: [grok],
    env: { HOME: home },
    now: () => NOW,
    openForReading,
    openForWriting,
    files,
  }
  return { store, recall: createRecall(parts) }
}

/** Ids derive from where a file lies; homes differ between runs. */
export function stable(dumped: object, home: string): object {
  const text = JSON.stringify(dumped).replaceAll(home, '~')
  return JSON.parse(text, (key, value) => (['short_id', 'message_id', 'call_id'].includes(key) ? 'id' : value))
}
