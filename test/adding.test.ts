import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { cleanEnv } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

const root = path.resolve(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'docs/adding.md'), 'utf8')

/** Puts what the page says into a copy of the project: whole files, and lines behind the line they follow. */
function follow(copy: string): void {
  for (const [, file = '', text = ''] of page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]+?)```/g)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), text)
  }
  for (const [, diff = ''] of page.matchAll(/```diff\n([\s\S]+?)```/g))
    for (const [, file = '', lines = ''] of diff.matchAll(/^# (\S+)\n((?:[ +-].*\n)+)/gm))
      apply(path.join(copy, file), lines)
}

function apply(file: string, diff: string): void {
  let text = readFileSync(file, 'utf8')
  const lines = diff.trimEnd().split('\n')
  const added = (from: number) => {
    const end = lines.findIndex((line, i) => i >= from && !line.startsWith('+'))
    return lines.slice(from, end === -1 ? undefined : end).map((line) => line.slice(1))
  }
  lines.forEach((line, i) => {
    if (line.startsWith('+')) {
      if (i === 0) text = `${added(0).join('\n')}\n${text}`
      return
    }
    const old = line.slice(1)
    expect(text.split('\n'), `${file} has no such line`).toContain(old)
    const kept = line.startsWith('-') ? [] : [old]
    text = text.replace(old, () => [...kept, ...added(i + 1)].join('\n'))
  })
  writeFileSync(file, text)
}

let copy = ''
let env: Record<string, string> = {}

function recall(...args: string[]) {
  const run = spawnSync(process.execPath, [path.join(copy, 'dist/start.cjs'), ...args], { env, encoding: 'utf8' })
  expect(run.stderr).toBe('')
  return run.stdout
}

beforeAll(async () => {
  copy = tempDir()
  cpSync(path.join(root, 'src'), path.join(copy, 'src'), { recursive: true })
  for (const name of ['node_modules', 'package.json']) symlinkSync(path.join(root, name), path.join(copy, name))
  writeFileSync(
    path.join(copy, 'tsconfig.json'),
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      include: ['src'],
      exclude: ['src/**/*.test.ts', 'src/web/browser'],
    }),
  )
  follow(copy)
  const common: BuildOptions = {
    platform: 'node',
    format: 'cjs',
    bundle: true,
    external: ['@photostructure/sqlite', '@duckdb/node-api'],
  }
  const define = { 'import.meta.url': '__url' }
  const banner = { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' }
  for (const name of ['main', 'thread'])
    await build({
      ...common,
      define,
      banner,
      logLevel: 'silent',
      entryPoints: [path.join(copy, `src/${name}.ts`)],
      outfile: path.join(copy, `dist/${name}.cjs`),
    })
  writeFileSync(path.join(copy, 'dist/start.cjs'), `require('./main.cjs').main(process.argv.slice(2), '0')\n`)
  const home = tempDir()
  env = cleanEnv(home)
  const said = [
    { id: 'a', at: '2026-11-02T10:00:00Z', who: 'person', says: 'teach me the word kumquat' },
    { id: 'b', at: '2026-11-02T10:00:09Z', who: 'parrot', says: 'kumquat, kumquat' },
  ]
  mkdirSync(path.join(home, '.parrot/sessions'), { recursive: true })
  writeFileSync(
    path.join(home, '.parrot/sessions/first-lesson.jsonl'),
    said.map((record) => `${JSON.stringify(record)}\n`).join(''),
  )
})

test('what the page adds has the right types', () => {
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: copy, stdio: 'inherit' })
})

test('the agent that it adds is read, listed and found', () => {
  expect(JSON.parse(recall('index', '--json'))).toMatchObject({ sessions: { new: 1 }, problems: 0 })
  expect(JSON.parse(recall('list', '--source', 'parrot', '--json'))).toMatchObject({
    sessions: [{ session_uid: 'parrot:first-lesson', message_count: 2, title: 'teach me the word kumquat' }],
  })
  expect(JSON.parse(recall('search', 'kumquat', '--json')).hits[0].session.flavor).toBe('parrot')
})

test('the operation that it adds is a command with JSON, a table and help', () => {
  const { days } = JSON.parse(recall('weekdays', '--json'))
  expect(days).toContainEqual({ day: 'Mon', sessions: 1 })
  expect(recall('weekdays')).toMatch(/^day +sessions\n/)
  expect(recall('weekdays', '--help')).toContain('--since <when>')
})
