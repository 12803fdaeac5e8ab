import { titleText } from '../../model/facts.ts'
import { asCount, asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { ORIGINALITY, type Checkpoint, type Item, type Problem, type Reading, type Unit } from '../source.ts'

const PROMPT_LANE = '~prompts'
const COMMAND = /^\/[a-z][a-z-]*$/

/**
 * The log of all prompts ever typed. It gives the prompts of sessions whose rollout is gone; where the rollout is
 * there, these are copies.
 */
export class HistoryReading implements Reading {
  readonly provisional = false
  readonly #unit: Unit
  readonly #lines: LineReader
  /** How many prompts of each session were read. */
  readonly #counts: Map<string, number>
  #checkpoint: Checkpoint

  constructor(unit: Unit, from: Checkpoint | null) {
    this.#unit = unit
    this.#lines = new LineReader(unit.path, from)
    this.#counts = new Map(Object.entries(asObject(from?.state) ?? {}).map(([id, count]) => [id, asCount(count)]))
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
      const blank = records === null && line.bytes?.toString('latin1').trim() === ''
      const items = records?.flatMap((record) => this.#prompt(record, line.number))
      this.#mark(line.end, line.number)
      yield items ?? (blank ? [] : [broken(line)])
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

  #prompt(record: Json, line: number): Item[] {
    const session = asText(record['session_id'])
    const text = asText(record['text'])
    if (session === null || text === null) return []
    const pos = this.#counts.get(session) ?? 0
    this.#counts.set(session, pos + 1)
    const ref = { session, lane: PROMPT_LANE }
    const seconds = asCount(record['ts'])
    const mainPath = `${this.#unit.path}#${session}`
    const shell = /^!\s*\S/.test(text.trim())
    const command = shell ? '!' : COMMAND.test(text.trim()) ? text.trim() : null
    const title = command === null ? { firstPrompt: titleText(text.trim()) } : {}
    return [
      { item: 'lane', ...ref, originality: ORIGINALITY.promptLog, mainPath, yieldsTo: '*' },
      { item: 'facts', ...ref, facts: { complete: false, ...title } },
      {
        item: 'event',
        ...ref,
        pos,
        parent: pos === 0 ? null : pos - 1,
        at: seconds > 0 ? seconds * 1000 : null,
        kind: 'user_msg',
        role: 'user',
        text: text.trim(),
        human: shell || command === null,
        native: `prompt:${session}:${pos}`,
        block: 0,
        message: pos,
        line,
        marks: { alone: true, ...(command === null ? {} : { command }) },
      },
    ]
  }
}

function broken({ number, offset }: { readonly number: number; readonly offset: number }): Problem {
  return { item: 'problem', type: 'broken line', level: 'warn', message: 'not a JSON object', line: number, offset }
}
