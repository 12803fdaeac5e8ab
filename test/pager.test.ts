import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { demoHome } from './kit/home.ts'
import { noTmux, Screen } from './kit/tmux.ts'

const noLess = noTmux || (spawnSync('less', ['-V']).status === 0 ? false : 'no less on this machine')
const small = { columns: 80, rows: 12 }
let env: Record<string, string> = {}

beforeAll(() => {
  env = cleanEnv(demoHome())
  expect(recallCli(env, 'index').code).toBe(0)
})

async function onScreen(
  more: Record<string, string>,
  args: readonly string[],
  work: (screen: Screen) => Promise<void>,
) {
  const screen = new Screen({ ...env, ...more }, args, small)
  try {
    await work(screen)
  } finally {
    screen.close()
  }
}

describe('a pager', () => {
  test.skipIf(noLess)('shows a long answer from its start; leaving it early is no failure', async () => {
    await onScreen({}, ['list', '--limit', '0'], async (screen) => {
      const shown = await screen.until(/^id +started/)
      expect(shown).toMatch(/\n:$/)
      screen.press('Space')
      await screen.until(/^(?!id +started)/)
      screen.press('q')
      const left = await screen.until('ended with 0')
      expect(left).toContain('folded: ')
    })
  })

  test.skipIf(noLess)('keeps Ctrl-C for itself, and the program outlives it', async () => {
    await onScreen({}, ['list', '--limit', '0'], async (screen) => {
      await screen.until(/\n:$/)
      screen.press('C-c')
      const left = await screen.pressUntil('q', 'ended with')
      expect(left).toContain('ended with 0')
      expect(left.match(/folded: /g)).toHaveLength(1)
      expect(left.split('\n').filter((line) => /^[0-9a-f]{8} /.test(line)).length).toBeLessThan(10)
    })
  })

  test.skipIf(noTmux)(
    'is the one that is set, and none for an answer that fits, with --no-pager, or where it is off',
    async () => {
      const count = { PAGER: 'wc -l' }
      await onScreen(count, ['list', '--limit', '0'], async (screen) => {
        expect(await screen.until('ended with 0')).toMatch(/^\s*\d\d\n/)
      })
      await onScreen({ ...count, RECALL_PAGER: 'head -1' }, ['list', '--limit', '0'], async (screen) => {
        expect(await screen.until('ended with 0')).toMatch(/^id +started/)
      })
      for (const [more, args] of [
        [count, ['list', '--limit', '3']],
        [count, ['list', '--limit', '0', '--no-pager']],
        [{ PAGER: 'cat' }, ['list', '--limit', '0']],
        [{ PAGER: '' }, ['list', '--limit', '0']],
        [{ PAGER: 'no-such-pager-anywhere' }, ['list', '--limit', '0']],
      ] as const) {
        await onScreen(more, args, async (screen) => {
          const shown = await screen.until('ended with 0')
          expect(shown).toMatch(/^[0-9a-f]{8} +20\d\d-/m)
        })
      }
    },
  )

  test('is never used off a terminal', () => {
    const run = recallCli({ ...env, PAGER: 'wc -l', RECALL_PAGER: 'wc -l' }, 'list', '--limit', '0')
    expect(run.out).toMatch(/^id +started/)
    expect(run.out.split('\n').length).toBeGreaterThan(20)
  })

  test('only commands with long answers take --no-pager', () => {
    expect(recallCli(env, 'help', 'list').out).toContain('--no-pager')
    expect(recallCli(env, 'index', '--no-pager').code).toBe(2)
  })
})
