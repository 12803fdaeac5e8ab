import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sources } from '../src/sources/index.ts'

const CONTRACTS = [
  'model/',
  'sources/source.ts',
  'store/store.ts',
  'store/text-index.ts',
  'store/memory.ts',
  'store/insight.ts',
  'store/evidence.ts',
  'store/chronicle.ts',
  'store/vectors.ts',
]
const MAX_LINES = 400

/** Where a file lives → what it may import besides its own folder. First match wins. */
const LAYERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(main|thread|library|operation-thread|product)\.ts$/, ['']],
  [/^model\//, []],
  [/^settings\//, ['model/']],
  [/^sources\/(index|permissions)\.ts$/, ['model/', 'sources/']],
  [/^sources\//, ['model/', 'sources/source.ts', 'sources/kit/']],
  [/^store\/open\.ts$/, ['model/', 'store/']],
  [/^store\//, [...CONTRACTS, 'store/sql/', 'store/blobs/']],
  [/^distill\//, ['model/']],
  [/^demo\//, ['model/', 'demo/']],
  [/^ingest\//, [...CONTRACTS, 'distill/']],
  [/^(search|insight)\//, [...CONTRACTS, 'distill/', 'settings/', 'insight/']],
  [/^retention\//, [...CONTRACTS, 'distill/', 'hub/', 'ingest/run.ts', 'ingest/scan.ts', 'ingest/stamp.ts']],
  [/^hub\//, ['model/']],
  [/^capture\//, [...CONTRACTS, 'settings/', 'ingest/lock.ts', 'sources/kit/hooks.ts']],
  [/^hook\.ts$/, ['capture/', 'settings/', 'sources/grok/hook-origin.ts']],
  [
    /^(recall|parts)\.ts$/,
    [
      ...CONTRACTS,
      'parts.ts',
      'ingest/',
      'distill/',
      'search/',
      'insight/',
      'retention/',
      'hub/',
      'capture/',
      'settings/',
    ],
  ],
  [
    /^operations\//,
    [
      ...CONTRACTS,
      'settings/',
      'recall.ts',
      'ingest/run.ts',
      'ingest/secrets-in-files.ts',
      'search/',
      'insight/',
      'retention/',
      'capture/',
      'hub/',
      'sources/permissions.ts',
    ],
  ],
  [/^mcp\//, ['model/', 'operations/']],
  [
    /^cli\//,
    [
      ...CONTRACTS,
      'settings/',
      'operations/',
      'recall.ts',
      'ingest/run.ts',
      'search/',
      'insight/',
      'retention/',
      'capture/',
      'demo/',
      'mcp/',
      'cli/',
    ],
  ],
]

const src = path.resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
const code = new Map(files.map((file) => [file, readFileSync(path.join(src, file), 'utf8')]))

/** What a file imports of ours, at once, later or for its types. */
function importsOf(file: string): string[] {
  const named = (code.get(file) ?? '').matchAll(/(?:from |import\()'(\.[^']+)'/g)
  return [...named].map((match) => path.normalize(path.join(path.dirname(file), match[1] ?? '')))
}

describe.each(files)('src/%s', (file) => {
  const text = code.get(file) ?? ''

  test('keeps to its layer', () => {
    const allowed = LAYERS.find(([where]) => where.test(file))?.[1]
    expect(allowed, 'no layer claims this file').toBeDefined()
    const here = path.dirname(file)
    const stray = importsOf(file)
      .filter((target) => path.dirname(target) !== here || here === '.')
      .filter((target) => !allowed?.some((prefix) => target.startsWith(prefix)))
    expect(stray).toEqual([])
  })

  test('keeps to its size', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(MAX_LINES)
  })
})

test('no folder is a drawer for everything', () => {
  expect(files.filter((file) => /(^|\/)(utils?|common|helpers?|shared|lib)(\/|\.ts)/.test(file))).toEqual([])
})

test('only the program itself ends the process, and only settings and it read the environment', () => {
  const exits = files.filter((file) => /process\.exit\(/.test(code.get(file) ?? ''))
  const readers = files.filter((file) => /process\.env|\{ env[ ,}].*process/.test(code.get(file) ?? ''))
  expect(exits).toEqual(['main.ts'])
  expect(readers.filter((file) => file !== 'main.ts' && file !== 'library.ts')).toEqual([])
})

test('the names of agents occur only where agents are read', () => {
  const names = new RegExp(`['"\`](${sources.map((source) => source.name).join('|')})['"\`]`)
  const knowing = files.filter((file) => !/^(sources|demo)\//.test(file) && names.test(code.get(file) ?? ''))
  expect(knowing).toEqual([])
})
