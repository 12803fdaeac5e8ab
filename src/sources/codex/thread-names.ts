import { titleText } from '../../model/facts.ts'
import { isOutOfDescriptors, isSystemError, openRegular } from '../../model/regular-file.ts'
import { closeSync, fstatSync, readSync } from 'node:fs'
import { asText, parseObjects } from '../kit/json.ts'
import { ORIGINALITY, type Item, type Unit } from '../source.ts'
import { importedFrom } from './imports.ts'
import { isPromptLog, nameIndexOf, placeOf } from './place.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** What that index says of the rollout now. */
export function nameItems(unit: Unit): readonly Item[] {
  if (isPromptLog(unit) || importedFrom(unit) !== null) return []
  const { session, lane } = placeOf(unit.path)
  const name = nameIn(lastBytes(nameIndexOf(unit)), session)
  if (name === null) return []
  return [
    { item: 'lane', session, lane, originality: ORIGINALITY.main, mainPath: unit.path },
    { item: 'facts', session, lane, facts: { agentTitle: titleText(name) } },
  ]
}

function nameIn(index: Buffer, session: string): string | null {
  const mark = `"${session}"`
  for (let at = index.lastIndexOf(mark); at !== -1; at = at === 0 ? -1 : index.lastIndexOf(mark, at - 1)) {
    const end = index.indexOf(10, at)
    if (end === -1) continue
    const record = parseObjects(index.toString('utf8', index.lastIndexOf(10, at) + 1, end))?.[0]
    const name = record?.['id'] === session ? asText(record['thread_name'])?.trim() : undefined
    if (name) return name
  }
  return null
}

/** The end of a file that only grows; empty if there is none. */
function lastBytes(file: string): Buffer {
  let fd: number
  try {
    fd = openRegular(file)
  } catch (error) {
    if (isSystemError(error) && !isOutOfDescriptors(error)) return Buffer.alloc(0)
    throw error
  }
  try {
    const { size } = fstatSync(fd)
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES))
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length))
  } finally {
    closeSync(fd)
  }
}
