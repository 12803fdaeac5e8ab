import { asObject, asText, parseObjects } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import type { Checkpoint, TranscriptReader } from '../source.ts'
import { CopyReading } from './copy.ts'
import { AS_COPY, FlatReading } from './flat.ts'

const LOOK_AHEAD = 16 * 1024

/** `original` reads the copies of another agent's transcripts; `flavor` is that agent. */
export function keiReader(flavor: string, original: TranscriptReader): TranscriptReader {
  return {
    read(unit, from, hint) {
      const copied = hint !== undefined || (formatIn(from) ?? formatOf(unit.path)) === 'copy'
      if (!copied) return new FlatReading(flavor, unit, from)
      return new CopyReading(flavor, original, unit, { from, hint: hint === AS_COPY ? undefined : hint })
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
