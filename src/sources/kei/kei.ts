import path from 'node:path'
import type { Source } from '../source.ts'

const TRACES = path.join('memory', 'traces')

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
    readsTraces: true,

    roots(env) {
      return original.roots(env).map((dir) => path.join(dir, TRACES))
    },

    owns(relativePath) {
      return relativePath.endsWith('.jsonl') && !relativePath.includes(path.sep)
    },

    skips() {
      return true
    },

    async reader() {
      const { keiReader } = await import('./reader.ts')
      return keiReader(original.name, await original.reader())
    },

    // A trace that tells whose session it is of belongs to that one; others cannot be continued.
    resume: () => null,
  }
}
