import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { blame } from '../src/cli/commands/blame.ts'
import { write } from './kit/claude-log.ts'
import { tempDir } from './kit/home.ts'
import { ask, askJson, DAY, edited, git, gitRepo, indexed, log, ran, START, uid, wrote } from './kit/told.ts'

describe('blame', () => {
  test('a commit is that of the session that made it, by any part of its hash', async () => {
    const home = tempDir()
    const root = gitRepo(path.join(home, 'code/api'))
    writeFileSync(path.join(root, 'a.ts'), 'const a = 1\n')
    git(root, ['add', '-A'])
    git(root, ['commit', '-qm', 'start'], START)
    const hash = git(root, ['rev-parse', 'HEAD'])
    const one = log(home, 'one', root).user('commit it')
    ran(one, 'git commit -am start', `[main (root-commit) ${hash.slice(0, 7)}] start\n 1 file changed`)
    ran(log(home, 'two', root, 1).user('show it'), `git show ${hash.slice(0, 7)}`, `commit ${hash}`)
    const bench = await indexed(home)
    for (const asked of [hash, hash.slice(0, 7), hash.slice(0, 12).toUpperCase()]) {
      const shown = await askJson(bench, blame, asked)
      expect(shown['session']['session_uid']).toBe(uid('one'))
      expect(shown).toMatchObject({ reason: 'commit', confidence: 0.99, evidence: [`${uid('one')}#3`] })
    }
    const unknown = await askJson(bench, blame, 'abcdef1234')
    expect(unknown).toMatchObject({ session: null, confidence: null, reason: null })
    expect(await ask(bench, blame, ['abcdef1234'])).toEqual({
      code: 0,
      out: '',
      err: expect.stringContaining('no session is known'),
    })
    await expect(ask(bench, blame, ['abc'])).rejects.toMatchObject({ code: 'USAGE' })
    await bench.recall.close()
  })

  test('a hash that two repositories have is answered only where it is known which one is meant', async () => {
    const home = tempDir()
    const [api, web] = [gitRepo(path.join(home, 'api')), gitRepo(path.join(home, 'web'))]
    ran(log(home, 'one', api).user('commit'), 'git commit -m x', '[main 1234abc] x')
    ran(log(home, 'two', web).user('commit'), 'git commit -m y', '[main 1234abc] y')
    const { recall } = await indexed(home)
    expect((await recall.evidence.blame('1234abc', home)).session).toBeNull()
    expect((await recall.evidence.blame('1234abc', api)).session?.uid).toBe(uid('one'))
    expect((await recall.evidence.blame('1234abc', web)).session?.uid).toBe(uid('two'))
    await recall.close()
  })

  test('a commit whose hash has changed is known by its words and its time, or not at all', async () => {
    const home = tempDir()
    const root = gitRepo(path.join(home, 'api'))
    writeFileSync(path.join(root, 'a.ts'), 'x\n')
    git(root, ['add', '-A'])
    git(root, ['commit', '-qm', 'parser: keep trailing commas'], START + 3000)
    writeFileSync(path.join(root, 'a.ts'), 'y\n')
    git(root, ['commit', '-qam', 'parser: an old story of trailing commas'], START - 90 * DAY)
    const one = log(home, 'one', root).user('commit')
    ran(one, 'git commit -qm "parser: keep trailing commas" && echo "parser: an old story of trailing commas"', '')
    const { recall } = await indexed(home)
    const found = await recall.evidence.blame(git(root, ['rev-parse', 'HEAD~1']), root)
    expect(found).toMatchObject({ session: { uid: uid('one') }, reason: 'commit_message' })
    expect((await recall.evidence.blame(git(root, ['rev-parse', 'HEAD']), root)).session).toBeNull()
    await recall.close()
  })

  test('a line is that of the edit that brought it, if none took it away since', async () => {
    const home = tempDir()
    const root = path.join(home, 'api')
    const file = path.join(root, 'src/limits.ts')
    const lines = [
      'const retries = 3',
      'const patience = 250',
      'const burst = 12',
      'const window = 60',
      '}',
      'const foreign = true',
    ]
    write(file, `${lines.join('\n')}\n`)
    mkdirSync(path.join(root, '.git'))
    const one = log(home, 'one', root).user('edit')
    edited(one, file, 'const retries = 1', 'const retries = 3')
    edited(one, file, 'x', 'const burst = 12\nconst foreign = false')
    edited(one, file, 'const foreign = true', 'const foreign = true\nconst other = 1')
    edited(one, file, 'nothing', 'const window = 60', true)
    const two = log(home, 'two', root, 1).user('edit')
    edited(two, 'src/limits.ts', 'const a = 0', 'const a = 0\n  const patience = 250\n}')
    edited(two, file, 'const burst = 12', 'const burst = 13')
    const { recall } = await indexed(home)
    const by = async (line: number) => (await recall.evidence.blame(`${file}:${line}`, '/')).session?.uid ?? null
    expect(await Promise.all(lines.map((_, i) => by(i + 1)))).toEqual([uid('one'), uid('two'), null, null, null, null])
    expect(await by(99)).toBeNull()
    expect((await recall.evidence.blame('src/limits.ts:1', root)).session?.uid).toBe(uid('one'))
    expect((await recall.evidence.blame('src/none.ts:1', root)).session).toBeNull()
    await recall.close()
  })

  test('who writes a whole file is its author only if it was not there before', async () => {
    const home = tempDir()
    const [fresh, old] = ['fresh', 'old'].map((name) =>
      write(path.join(home, `api/${name}.ts`), 'export const answer = 42\n'),
    )
    const one = log(home, 'one', path.join(home, 'api')).user('write')
    wrote(one, fresh ?? '', 'export const answer = 42\n', `File created successfully at: ${fresh}`)
    wrote(one, old ?? '', 'export const answer = 42\n', `The file ${old} has been updated.`)
    const { recall } = await indexed(home)
    expect((await recall.evidence.blame(`${fresh}:1`, '/')).session?.uid).toBe(uid('one'))
    expect((await recall.evidence.blame(`${old}:1`, '/')).session).toBeNull()
    await recall.close()
  })

  test('a committed line is not that of an edit after the commit, but of the session that committed it', async () => {
    const home = tempDir()
    const root = gitRepo(path.join(home, 'api'))
    const file = path.join(root, 'a.ts')
    writeFileSync(file, 'const patience = 250\n')
    git(root, ['add', '-A'])
    git(root, ['commit', '-qm', 'start'], START + 5000)
    const hash = git(root, ['rev-parse', 'HEAD'])
    ran(log(home, 'one', root).user('commit'), 'git commit -m start', `[main ${hash.slice(0, 8)}] start`)
    edited(log(home, 'two', root, 2).user('edit'), file, 'const a = 1', 'const patience = 250')
    const { recall } = await indexed(home)
    const found = await recall.evidence.blame(`${file}:1`, '/')
    expect(found).toMatchObject({ session: { uid: uid('one') }, reason: 'commit', commit: hash })
    await recall.close()
  })
})
