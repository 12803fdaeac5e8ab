import { closeSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { MAIN_LANE } from '../../model/event.ts'
import { titleText, type Facts } from '../../model/facts.ts'
import { isOutOfDescriptors, isSystemError, openRegular } from '../../model/regular-file.ts'
import { ORIGINALITY, type Item, type Unit } from '../source.ts'

const FIELD = /^(\w+):[ \t]*(.*)$/
const MAX_LENGTH = 64 * 1024

/** What `workspace.yaml` says of its session: a flat list of names and values. */
export function detailItems(dir: string, unit: Unit): readonly Item[] {
  const fields = readFields(path.join(dir, 'workspace.yaml'))
  const name = fields.get('name') ?? ''
  const cwd = fields.get('cwd') ?? ''
  const facts: Partial<Facts> = {}
  if (name !== '') facts[fields.get('user_named') === 'true' ? 'customTitle' : 'agentTitle'] = titleText(name)
  if (cwd !== '') facts.cwd = cwd
  if (Object.keys(facts).length === 0) return []
  const ref = { session: path.basename(dir), lane: MAIN_LANE }
  return [
    { item: 'lane', ...ref, originality: ORIGINALITY.main, mainPath: unit.path },
    { item: 'facts', ...ref, facts },
  ]
}

function readFields(file: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const lines = textOf(file).slice(0, MAX_LENGTH).split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    if (name !== '') fields.set(name, plain(value.trim(), lines, at + 1))
  }
  return fields
}

/** A value as YAML writes it: bare, between quotes, or on the indented lines that follow. */
function plain(value: string, lines: readonly string[], next: number): string {
  if (/^[|>][-+]?\d*$/.test(value)) {
    const end = lines.findIndex((line, at) => at >= next && line !== '' && !/^\s/.test(line))
    const block = lines.slice(next, end === -1 ? undefined : end).map((line) => line.trim())
    return block.join(value.startsWith('|') ? '\n' : ' ').trim()
  }
  if (value.length > 1 && value.startsWith("'") && value.endsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  if (!value.startsWith('"')) return value === 'null' || value === '~' ? '' : value
  try {
    return String(JSON.parse(value))
  } catch (error) {
    if (error instanceof SyntaxError) return value.replace(/^"|"$/g, '')
    throw error
  }
}

function textOf(file: string): string {
  try {
    const fd = openRegular(file)
    try {
      return readFileSync(fd, 'utf8')
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (isSystemError(error) && !isOutOfDescriptors(error)) return ''
    throw error
  }
}
