import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { analysisOf } from './keeping.ts'
import { workday, workTime } from './batches.ts'

/** Sums are the same from days, from quarters of an hour and from single rows. */
export function sums(open: () => Promise<Store>): void {
  const worked = async () => {
    const store = await open()
    await store.append([workday(), workday({ path: '/b', session: 's2', facts: { cwd: '/bank' }, usage: [] })])
    await store.finish(workTime(30), () => true)
    return store
  }

  describe('sums', () => {
    test('tokens by project, and sessions that tell none', async () => {
      const { insight } = await worked()
      const spent = [
        { key: '/shop', model: 'm1', size: 0, responses: 1, input: 10, output: 5, recordedUsd: 0.5, recorded: 1 },
      ]
      expect(await insight.spent('project', {})).toMatchObject(spent)
      expect(await insight.spent('project', { since: workTime(0) + 1 })).toMatchObject(spent)
      expect(await insight.spent('project', { since: workTime(1) + 1 })).toEqual([])
      expect(await insight.silent('project', {})).toEqual(new Map([['/bank', 1]]))
      expect(await insight.sessionsOfModels('all', {})).toEqual([{ key: null, model: 'm1', sessions: 1 }])
    })

    test('calls, commands, what ran inside them, files', async () => {
      const { insight, permissions } = await worked()
      expect(await insight.calls('all', {})).toEqual([
        { key: null, tool: 'Bash', count: 4, errors: 2, sessions: 2 },
        { key: null, tool: 'Edit', count: 2, errors: 0, sessions: 2 },
      ])
      expect(await insight.shell('all', {})).toEqual([
        { key: null, base: 'git', sub: 'commit', count: 2, errors: 0, compound: 0 },
        { key: null, base: 'npm', sub: 'test', count: 2, errors: 2, compound: 2 },
      ])
      expect(await insight.inner('all', {})).toEqual([{ key: null, name: 'git status', count: 2 }])
      const commands = await insight.commands('project', { sessions: { limit: 0, project: 'shop' } })
      expect(commands.map(({ command, project, count, errors }) => [command, project, count, errors])).toEqual([
        ['git commit -m fix', '/shop', 1, 0],
        ['npm test && git status', '/shop', 1, 1],
      ])
      expect(await insight.files('all', {})).toEqual([
        { key: null, path: '/shop/src/cart.ts', edits: 2, reads: 0, sessions: 2 },
      ])
      expect(await permissions.forms({}, { fewest: 1 })).toBeNull()
      expect(await permissions.questions({})).toBeNull()
      expect(await permissions.versions()).toEqual([])
    })

    test('sessions, their outcomes and their time, as far as they are analysed', async () => {
      const store = await worked()
      await store.keeping.saveAnalyses([await analysisOf(store, 'test:s1')], workTime(40))
      await store.finish(workTime(50), () => true)
      expect(await store.insight.sessions('all', { limit: 0 })).toMatchObject([
        { sessions: 2, prompts: 4, toolCalls: 6, outcomes: { success: 1, unknown: 1 } },
      ])
      expect(await store.insight.time('all', {})).toMatchObject([{ sessions: 2, unknown: 1, activeS: 60 }])
      expect(await store.insight.errors('all', {})).toMatchObject([
        { fingerprint: 'f1', count: 2, sessions: 1, evidence: 'test:s1#4' },
      ])
    })
  })
}
