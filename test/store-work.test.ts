import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { query } from './kit/dump.ts'
import { productOn, tempDir } from './kit/home.ts'

/** Lays down sessions that each have a title of their own: both are documents of the full-text index. */
function layTitled(home: string, names: readonly string[]): void {
  for (const name of names) {
    const log = new ClaudeLog(uuid(name))
      .user(`where do ${name} live?`)
      .say('In setts.')
      .bare({ type: 'custom-title', customTitle: `${name} at home`, sessionId: uuid(name) })
    write(transcriptPath(home, uuid(name)), log.text())
  }
}

test('however many sessions a commit holds, the full-text index is written out for all of them together', async () => {
  const home = tempDir()
  layTitled(home, ['badgers', 'otters', 'foxes', 'moles', 'voles', 'hares'])
  const { recall, store } = productOn(home)
  await recall.index()
  expect(query(store, 'SELECT count(*) AS n FROM session WHERE indexed_title IS NOT NULL')).toEqual([{ n: 6 }])
  const [written] = query(store, 'SELECT count(DISTINCT segid) AS n FROM exchange_fts_idx')
  // Titles first, then what was said: their numbers are in two rows.
  expect(Number(written?.['n'])).toBeLessThanOrEqual(2)
})
