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

  test('the command that does a task comes before those that speak of it, however often they ran', async () => {
    const home = tempDir()
    for (let i = 0; i < 6; i++) {
      const day = log(home, `day${i}`, '/w/shop', i).user(
        'please create a pull request for this branch, then read the comments',
      )
      ran(day, `gh api repos/acme/shop/pulls/${i}/comments`, '[]', false, 'Get pull request comments')
      ran(day, `gh pr view ${i}`, 'open', false, 'View pull request')
      ran(day, `git tag --list "v${i}*"`, 'v1', false, 'List release tags')
      if (i === 2) ran(day, 'gh pr create --title "Refunds" --body "30 days"', 'made', false, 'Open PR for review')
      if (i === 3) ran(day.user('we are done, tag the release'), `git tag -a v${i} -m "three"`)
    }
    const { recall } = await indexed(home)
    for (const task of ['gh pr create', 'create a pull request', 'open a PR']) {
      const { commands } = await recall.evidence.how({ task, filter: ALL })
      expect(commands[0]).toMatchObject({ command: expect.stringMatching(/^gh pr create/), lowConfidence: false })
    }
    const { commands } = await recall.evidence.how({ task: 'tag a release', filter: ALL })
    expect(commands[0]?.command).toBe('git tag -a v3 -m "three"')
    await recall.close()
  })

  test('clones of one name are told once', async () => {
    const home = tempDir()
    for (const [i, dir] of ['/a/shop', '/b/shop', '/c/shop', '/d/web'].entries())
      ran(log(home, `clone${i}`, dir, i).user('rotate the certificates'), 'certtool rotate --all', 'done')
    const bench = await indexed(home)
    const { out } = await ask(bench, how, ['rotate the certificates'])
    expect(out).toMatch(/worked 4 times .* · web, shop\n/)
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

  test('in a script without spaces two characters that stand together are shared, not single ones', async () => {
    const home = tempDir()
    const asked = '训练模型的时候，学习率怎么调整'
    log(home, 'training', '/w/one').user(asked).say('先热身，再衰减。')
    log(home, 'again', '/w/one', 1).user(`${asked}？`).say('学习率先热身，训练后期再衰减。')
    for (let i = 0; i < 4; i++)
      log(home, `other${i}`, '/w/two').user(`今天的天气怎么样，第 ${i} 次`).say('不知道，看看窗外。')
    const { recall } = await indexed(home)
    const { sessions } = await recall.evidence.similar({ to: await recall.find(uid('training')), filter: ALL })
    expect(sessions[0]?.session.uid).toBe(uid('again'))
    expect(sessions[0]?.shared).toContain('训练')
    expect(sessions.flatMap(({ shared }) => shared).filter((word) => word.length === 1)).toEqual([])
    await recall.close()
  })

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

  test('a long session that speaks of it in passing does not come before a short one about it', async () => {
    const home = tempDir()
    threeSubjects(home)
    const long = log(home, 'long', '/w/invoices', 9).user('many things today')
    for (let i = 0; i < 60; i++) {
      const also =
        i % 6 === 0 ? 'the invoice totals are rounded twice in the currency converter' : `chapter ${i} of the handbook`
      long
        .user(`next, number ${i}: ${also}`)
        .say(`Done with ${also}; on to the following page of the handbook, paragraph ${i}.`)
    }
    const { recall } = await indexed(home)
    const { sessions } = await recall.evidence.similar({ to: await recall.find(uid('invoices1')), filter: ALL })
    const found = sessions.map(({ session }) => session.uid)
    expect(found.slice(0, 2).sort()).toEqual([uid('invoices0'), uid('invoices2')].sort())
    expect(found[2]).toBe(uid('long'))
    await recall.close()
  })

  test('is asked for what the whole session says, and never for half a word of a title that was cut', async () => {
    const home = tempDir()
    const filler = 'so that everybody who reads it later knows at once what it is and what it is not about, '.repeat(2)
    log(home, 'asked', '/w/a').user(`please tidy the notes ${filler} and then we want nothing else`).say('Tidied.')
    const late = log(home, 'late', '/w/b', 1).user('hello').say('Hi.')
    for (const name of ['asked2', 'late']) {
      const to = name === 'late' ? late : log(home, name, '/w/a', 2).user('hello').say('Hi.')
      for (let i = 0; i < 40; i++) to.user(`step ${i}`).say(`Did step ${i}.`)
      to.user('the gyroscope drifts after the accelerometer is calibrated').say(
        'The gyroscope needs its own calibration.',
      )
    }
    const { recall } = await indexed(home)
    const { sessions } = await recall.evidence.similar({ to: await recall.find(uid('late')), filter: ALL })
    expect(sessions[0]).toMatchObject({
      session: { uid: uid('asked2') },
      shared: expect.arrayContaining(['gyroscope']),
    })
    const all = await recall.evidence.similar({ to: await recall.find(uid('asked')), filter: ALL })
    expect(all.sessions.flatMap(({ shared }) => shared).filter((word) => /^(?:w|wa|wan)$/.test(word))).toEqual([])
    await recall.close()
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
