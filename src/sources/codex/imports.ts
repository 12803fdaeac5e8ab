import { statSync } from 'node:fs'
import { readRegular } from '../../model/regular-file.ts'
import { asArray, asObject, asText, parseObjects } from '../kit/json.ts'
import type { Unit } from '../source.ts'
import { importsOf, placeOf } from './place.ts'

const MAX_BYTES = 16 * 1024 * 1024
const CLAUDE = /[\\/]projects[\\/][^\\/]+[\\/]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/

/** A transcript of Claude Code that a thread was made from. */
export interface ImportedFrom {
  readonly path: string
  readonly session: string
}

/** The session that a rollout's thread was made from; null if it was made from none, or from one of an agent that nobody here reads. */
export function importedFrom(unit: Unit): ImportedFrom | null {
  return importsIn(importsOf(unit)).get(placeOf(unit.path).session) ?? null
}

/** What was read last: one file for all rollouts. */
let latest: { readonly key: string; readonly imports: ReadonlyMap<string, ImportedFrom> } | null = null

function importsIn(file: string): ReadonlyMap<string, ImportedFrom> {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return new Map()
  const key = `${file}:${stat.ino}:${stat.size}:${stat.mtimeMs}`
  if (latest?.key !== key) latest = { key, imports: parse(readRegular(file, MAX_BYTES) ?? '') }
  return latest.imports
}

function parse(text: string): ReadonlyMap<string, ImportedFrom> {
  const imports = new Map<string, ImportedFrom>()
  for (const record of asArray(parseObjects(text)?.[0]?.['records'])) {
    const json = asObject(record)
    const thread = asText(json?.['imported_thread_id'])
    const source = asText(json?.['source_path'])
    const session = source === null ? undefined : CLAUDE.exec(source)?.[1]
    if (thread !== null && source !== null && session !== undefined) imports.set(thread, { path: source, session })
  }
  return imports
}
