import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

interface Package {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const root = path.resolve(import.meta.dirname, '..')
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Package>>
}

test('the lock file has the binaries of every platform, so that `npm ci` works on each', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages || `${place}/node_modules/${name}` in packages))
      .map((name) => `${name} of ${place}`),
  )
  expect(missing).toEqual([])
})

test('the lock file names no place to fetch from', () => {
  expect(Object.keys(packages).filter((place) => packages[place]?.resolved !== undefined)).toEqual([])
})
