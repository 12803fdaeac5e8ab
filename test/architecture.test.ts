import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sources } from '../src/sources/index.ts'

const CONTRACTS = [
  'model/',
  'sources/source.ts',
  'store/store.ts',
  'store/ingest.ts',
  'store/reading.ts',
  'store/text-index.ts',
  'store/keeping.ts',
  'store/insight.ts',
  'store/evidence.ts',
  'store/activity.ts',
  'store/vectors.ts',
  'store/pointers.ts',
  'store/permissions.ts',
  'store/portable.ts',
]
const MAX_LINES = 400

/** Where a file lives → what it may import besides its own folder. First match wins. */
const LAYERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(main|thread|plugin-thread|sql-process|library|operation-thread|product|session-manager|compaction|brief)\.ts$/,
    [''],
  ],
  [/^model\//, []],
  [/^settings\//, ['model/']],
  [/^sources\/(index|permissions|group-agents|connections)\.ts$/, ['model/', 'sources/']],
  [/^sources\//, ['model/', 'sources/source.ts', 'sources/kit/']],
  [/^store\/open\.ts$/, ['model/', 'store/']],
  [/^store\//, [...CONTRACTS, 'store/blobs/', 'store/sqlite/migrations/']],
  [/^(distill|page)\//, ['model/']],
  [/^demo\//, ['model/', 'demo/']],
  [/^ingest\//, [...CONTRACTS, 'distill/']],
  [/^plugins\//, [...CONTRACTS, 'ingest/', 'sources/kit/']],
  [/^(search|insight)\//, [...CONTRACTS, 'distill/', 'settings/', 'insight/']],
  [/^retention\//, [...CONTRACTS, 'distill/', 'hub/', 'ingest/run.ts', 'ingest/scan.ts', 'ingest/stamp.ts']],
  [
    /^portable\//,
    [...CONTRACTS, 'page/', 'ingest/redact.ts', 'ingest/bodies.ts', 'insight/journals.ts', 'sources/kit/', 'settings/'],
  ],
  [/^hub\//, ['model/']],
  [/^groups\//, [...CONTRACTS, 'settings/']],
  [/^capture\//, [...CONTRACTS, 'settings/', 'ingest/lock.ts', 'sources/kit/hooks.ts']],
  [/^hook\.ts$/, ['capture/', 'settings/', 'sources/grok/hook-origin.ts', 'compaction.ts']],
  [
    /^(recall|parts|indexing|portables|restoring|carrying|keepers|added-sources)\.ts$/,
    [
      ...CONTRACTS,
      'parts.ts',
      'added-sources.ts',
      'indexing.ts',
      'portables.ts',
      'restoring.ts',
      'carrying.ts',
      'keepers.ts',
      'portable/',
      'recall.ts',
      'ingest/',
      'plugins/',
      'distill/',
      'search/',
      'insight/',
      'retention/',
      'hub/',
      'groups/',
      'capture/',
      'settings/',
      'sources/permissions.ts',
    ],
  ],
  [
    /^operations\//,
    [
      ...CONTRACTS,
      'settings/',
      'recall.ts',
      'ingest/run.ts',
      'ingest/moved.ts',
      'ingest/secrets-in-files.ts',
      'search/',
      'insight/',
      'retention/',
      'capture/',
      'hub/',
      'groups/',
      'portable/',
      'sources/permissions.ts',
      'sources/connections.ts',
      'sources/kit/',
    ],
  ],
  [/^http\//, ['model/']],
  [/^mcp\//, ['model/', 'operations/', 'http/', 'groups/tools.ts', 'groups/places.ts']],
  [/^web\/browser\//, ['model/', 'operations/', 'page/', 'web/browser/']],
  [/^web\//, ['model/', 'operations/', 'http/']],
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
      'groups/',
      'portable/',
      'demo/',
      'mcp/',
      'web/',
      'cli/',
    ],
  ],
]

const src = path.resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.tsx?$/.test(file))
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

/** What a file needs when it runs: types are gone by then. */
function neededBy(file: string): string[] {
  const needed = (code.get(file) ?? '').matchAll(
    /(?:^|\n)(?:import|export) (?!type )([^'";]*?)from '(\.[^']+)'|import\('(\.[^']+)'\)/g,
  )
  return [...needed].flatMap(([, names = '', now, later]) => {
    const onlyTypes = names !== '' && /^\s*\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}\s*$/.test(names)
    return onlyTypes ? [] : [path.normalize(path.join(path.dirname(file), now ?? later ?? ''))]
  })
}

test('no file needs itself by way of others', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) return void cycles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const next of neededBy(file)) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

/** A contract that grows asks too much of whoever fulfils it. */
const MOST_METHODS: Readonly<Record<string, number>> = {
  'sources/source.ts': 10,
  'store/ingest.ts': 16,
  'store/reading.ts': 14,
  'store/keeping.ts': 18,
  'store/insight.ts': 12,
  'store/evidence.ts': 9,
  'store/activity.ts': 7,
  'store/vectors.ts': 7,
  'store/permissions.ts': 3,
  'store/portable.ts': 8,
  'operations/operation.ts': 2,
}

test.each(Object.entries(MOST_METHODS))('the contracts of %s stay small', (file, most) => {
  const bodies = (code.get(file) ?? '').matchAll(/export interface \w+[^{]*\{\n([\s\S]*?)\n\}/g)
  const methods = [...bodies].map(([, body = '']) => [...body.matchAll(/^ {2}\w+\??[(<]/gm)].length)
  expect(methods.length).toBeGreaterThan(0)
  expect(Math.max(...methods)).toBeLessThanOrEqual(most)
})

test('no folder is a drawer for everything', () => {
  expect(files.filter((file) => /(^|\/)(utils?|common|helpers?|shared|lib)(\/|\.ts)/.test(file))).toEqual([])
})

test('only the program itself ends the process, and only settings and it read the environment', () => {
  const exits = files.filter((file) => /process\.exit\(/.test(code.get(file) ?? ''))
  const readers = files.filter((file) => /process\.env|\{ env[ ,}].*process/.test(code.get(file) ?? ''))
  expect(exits).toEqual(['main.ts'])
  expect(readers.filter((file) => !['main.ts', 'library.ts', 'session-manager.ts'].includes(file))).toEqual([])
})

test('the names of agents occur only where agents are read', () => {
  const names = new RegExp(`['"\`](${sources.map((source) => source.name).join('|')})['"\`]`)
  const knowing = files.filter((file) => !/^(sources|demo)\//.test(file) && names.test(code.get(file) ?? ''))
  expect(knowing).toEqual([])
})
