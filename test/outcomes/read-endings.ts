import { readFileSync } from 'node:fs'
import type { Ending } from './terminal-script.ts'

const VALUES = {
  shape: ['claude', 'codex', 'grok'],
  outcome: ['success', 'fail', 'abandoned', 'unknown'],
  ends: ['red', 'interrupted', 'refused'],
  by: ['program', 'subagent'],
} as const

/** The endings of a text file: records between lines of `---`, each a header, an empty line and a script. */
export function readEndings(file: string): Ending[] {
  return readFileSync(file, 'utf8')
    .split(/^---\n/m)
    .map((record) => endingOf(record))
}

function endingOf(record: string): Ending {
  const gap = record.indexOf('\n\n')
  if (gap < 0) throw new Error(`no script below the header: ${record}`)
  const header = new Map<string, string>()
  for (const line of record.slice(0, gap).split('\n')) {
    const [, key = '', value = ''] = /^(name|shape|outcome|ends|by|why): (.+)$/.exec(line) ?? []
    if (key === '' || header.has(key)) throw new Error(`no such header line: ${line}`)
    header.set(key, value)
  }
  const name = told(header, 'name')
  const one = <T extends string>(values: readonly T[], key: string) => oneOf(values, told(header, key), name)
  return {
    name,
    shape: one(VALUES.shape, 'shape'),
    outcome: one(VALUES.outcome, 'outcome'),
    why: header.get('why') ?? '',
    ...(header.has('ends') ? { ends: one(VALUES.ends, 'ends') } : {}),
    ...(header.has('by') ? { by: one(VALUES.by, 'by') } : {}),
    script: record.slice(gap + 2),
  }
}

function told(header: ReadonlyMap<string, string>, key: string): string {
  const value = header.get(key)
  if (value === undefined) throw new Error(`no ${key} in ${JSON.stringify(Object.fromEntries(header))}`)
  return value
}

function oneOf<T extends string>(values: readonly T[], value: string, name: string): T {
  const known = values.find((each) => each === value)
  if (known === undefined) throw new Error(`no such value in ${name}: ${value}`)
  return known
}
