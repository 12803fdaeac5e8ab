import { createHash } from 'node:crypto'
import path from 'node:path'
import { readRegular, statRegular } from '../../model/regular-file.ts'
import { asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import type { InnerTranscript, Unit } from '../source.ts'
import { timeOf } from './database-session.ts'
import { namesIn, treePlace, type TreePlace } from './places.ts'
import type { Message, SessionRow, SessionStore } from './rows.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** The session that a tree of small files keeps, and what changes whenever one of them does. */
export function sessionAt(unit: Unit): InnerTranscript {
  const place = treePlace(unit)
  const hash = createHash('sha256')
  let size = 1
  let mtimeMs = 0
  for (const file of [unit.path, ...messageFiles(place).flatMap((name) => [name, ...partFiles(place, name)])]) {
    const stat = statRegular(file)
    if (stat === null) continue
    hash.update(`${file}\0${stat.ino}\0${stat.size}\0${stat.mtimeMs}\0`)
    size += stat.size
    mtimeMs = Math.max(mtimeMs, stat.mtimeMs)
  }
  return { name: place.session, version: hash.digest('hex').slice(0, 32), size, mtimeMs }
}

function messageFiles(place: TreePlace): string[] {
  const names = namesIn(place.messages).filter((name) => /^msg_\w+\.json$/.test(name))
  return names.map((name) => path.join(place.messages, name))
}

function partFiles(place: TreePlace, message: string): string[] {
  const dir = place.partsOf(path.basename(message, '.json'))
  const names = namesIn(dir).filter((name) => /^prt_\w+\.json$/.test(name))
  return names.map((name) => path.join(dir, name))
}

/** Small files are rewritten in any order: a session that has changed is read whole. */
export class TreeSession implements SessionStore {
  readonly #unit: Unit
  readonly #place: TreePlace

  constructor(unit: Unit) {
    this.#unit = unit
    this.#place = treePlace(unit)
  }

  session(): SessionRow | null {
    const info = readObject(this.#unit.path).object
    if (info === null) return null
    const time = asObject(info['time'])
    return {
      id: this.#place.session,
      parent: asText(info['parentID']),
      directory: asText(info['directory']),
      title: asText(info['title']),
      version: asText(info['version']),
      createdAt: timeOf(time?.['created']),
      archivedAt: timeOf(time?.['archived']),
      revertedFrom: asText(asObject(info['revert'])?.['messageID']),
      permission: info['permission'],
    }
  }

  changed(): number {
    return 0
  }

  stillStands(): boolean {
    return false
  }

  has(): boolean {
    return true
  }

  *messages(): Generator<Message> {
    const found = messageFiles(this.#place).map((file) => {
      const { object, bytes } = readObject(file)
      return { file, object, bytes, id: path.basename(file, '.json'), at: createdAt(object) }
    })
    found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    for (const { file, object, bytes, id, at } of found) {
      const parts = partFiles(this.#place, file).map(readObject)
      const all = parts.reduce((sum, part) => sum + part.bytes, bytes)
      yield { id, at, data: object, parts: parts.map((part) => part.object), isRemoved: false, bytes: all }
    }
  }

  /** A tree has no index by time. */
  origin(): string | null {
    return null
  }

  close(): void {}
}

function createdAt(message: Json | null): number {
  return timeOf(asObject(message?.['time'])?.['created']) ?? 0
}

function readObject(file: string): { object: Json | null; bytes: number } {
  const text = readRegular(file, MAX_BYTES)
  const parsed = text === null ? null : parseObjects(text)
  return { object: parsed?.length === 1 ? (parsed[0] ?? null) : null, bytes: text?.length ?? 0 }
}
