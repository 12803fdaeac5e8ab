import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { files } from '../src/cli/commands/files.ts'
import { fix } from '../src/cli/commands/fix.ts'
import { how } from '../src/cli/commands/how.ts'
import { similar } from '../src/cli/commands/similar.ts'
import { write } from './kit/claude-log.ts'
import { demoHome, productOn, tempDir } from './kit/home.ts'
import { ALL, ask, askJson, edited, indexed, log, ran, readFile, uid, type Json } from './kit/told.ts'

describe('files', () => {
  function twoRepos() {
    const home = tempDir()
    const api = path.join(home, 'code/api')
    const web = path.join(home, 'code/web')
    const linked = path.join(home, 'code/api-feature')
    for (const root of [api, web]) write(path.join(root, '.git/config'), `[remote "origin"]\n url = x:${root}\n`)
    const gitDir = path.join(api, '.git/worktrees/api-feature')
    write(path.join(gitDir, 'commondir'), '../..\n')
    write(path.join(linked, '.git'), `gitdir: ${gitDir}\n`)
    return { home, api, web, linked }
  }

  test('all working trees of a repository are one place, and the latest session comes first', async () => {
    const { home, api, web, linked } = twoRepos()
    const first = log(home, 'first', api).user('look at the handler')
    readFile(first, `${api}/src/handler.ts`)
    edited(first, `${api}/src/handler.ts`, 'a', 'b')
    edited(first, `${api}/src/handler.ts`, 'b', 'c')
    edited(log(home, 'second', linked, 2).user('in the worktree'), `${linked}/src/handler.ts`, 'a', 'b')
    const nested = path.join(api, '.worktrees/three')
    edited(log(home, 'third', nested, 1).user('nested'), `${nested}/src/handler.ts`, 'a', 'b')
    edited(log(home, 'other', web, 3).user('elsewhere'), `${web}/src/handler.ts`, 'a', 'b')
    const { recall } = await indexed(home)

    for (const asked of [
      `${api}/src/handler.ts`,
      `${linked}/src/handler.ts`,
      './src/../src/handler.ts',
      'handler.ts',
    ]) {
      const found = await recall.evidence.files({ path: asked, cwd: api, filter: ALL })
      expect(found.root).toBe(api)
      expect(found.visits.map(({ session }) => session.uid)).toEqual([uid('second'), uid('third'), uid('first')])
      expect(found.visits[2]).toMatchObject({ edits: 2, reads: 1, seqs: [4, 6, 2] })
    }
    const inside = await recall.evidence.files({ path: 'handler.ts', cwd: `${api}/src`, filter: ALL })
    expect(inside.total).toBe(3)
    await recall.close()
  })

  test('what other projects did to a file of that name is counted, not shown, unless it is asked for', async () => {
    const { home, api, web } = twoRepos()
    log(home, 'here', api).user('hello').say('hi')
    edited(log(home, 'there', web).user('edit'), `${web}/lib/only.ts`, 'a', 'b')
    const bench = await indexed(home)
    const { evidence } = bench.recall
    expect(await evidence.files({ path: 'lib/only.ts', cwd: api, filter: ALL })).toMatchObject({
      total: 0,
      elsewhere: 1,
    })
    expect(await evidence.files({ path: 'lib/only.ts', cwd: home, filter: ALL })).toMatchObject({ total: 1 })
    const narrowed = await evidence.files({ path: 'only.ts', cwd: api, filter: { limit: 0, project: 'code/web' } })
    expect(narrowed.visits.map(({ session }) => session.uid)).toEqual([uid('there')])
    expect(await evidence.files({ path: `${api}/lib/only.ts`, cwd: web, filter: ALL })).toMatchObject({ total: 0 })
    const shown = await askJson(bench, files, `${web}/lib/only.ts`)
    expect(shown['sessions'][0]).toMatchObject({
      edits: 1,
      reads: 0,
      digest_only: false,
      evidence: [`${uid('there')}#2`],
    })
    expect(await ask(bench, files, [`${web}/none.ts`])).toMatchObject({ code: 0, out: '' })
    await bench.recall.close()
  })

  test('an evicted session is still told, by its digest', async () => {
    const { home, api } = twoRepos()
    const gone = log(home, 'gone', `${api}/src`).user('edit')
    edited(gone, `${api}/src/a.ts`, 'a', 'b')
    readFile(gone, `${api}/src/a.ts`)
    const bench = await indexed(home, { rawSoftCapBytes: 0, rawHardCapBytes: 1e12 })
    await bench.recall.close()
    expect((await bench.recall.sweep()).evicted).toHaveLength(1)
    const shown = await askJson(bench, files, `${api}/src/a.ts`)
    expect(shown['sessions'][0]).toMatchObject({ edits: 1, reads: 1, digest_only: true, evidence: [] })
    await bench.recall.close()
  })
})

describe('how', () => {
  test('tells the commands that went through for a task, with how often, when and where', async () => {
    const home = tempDir()
    const first = log(home, 'first', '/w/shop').user('please restore the staging database from the nightly dump')
    ran(first, 'ls dumps', 'a.dump')
    ran(first, 'pg_restore -d staging dumps/2026-09-30.dump', 'role missing', true, 'Restore the dump')
    ran(first, 'pg_restore --no-owner -d staging dumps/2026-09-30.dump', 'ok', false, 'Restore the dump without owners')
    const second = log(home, 'second', '/w/shop', 3).user('restore the nightly database dump again')
    ran(second, 'cd /w/shop && pg_restore --no-owner -d staging dumps/2026-10-03.dump', 'ok', false, 'Restore the dump')
    ran(log(home, 'other', '/w/shop', 4).user('deploy the page'), 'rsync -a dist/ web:/srv', 'sent')
    const bench = await indexed(home)

    const shown = await askJson(bench, how, 'restore the database from the nightly dump')
    expect(shown['commands'][0]).toMatchObject({
      command: 'cd /w/shop && pg_restore --no-owner -d staging dumps/2026-10-03.dump',
      count: 2,
      failed: 0,
      project: '/w/shop',
      low_confidence: false,
      last_used: '2026-10-04T09:00:02.000Z',
    })
    const all = shown['commands'].map(({ command }: Json) => command)
    expect(all.filter((command: string) => /^ls|rsync|^pg_restore -d/.test(command))).toEqual([])
    expect(await ask(bench, how, ['flash', 'the', 'firmware', 'over', 'bluetooth'])).toMatchObject({ code: 0, out: '' })
    expect((await askJson(bench, how, 'restore the mailbox of the director from tape'))['commands']).toEqual([])
    expect((await ask(bench, how, ['?'])).code).toBe(0)
    await bench.recall.close()
  })

  test('a command that only looks is told if the task names it', async () => {
    const home = tempDir()
    ran(log(home, 'one', '/w/a').user('show the history as a graph'), 'git log --graph --oneline', '* x')
    const { recall } = await indexed(home)
    expect((await recall.evidence.how({ task: 'history graph', filter: ALL })).total).toBe(0)
    const named = await recall.evidence.how({ task: 'git log history graph', filter: ALL })
    expect(named.commands[0]?.command).toBe('git log --graph --oneline')
    await recall.close()
  })

  test('tests that failed behind a pipe did not go through', async () => {
    const home = tempDir()
    const one = log(home, 'one', '/w/a').user('run the payment tests')
    ran(one, 'npx vitest run payment | tail -5', ' Test Files  1 failed (1)\n      Tests  2 failed | 3 passed (5)')
    ran(one, 'npx vitest run payment --pool forks', ' Test Files  1 passed (1)\n      Tests  5 passed (5)')
    const { recall } = await indexed(home)
    const found = await recall.evidence.how({ task: 'run the payment tests', filter: ALL })
    expect(found.commands.map(({ command }) => command)).toEqual(['npx vitest run payment --pool forks'])
    await recall.close()
  })
})

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

describe('similar', () => {
  function threeSubjects(home: string): void {
    const subjects = {
      cookies: 'the login cookie loses its samesite attribute behind the proxy',
      invoices: 'the invoice totals are rounded twice in the currency converter',
      shaders: 'the fragment shader flickers when the camera clips the terrain',
    }
    for (const [name, text] of Object.entries(subjects)) {
      for (let i = 0; i < 3; i++) {
        log(home, `${name}${i}`, `/w/${name}`, i)
          .user(`please look: ${text}`)
          .say(`I see, ${text}. Fixed in step ${i}.`)
      }
    }
    log(home, 'alone', '/w/alone').user('gzip brotli zstd').say('deflate')
    log(home, 'passing', '/w/other').user('opening hours of the currency booth').say('nine to five')
  }

  test('finds the sessions about the same thing, never the session itself, and marks guesses', async () => {
    const home = tempDir()
    threeSubjects(home)
    const bench = await indexed(home)
    const shown = await askJson(bench, similar, uid('invoices1'))
    const found = shown['hits'].map(({ session }: Json) => session['session_uid'])
    expect(found.slice(0, 2).sort()).toEqual([uid('invoices0'), uid('invoices2')].sort())
    expect(found).not.toContain(uid('invoices1'))
    expect(shown['hits'][0]).toMatchObject({ low_confidence: false })
    expect(shown['hits'][0]['shared']).toContain('currency')
    const passing = shown['hits'].find(({ session }: Json) => session['session_uid'] === uid('passing'))
    expect(passing).toMatchObject({ low_confidence: true })
    expect((await askJson(bench, similar, uid('alone')))['hits']).toEqual([])
    await bench.recall.close()
  })

  test('takes words too, keeps to filters, and says when a session is not there', async () => {
    const home = tempDir()
    threeSubjects(home)
    const bench = await indexed(home)
    const shown = await askJson(bench, similar, 'camera', 'clips', 'terrain')
    expect(shown['hits'].map(({ session }: Json) => session['project'])).toEqual([
      '/w/shaders',
      '/w/shaders',
      '/w/shaders',
    ])
    const narrowed = await ask(bench, similar, [uid('invoices1')], { json: true, since: '2026-10-03' })
    expect(JSON.parse(narrowed.out).hits.map(({ session }: Json) => session['session_uid'])).toEqual([uid('invoices2')])
    await expect(ask(bench, similar, ['claude:00000000-1111'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await bench.recall.close()
  })

  test('an evicted session is compared by its digest', async () => {
    const home = tempDir()
    threeSubjects(home)
    const bench = await indexed(home, { rawSoftCapBytes: 0, rawHardCapBytes: 1e12 })
    await bench.recall.close()
    await bench.recall.sweep()
    const { sessions } = await bench.recall.evidence.similar({
      to: await bench.recall.find(uid('cookies0')),
      filter: ALL,
    })
    expect(sessions.slice(0, 2).map(({ session }) => session.cwd)).toEqual(['/w/cookies', '/w/cookies'])
    await bench.recall.close()
  })
})

test('people get every answer as text', async () => {
  const bench = productOn(demoHome())
  await bench.recall.index()
  const [session] = (await bench.recall.list({ limit: 1 })).sessions
  const answers = await Promise.all([
    ask(bench, similar, [session?.uid ?? '']),
    ask(bench, how, ['run the tests']),
    ask(bench, files, ['README.md']),
    ask(bench, fix, ['File has not been read yet. Read it first before writing to it.']),
  ])
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(answers[0]?.out).not.toBe('')
  expect(answers[1]?.out).toContain('recall show')
  await bench.recall.close()
})
