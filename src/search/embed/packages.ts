import { createRequire } from 'node:module'
import path from 'node:path'

type Require = ReturnType<typeof createRequire>

/** Packages that recall can use and does not bring: first those in `<data>/models`, then those installed beside recall. */
function places(modelsDir: string): Require[] {
  return [createRequire(path.join(modelsDir, 'package.json')), createRequire(import.meta.url)]
}

export function hasPackage(modelsDir: string, name: string): boolean {
  return find(modelsDir, name) !== null
}

/** The package's exports. Throws if it is not there. */
export function loadPackage(modelsDir: string, name: string): Record<string, unknown> {
  const place = find(modelsDir, name)
  if (place === null) throw new Error(`package ${name} is not installed`)
  return place(name) as Record<string, unknown>
}

export function installHint(modelsDir: string, names: readonly string[]): string {
  return `npm install --prefix ${JSON.stringify(modelsDir)} ${names.join(' ')}`
}

function find(modelsDir: string, name: string): Require | null {
  return places(modelsDir).find((place) => resolves(place, name)) ?? null
}

function resolves(place: Require, name: string): boolean {
  try {
    place.resolve(name)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}
