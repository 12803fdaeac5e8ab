import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { appending } from './appending.ts'
import { changes } from './changes.ts'
import { ingesting } from './ingesting.ts'
import { keeping } from './keeping.ts'
import { portable } from './portable.ts'
import { reading } from './reading.ts'
import { sums } from './sums.ts'
import { vectors } from './vectors.ts'

/** Where each part of the contract is declared, and under which name a store has it. */
const CONTRACTS = [
  ['ingest.ts', 'Ingest', ''],
  ['reading.ts', 'Reading', ''],
  ['keeping.ts', 'Keeping', 'keeping.'],
  ['text-index.ts', 'TextIndex', 'text.'],
  ['insight.ts', 'InsightQueries', 'insight.'],
  ['evidence.ts', 'EvidenceQueries', 'evidence.'],
  ['activity.ts', 'ActivityQueries', 'activity.'],
  ['vectors.ts', 'Vectors', 'vectors.'],
  ['portable.ts', 'Portable', 'portable.'],
] as const

/** What every store promises. A new store joins with one line. Every method of the contract is called. */
export function storeConformance(name: string, open: () => Promise<Store>): void {
  const called = new Set<string>()
  const watched = async () => watch(await open(), '', called)
  describe(`store: ${name}`, () => {
    for (const part of [appending, ingesting, reading, sums, keeping, changes, vectors, portable]) part(watched)

    afterAll(() => {
      const methods = CONTRACTS.flatMap(methodsOf)
      expect(methods.filter((method) => !called.has(method))).toEqual([])
    })
  })
}

/** The same store, noting what is called. */
function watch<T extends object>(target: T, prefix: string, called: Set<string>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value === 'object' && value !== null) return watch(value, `${prefix}${String(name)}.`, called)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        called.add(prefix + String(name))
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
}

function methodsOf([file, type, prefix]: (typeof CONTRACTS)[number]): string[] {
  const code = readFileSync(path.resolve(import.meta.dirname, '../../src/store', file), 'utf8')
  const body = new RegExp(`export interface ${type} \\{([\\s\\S]*?)\\n\\}`).exec(code)?.[1] ?? ''
  const methods = [...body.matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map((match) => prefix + (match[1] ?? ''))
  expect(methods.length, `${type} in ${file}`).toBeGreaterThan(0)
  return methods
}
