import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const dist = path.resolve(import.meta.dirname, '../dist')

/** Files and modules that a built file cannot start without. */
function loadedWith(entry: string): { files: Map<string, number>; modules: Set<string> } {
  const files = new Map<string, number>()
  const modules = new Set<string>()
  const load = (file: string) => {
    if (files.has(file)) return
    const text = readFileSync(path.join(dist, file), 'utf8')
    files.set(file, Buffer.byteLength(text))
    // What is loaded later stands in a function: `then(() => require("…"))`.
    for (const [, name = ''] of text.matchAll(/(?<!=>)\brequire\(["'`]([^"'`]+)["'`]\)/g)) {
      if (name.startsWith('./')) load(name.slice(2))
      else modules.add(name)
    }
  }
  load(entry)
  return { files, modules }
}

test('the program starts with little to load: few files, no part of Node that takes long', () => {
  const { files, modules } = loadedWith('main.cjs')
  expect([...files.keys()].length).toBeLessThanOrEqual(3)
  expect([...files.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(220_000)
  expect([...modules].filter((name) => /crypto|zlib|child_process|worker_threads|http|readline/.test(name))).toEqual([])
})

test('whoever only looks whether files have changed loads no part of Node that takes long either', () => {
  const looks = readdirSync(dist).filter((name) => /^run-.*cjs$/.test(name))
  const modules = looks.map((name) => loadedWith(name).modules)
  expect(modules).toHaveLength(1)
  expect([...modules[0]!].filter((name) => /crypto|zlib|worker_threads/.test(name))).toEqual([])
})
