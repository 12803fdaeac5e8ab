import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRecall, RecallError } from '../src/library.ts'
import { cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { demoHome, tempDir } from './kit/home.ts'

const root = path.resolve(import.meta.dirname, '..')
const tsc = path.join(root, 'node_modules/.bin/tsc')

/** A project of somebody's that has installed the packed tarball; what it depends on is linked. */
function projectWithTarball(): string {
  const dir = tempDir()
  execFileSync(tsc, ['-p', 'tsconfig.types.json'], { cwd: root })
  writeFileSync(path.join(root, 'dist/types/package.json'), '{ "type": "commonjs" }\n')
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const home = path.join(dir, 'node_modules/@helix-forge/recall')
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['-xzf', path.join(dir, filename), '--strip-components=1', '-C', home])
  for (const name of ['@photostructure', '@types', 'undici-types']) {
    const target = path.join(root, 'node_modules', name)
    if (existsSync(target)) symlinkSync(target, path.join(dir, 'node_modules', name))
  }
  return dir
}

const example = /```ts\n([\s\S]+?)```/.exec(readFileSync(path.join(root, 'docs/library.md'), 'utf8'))?.[1] ?? ''

describe('the packed tarball', () => {
  let dir = ''
  let env: Record<string, string> = {}
  beforeAll(() => {
    dir = projectWithTarball()
    env = cleanEnv(demoHome())
  })

  test('the example of the docs is 20 lines at most', () => {
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(20)
  })

  test.each([
    ['ESM', 'module', example],
    ['CommonJS', 'commonjs', `async function main() {\n${example.replace(/^import .*$/m, '')}\n}\nvoid main()`],
  ])('the example compiles and runs under %s', (_, type, code) => {
    const where = path.join(dir, type)
    mkdirSync(where, { recursive: true })
    const imports = example.split('\n')[0] ?? ''
    writeFileSync(path.join(where, 'package.json'), JSON.stringify({ type }))
    writeFileSync(path.join(where, 'example.ts'), type === 'module' ? code : `${imports}\n${code}`)
    const options = { module: 'nodenext', strict: true, target: 'es2022', outDir: 'out', types: ['node'] }
    writeFileSync(
      path.join(where, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['example.ts'] }),
    )
    const compiled = spawnSync(tsc, ['-p', '.'], { cwd: where, encoding: 'utf8' })
    expect(compiled.stdout).toBe('')
    const run = spawnSync(process.execPath, ['out/example.js'], { cwd: where, env, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.stdout).toContain('nginx does not start after a config change')
    expect(run.status).toBe(0)
  })

  test('a wrong input does not compile', () => {
    const where = path.join(dir, 'module')
    writeFileSync(
      path.join(where, 'example.ts'),
      `import { openRecall } from '@helix-forge/recall'\nawait (await openRecall()).search({ limit: 'three' })\n`,
    )
    expect(spawnSync(tsc, ['-p', '.', '--noEmit'], { cwd: where, encoding: 'utf8' }).stdout).toContain('TS2322')
  })
})

describe('openRecall', () => {
  let env: Record<string, string> = {}
  beforeAll(() => {
    env = cleanEnv(demoHome())
    expect(recallCli(env, 'index').code).toBe(0)
  })

  test('methods answer with the documents of --json', async () => {
    const recall = await openRecall({ env, threads: 0 })
    const { code: _, ...listed } = recallJson(env, 'list', '--limit', '5', '--since', '2000-01-01')
    expect(await recall.list({ limit: 5, since: '2000-01-01' })).toEqual(listed)
    const { code: __, ...found } = recallJson(env, 'search', 'nginx', '--context', '1')
    expect(await recall.search({ query: 'nginx', context: 1 })).toEqual(found)
    await recall.close()
  })

  test('a wrong input is refused with its name', async () => {
    const recall = await openRecall({ env, threads: 0 })
    const refused = async (input: object) => recall.list(input as never).catch((error: unknown) => error)
    for (const [input, message] of [
      [{ limit: 'x' }, 'limit must be a whole number, not "x"'],
      [{ limit: -1 }, 'limit must be at least 0, not -1'],
      [{ kind: 'nonsense' }, /^kind must be one of .*, not "nonsense"$/],
      [{ nonsense: 1 }, 'there is no input "nonsense"'],
      [{ since: 'tomorrow-ish' }, 'cannot read the time "tomorrow-ish"'],
      [null, 'an input is an object of named values'],
    ] as const) {
      const error = await refused(input as object)
      expect(error).toBeInstanceOf(RecallError)
      expect((error as RecallError).message).toEqual(
        typeof message === 'string' ? message : expect.stringMatching(message),
      )
      expect((error as RecallError).code).toBe('USAGE')
    }
    await recall.close()
  })
})

/** The library as it is installed, with its threads. */
function built(): Promise<typeof import('../src/library.ts')> {
  return import(path.join(root, 'dist/library.cjs'))
}

describe('a process that stays open', () => {
  test('answers as a new one would, whatever others do', async () => {
    const home = demoHome()
    const env = cleanEnv(home)
    expect(recallCli(env, 'index', '--source', 'codex').code).toBe(0)
    const recall = await (await built()).openRecall({ env })
    const same = async () => {
      const { code: _, ...listed } = recallJson(env, 'list', '--limit', '0')
      const { code: __, ...tools } = recallJson(env, 'stats', 'tools')
      const { code: ___, ...found } = recallJson(env, 'search', 'nginx')
      expect(await recall.list({ limit: 0 })).toEqual(listed)
      expect(await recall.statsTools()).toEqual(tools)
      expect(await recall.search({ query: 'nginx' })).toEqual(found)
      return listed['total']
    }
    const before = await same()
    expect(recallCli(env, 'index').code).toBe(0)
    const after = await same()
    expect(after).toBeGreaterThan(before as number)
    const uid = (await recall.list({ limit: 1 })).sessions[0]?.session_uid ?? ''
    expect(recallCli(env, 'forget', uid, '--yes').code).toBe(0)
    expect(await same()).toBe((after as number) - 1)
    expect(recallCli(env, 'index', '--recreate').code).toBe(0)
    expect(await same()).toBe((after as number) - 1)
    await recall.close()
  })

  test('a report runs on a thread: what is quick is answered meanwhile', async () => {
    const env = cleanEnv(demoHome())
    expect(recallCli(env, 'index').code).toBe(0)
    const recall = await (await built()).openRecall({ env })
    await recall.statsTools()
    const order: string[] = []
    const reports = [recall.stats(), recall.retro({ since: '2000-01-01' }), recall.cost({ by: 'session' })]
    const all = reports.map((report) => report.then(() => order.push('report')))
    await recall.list({ limit: 1 }).then(() => order.push('list'))
    await Promise.all(all)
    expect(order[0]).toBe('list')
    await expect(recall.statsAudit({ what: 'nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await recall.close()
  })
})
