import path from 'node:path'
import { asObject, asText, parseObjects } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import type { Checkpoint, Source } from '../source.ts'
import { CopyReading } from './copy.ts'
import { AS_COPY, FlatReading } from './flat.ts'

const TRACES = path.join('memory', 'traces')
const LOOK_AHEAD = 16 * 1024

/**
 * The traces of kei-memory, one JSONL per session. Since 2026-04-30 a trace is a copy of the transcript of
 * another agent, taken when the session stops, and `original` reads it; before, kei wrote flat lines of its own.
 */
export function keiTraces(original: Source): Source {
  return {
    name: 'kei',
    longName: 'kei',
    label: 'kei traces',
    revision: original.revision + 1,

    roots(env) {
      return original.roots(env).map((dir) => path.join(dir, TRACES))
    },

    owns(relativePath) {
      return relativePath.endsWith('.jsonl') && !relativePath.includes(path.sep)
    },

    skips() {
      return true
    },

    read(unit, from, hint) {
      const copied = hint !== undefined || (formatIn(from) ?? formatOf(unit.path)) === 'copy'
      if (!copied) return new FlatReading(original.name, unit, from)
      return new CopyReading(original, unit, from, hint === AS_COPY ? undefined : hint)
    },

    resume(nativeId) {
      return original.resume(nativeId)
    },
  }
}

type Format = 'copy' | 'flat'

function formatIn(from: Checkpoint | null): Format | null {
  const format = asObject(from?.state)?.['format']
  return format === 'copy' || format === 'flat' ? format : null
}

/** Told by the first line that is whole: records of an agent have a type, flat lines a kind. */
function formatOf(file: string): Format | null {
  for (const line of new LineReader(file, null, LOOK_AHEAD)) {
    const record = line.bytes === null ? undefined : parseObjects(line.bytes.toString('utf8'))?.[0]
    if (record) return asText(record['type']) === null ? 'flat' : 'copy'
  }
  return null
}
