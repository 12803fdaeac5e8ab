import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { sources } from '../src/sources/index.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { cleanEnv, recallCli } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'
import { writeHostileHome } from './kit/hostile-home.ts'
import { noPty, recallOnTerminal } from './kit/pty.ts'
import { noTmux, Screen } from './kit/tmux.ts'

const noLess = noTmux || (spawnSync('less', ['-V']).status === 0 ? false : 'no less on this machine')
const home = tempDir()
const env = cleanEnv(home)
const birds = ['heron', 'egret', 'bittern', 'stork', 'ibis', 'crane', 'spoonbill', 'flamingo', 'pelican', 'gull']

beforeAll(() => {
  for (const [i, bird] of birds.entries()) {
    const log = new ClaudeLog(uuid(bird), {}, Date.parse(`2026-10-${10 + i}T09:00:00Z`))
    log.user(`count every ${bird} of the pond`).say(`There are ${i} of the ${bird} kind.`)
    for (let n = 0; n < 12; n++) log.user(`and ${bird} nest ${n}?`).say(`nest ${n} of ${bird} is empty`)
    write(transcriptPath(home, uuid(bird)), log.text())
  }
  expect(recallCli(env, 'index').code).toBe(0)
})

async function browsing(
  work: (screen: Screen) => Promise<void>,
  { columns = 80, rows = 24, args = [] as string[], more = {} } = {},
): Promise<void> {
  const screen = new Screen({ ...env, ...more }, ['browse', ...args], { columns, rows })
  try {
    await screen.until('type to search')
    await work(screen)
  } finally {
    screen.close()
  }
}

describe.skipIf(noTmux)('browse, in tmux', () => {
  test('shows the newest sessions and what was said in the chosen one, within 80 by 24', async () => {
    await browsing(async (screen) => {
      const shown = await screen.until(/#1 user count every gull/)
      expect(shown).toContain('10 of 10')
      expect(shown).toMatch(/▌ 2026-10-19 +demo +count every gull of the pond\n/)
      expect(screen.lines()).toHaveLength(24)
      for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(80)
    })
  })

  test('searches while one types, also by the beginning of a word', async () => {
    await browsing(async (screen) => {
      screen.type('bitt')
      expect(await screen.until('1 of 1')).toMatch(/▌ .*count every bittern/)
      screen.type('ernx')
      await screen.until('nothing found')
      screen.press('BSpace')
      await screen.until('1 of 1')
      screen.press('Escape')
      await screen.until('10 of 10')
    })
  })

  test('arrows choose, and the preview follows', async () => {
    await browsing(async (screen) => {
      screen.press('Down', 'Down')
      expect(await screen.until(/#1 user count every flamingo/)).toMatch(/▌ .*flamingo/)
      screen.press('Up')
      await screen.until(/#1 user count every pelican/)
    })
  })

  test.skipIf(noLess)(
    'Enter reads the whole session in the pager, from what was found; leaving it comes back',
    async () => {
      await browsing(async (screen) => {
        screen.type('"nest 9 of stork"')
        await screen.until('1 of 1')
        screen.press('Enter')
        const read = await screen.until(/assistant: nest 9 of stork is empty/)
        expect(read).not.toContain('> "nest 9')
        screen.press('C-c')
        await screen.pressUntil('g', /Session [0-9a-f]{16}/)
        screen.press('q')
        await screen.until('> "nest 9 of stork"')
      })
    },
  )

  test('y copies the pointer, and it is printed at the end', async () => {
    await browsing(async (screen) => {
      screen.type('ibis')
      await screen.until('1 of 1')
      screen.press('Tab', 'y')
      const pointer = `claude:${uuid('ibis')}#`
      await screen.until(`copied ${pointer}`)
      screen.press('q')
      const left = await screen.until('ended with 0')
      expect(left).toContain(pointer)
      expect(left).not.toContain('type to search')
    })
  })

  test('filters by key', async () => {
    await browsing(async (screen) => {
      screen.press('Tab', 's', 's')
      await screen.until('source: codex')
      await screen.until('nothing with these filters')
      screen.press(...sources.slice(1).map(() => 's'))
      await screen.until('source: any')
      screen.press('t')
      await screen.until('time: 24h')
    })
  })

  test('is redrawn when the terminal is resized, and fits a narrow and a wide one', async () => {
    await browsing(async (screen) => {
      screen.resize(140, 40)
      await screen.until('│')
      for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(140)
      screen.resize(40, 10)
      await screen.until('──────')
      expect(screen.lines().at(-1)).toContain('type to search')
      for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(40)
    })
  })

  test('Ctrl-C leaves at once with 130, and the terminal is as it was', async () => {
    await browsing(async (screen) => {
      screen.press('C-c')
      const left = await screen.until('ended with 130')
      expect(left.trim()).toBe('ended with 130')
      screen.type('echoed')
      await screen.until('echoed')
    })
  })

  test('begins with the words it is given', async () => {
    await browsing(async (screen) => void (await screen.until(/▌ .*crane/)), { args: ['every', 'crane'] })
  })
})

test('without a terminal it says so', () => {
  const run = recallCli(env, 'browse')
  expect(run).toMatchObject({ code: 2, out: '' })
  expect(run.err).toContain('needs a terminal')
})

const SCREEN = new RegExp(`${'\u001b'}\\[(?:[012]?m|22m|3[1236]m|39m|\\d+;\\d+H|2[JK]|\\?(?:25|1049|2004)[hl])`, 'g')

test.skipIf(noPty)('nothing that is stored steers the terminal', () => {
  const hostile = tempDir()
  writeHostileHome(hostile)
  const there = cleanEnv(hostile)
  expect(recallCli(there, 'index').code).toBe(0)
  const { shown } = recallOnTerminal(there, ['browse'], '\tq')
  expect(shown).toContain('\u001b[?1049h')
  // Before that the terminal itself echoes what is typed.
  const left = [...stripped(shown.slice(shown.indexOf('\u001b[?1049h')))].filter((char) =>
    isSteering(char.codePointAt(0) ?? 0),
  )
  expect(left).toEqual([])
})

function stripped(shown: string): string {
  return shown.replace(SCREEN, '').replaceAll('\r\n', '')
}

function isSteering(code: number): boolean {
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  return isControl || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}
