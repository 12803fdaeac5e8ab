import { describe, expect, test } from 'vitest'
import { fix } from '../src/cli/commands/fix.ts'
import { tempDir } from './kit/home.ts'
import { ALL, ask, askJson, edited, indexed, log, ran, uid, type Json } from './kit/told.ts'

describe('fix', () => {
  const ERROR = 'PoolError: timeout of 3000ms exceeded waiting for client 17'

  function solved(home: string, name = 'solved', day = 0): void {
    const one = log(home, name, '/w/shop', day).user('the import hangs, why?')
    ran(one, 'npm run import', `${ERROR}\n    at Pool.acquire (/w/shop/pool.js:12:3)\n\n4 checks run, 1 failed`, true)
    one.say('The pool is never released when a row is skipped.')
    edited(one, '/w/shop/src/import.ts', 'continue', 'client.release(); continue')
    ran(one, 'git diff', '+client.release()')
    ran(one, 'npm run import', 'done')
    one.say('Fixed: the client is released for skipped rows too.')
    ran(one, 'npm run deploy', 'deployed')
  }

  test.each(['before analysis', 'after analysis'])('tells what followed until the error was gone, %s', async (when) => {
    const home = tempDir()
    solved(home)
    const open = log(home, 'open', '/w/shop', 5).user('again')
    ran(open, 'npm run import', ERROR.replace('3000', '9000'), true)
    const bench = await indexed(home)
    if (when === 'after analysis') await bench.recall.analyze()
    const pasted = `npm run import\n${ERROR.replace('17', '4').replace('3000', '500')}\n    at x (/home/me/y.js:1:2)`
    const shown = await askJson(bench, fix, pasted)
    expect(shown['occurrences'].map(({ session }: Json) => session['session_uid'])).toEqual([
      uid('solved'),
      uid('open'),
    ])
    const [first, second] = shown['occurrences']
    expect(first).toMatchObject({ match: 'same', resolution: 'succeeded', error: ERROR, confidence: 1 })
    expect(first['steps'].map(({ kind, what, ok }: Json) => [kind, what, ok])).toEqual([
      ['edit', 'edited /w/shop/src/import.ts', true],
      ['command', 'npm run import', true],
    ])
    expect(first['explanation']).toContain('released for skipped rows')
    expect(first['evidence']).toEqual([`${uid('solved')}#3`, `${uid('solved')}#10`])
    expect(second).toMatchObject({ resolution: 'unsolved', steps: [] })
    await bench.recall.close()
  })

  test('only the line that few errors share counts, and another error is none', async () => {
    const home = tempDir()
    solved(home)
    for (let i = 0; i < 9; i++) {
      ran(
        log(home, `noise${i}`, '/w/x', i).user('check'),
        'make check',
        `LintError: rule ${'abcdefghi'[i]}x broken\n\n9 checks run, 2 failed`,
        true,
      )
    }
    const bench = await indexed(home)
    await bench.recall.analyze()
    const found = await bench.recall.evidence.fix({ error: `${ERROR}\n\n4 checks run, 1 failed`, filter: ALL })
    expect(found.occurrences.map(({ session }) => session.uid)).toEqual([uid('solved')])
    const unknown = await ask(bench, fix, ['kernel panic - not syncing: VFS: Unable to mount root fs'])
    expect(unknown).toMatchObject({ code: 0, out: '', err: 'this error was not met before\n' })
    expect((await askJson(bench, fix, 'command not found: jq'))['total']).toBe(0)
    await bench.recall.close()
  })

  /** Sessions that each met one of these errors, in the order of days. */
  function meeting(home: string, errors: Readonly<Record<string, string>>): void {
    for (const [i, [name, error]] of Object.entries(errors).entries())
      ran(log(home, name, '/w/x', i).user('go on'), `make ${name}`, error, true)
  }

  test.each([
    [
      "Exit code 1\nModuleNotFoundError: No module named 'yaml'",
      { yaml: "Exit code 1\nModuleNotFoundError: No module named 'yaml'" },
      { requests: "Exit code 1\nModuleNotFoundError: No module named 'requests'" },
    ],
    [
      'lib/pay.go:7:2: undefined: ParseAmount (typecheck)\n1 issues:\n* typecheck: 1',
      { amount: 'cmd/main.go:40:9: undefined: ParseAmount (typecheck)\n2 issues:\n* typecheck: 2' },
      { date: 'cmd/main.go:40:9: undefined: ParseDate (typecheck)\n2 issues:\n* typecheck: 2' },
    ],
    [
      '/home/me/.venv/bin/python: cannot open file /home/me/jobs/sync.py: No such file or directory',
      { sync: '/opt/py/bin/python: cannot open file /srv/a/sync.py: No such file or directory' },
      { backup: '/opt/py/bin/python: cannot open file /srv/a/backup.py: No such file or directory' },
    ],
    [
      '╭─────────────╮\n│ 🔒 pre-commit │\n╰─────────────╯\nRequest failed with status code 403',
      { forbidden: '╭──────────────╮\n│ 🔒 pre-commit │\n╰──────────────╯\nRequest failed with status code 403' },
      { broken: '╭──────────────╮\n│ 🔒 pre-commit │\n╰──────────────╯\nRequest failed with status code 502' },
    ],
  ])('what is about another thing is near at most: %j', async (pasted, same, other) => {
    const home = tempDir()
    meeting(home, { ...same, ...other, quiet: 'Exit code 1', framed: '╭─────╮\n╰─────╯' })
    const bench = await indexed(home)
    for (const analysed of [false, true]) {
      if (analysed) await bench.recall.analyze()
      const { occurrences } = await bench.recall.evidence.fix({ error: pasted, filter: ALL })
      const found = (match: string) =>
        occurrences.filter((one) => one.match === match).map(({ session }) => session.uid)
      expect(found('same')).toEqual(Object.keys(same).map(uid))
      expect(Object.keys(other).map(uid)).toEqual(expect.arrayContaining(found('alike')))
    }
    await bench.recall.close()
  })

  test('a line that many errors begin with makes no two of them one; alone it is all that is asked', async () => {
    const home = tempDir()
    const failed = (code: string) =>
      `<tool_use_error>String to replace not found in file.\nString: ${code}</tool_use_error>`
    const codes = [
      'let total = 1',
      'return cache',
      'if (ready) go()',
      'import yaml',
      'const rate = tax',
      'await close()',
    ]
    meeting(home, Object.fromEntries(codes.map((code, i) => [`s${i}`, failed(code)])))
    const { recall } = await indexed(home)
    const whole = await recall.evidence.fix({ error: failed('import yaml'), filter: ALL })
    expect(whole.occurrences.filter(({ match }) => match === 'same').map(({ session }) => session.uid)).toEqual([
      uid('s3'),
    ])
    const alone = await recall.evidence.fix({ error: 'String to replace not found in file', filter: ALL })
    expect(alone.occurrences.map(({ match }) => match)).toEqual(codes.map(() => 'same'))
    await recall.close()
  })

  test('an error whose first words say nothing is found by the line that says something', async () => {
    const home = tempDir()
    const error = 'lint ━━━━━━━━━━\n\n  × Nothing matched the given globs.\n\n  i Look at your ignore list.'
    meeting(home, { globs: error, other: 'lint ━━━━━━━━━━\n\n  × Two rules contradict each other.' })
    const { recall } = await indexed(home)
    const { occurrences } = await recall.evidence.fix({ error, filter: ALL })
    expect(occurrences.map(({ session, match }) => [session.uid, match])).toEqual([[uid('globs'), 'same']])
    await recall.close()
  })

  test('a part of the line is enough to come near it, however it is written', async () => {
    const home = tempDir()
    meeting(home, {
      key: 'git@code.example: Permission denied (publickey).\nfatal: the remote end hung up',
      other: 'cp: cannot stat a.txt: gone',
    })
    const { recall } = await indexed(home)
    for (const error of ['Permission denied (publickey)', 'permission denied']) {
      const { occurrences } = await recall.evidence.fix({ error, filter: ALL })
      expect(occurrences.map(({ session, match, error }) => [session.uid, match, error])).toEqual([
        [uid('key'), 'alike', 'git@code.example: Permission denied (publickey).'],
      ])
    }
    for (const error of ['mission denied', 'permission denied by the pool'])
      expect((await recall.evidence.fix({ error, filter: ALL })).occurrences).toEqual([])
    await recall.close()
  })

  test('an error that only a person pasted is found, with what was done about it', async () => {
    const home = tempDir()
    const one = log(home, 'told', '/w/shop').user(
      'when I open the page I get this:\n\nUncaught TypeError: cart.items is not iterable\n    at total (cart.js:9:3)\n\nplease help',
    )
    edited(one, '/w/shop/cart.js', 'cart.items', 'cart.items ?? []')
    one.say('An empty cart has no items; it is guarded now.')
    const bench = await indexed(home)
    const shown = await askJson(bench, fix, 'Uncaught TypeError: cart.items is not iterable')
    expect(shown['occurrences']).toHaveLength(1)
    expect(shown['occurrences'][0]).toMatchObject({
      match: 'same',
      pasted: true,
      seq: 1,
      resolution: 'not_seen_again',
      error: 'Uncaught TypeError: cart.items is not iterable',
      steps: [{ kind: 'edit', what: 'edited /w/shop/cart.js', ok: true }],
    })
    await bench.recall.close()
  })

  test('so is one that the person quoted otherwise, without the word that only says it is an error', async () => {
    const home = tempDir()
    log(home, 'quoted', '/w/shop').user('package `shop-cli` did not match any packages, what now?').say('Rename it.')
    const { recall } = await indexed(home)
    for (const error of [
      'error: package `shop-cli` did not match any packages',
      'package shop-cli did not match any packages',
    ]) {
      const { occurrences } = await recall.evidence.fix({ error, filter: ALL })
      expect(occurrences.map(({ session, match, pasted }) => [session.uid, match, pasted])).toEqual([
        [uid('quoted'), 'same', true],
      ])
    }
    await recall.close()
  })

  test('of the same error the latest that was solved comes first', async () => {
    const home = tempDir()
    solved(home, 'early', 0)
    solved(home, 'late', 3)
    ran(log(home, 'open', '/w/shop', 6).user('again'), 'npm run import', ERROR.replace('17', '18'), true)
    const { recall } = await indexed(home)
    const asked = ERROR.replace('17', '21')
    const { occurrences } = await recall.evidence.fix({ error: asked, filter: ALL })
    expect(occurrences.map(({ session }) => session.uid)).toEqual([uid('late'), uid('early'), uid('open')])
    await recall.close()
  })

  test('an evicted session still says that it met the error, and its last word', async () => {
    const home = tempDir()
    solved(home)
    const bench = await indexed(home, { rawSoftCapBytes: 0, rawHardCapBytes: 1e12 })
    await bench.recall.close()
    expect((await bench.recall.sweep()).evicted).toHaveLength(1)
    const shown = await askJson(bench, fix, ERROR)
    const [met] = shown['occurrences']
    expect(met).toMatchObject({ seq: null, resolution: 'unknown', steps: [], evidence: [] })
    expect(met['explanation']).toContain('released for skipped rows')
    await bench.recall.close()
  })
})
