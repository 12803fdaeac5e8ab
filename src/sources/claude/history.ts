import { titleText } from '../../model/facts.ts'
import { asObject, asString, asText, parseObjects, type Json } from '../kit/json.ts'
import { isTypedPrompt } from './human.ts'
import { LineReader } from '../kit/lines.ts'
import { ORIGINALITY, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'

export const PROMPT_LANE = '~prompts'
const PASTED = /\[Pasted text #(\d+)(?: \+\d+ lines?)?\]/g

/**
 * The log of all prompts ever typed. It gives the prompts of sessions whose transcript is gone; where
 * the transcript is there, these are copies. Lines of old versions name no session and are passed over.
 */
export class HistoryReading implements Reading {
  provisional = false
  readonly #unit: Unit
  readonly #lines: LineReader
  readonly #counts: Map<string, number>
  #checkpoint: Checkpoint

  constructor(unit: Unit, from: Checkpoint | null) {
    this.#unit = unit
    this.#lines = new LineReader(unit.path, from)
    this.#counts = new Map(Object.entries((asObject(from?.state) ?? {}) as Record<string, number>))
    this.#checkpoint = from ?? { offset: 0, line: 0, state: {} }
  }

  get bytesRead(): number {
    return this.#lines.bytesRead
  }

  checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  *[Symbol.iterator](): Generator<readonly Item[]> {
    for (const line of this.#lines) {
      if (!line.terminated) return
      const records = line.bytes === null ? null : parseObjects(line.bytes.toString('utf8'))
      const items = records?.flatMap((record) => this.#prompt(record, line.number))
      this.#mark(line.end, line.number)
      yield (
        items ?? [
          {
            item: 'problem',
            type: 'broken line',
            level: 'warn',
            message: 'not a JSON object',
            line: line.number,
            offset: line.offset,
          },
        ]
      )
    }
  }

  #mark(offset: number, line: number): void {
    const counts = this.#counts
    this.#checkpoint = {
      offset,
      line,
      get state() {
        return Object.fromEntries(counts)
      },
    }
  }

  #prompt(record: Readonly<Record<string, unknown>>, line: number): Item[] {
    const session = asText(record['sessionId'])
    const text = promptOf(record)
    if (session === null || text === '') return []
    const pos = this.#counts.get(session) ?? 0
    this.#counts.set(session, pos + 1)
    const ref = { session, lane: PROMPT_LANE }
    const at = typeof record['timestamp'] === 'number' ? record['timestamp'] : null
    const cwd = asText(record['project'])
    const human = isTypedPrompt(text)
    const shell = /^!\s*\S/.test(text)
    return [
      {
        item: 'lane',
        ...ref,
        originality: ORIGINALITY.promptLog,
        mainPath: `${this.#unit.path}#${session}`,
        yieldsTo: '*',
      },
      {
        item: 'facts',
        ...ref,
        facts: {
          complete: false,
          ...(cwd ? { cwd } : {}),
          ...(human && !shell ? { firstPrompt: titleText(text) } : {}),
        },
      },
      {
        item: 'event',
        ...ref,
        pos,
        parent: pos === 0 ? null : pos - 1,
        at,
        kind: 'user_msg',
        role: 'user',
        text,
        human,
        native: `prompt:${session}:${pos}`,
        block: 0,
        message: pos,
        line,
        marks: { alone: true, ...(shell ? { command: '!' } : {}) },
      },
    ]
  }
}

/** A prompt as it was typed: what was pasted stands beside it, under a number. */
function promptOf(record: Json): string {
  const pasted = asObject(record['pastedContents'])
  const text = asString(record['display']) ?? ''
  if (pasted === null || !text.includes('[Pasted text #')) return text.trim()
  return text.replace(PASTED, (mark, number: string) => asText(asObject(pasted[number])?.['content']) ?? mark).trim()
}
