import { titleText } from '../../model/facts.ts'
import path from 'node:path'
import { asText, type Json } from '../kit/json.ts'
import type { Line } from '../kit/lines.ts'
import { ORIGINALITY, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'
import { millis } from './envelope.ts'
import { LinesReading, rememberedBy, type LineMapper } from './lines-reading.ts'
import { groupCwd } from './place.ts'

export const PROMPT_LANE = '~prompts'

/**
 * Reads a project's `prompt_history.jsonl`. It gives the prompts of sessions whose directory is gone; where the
 * session is there, these are copies.
 */
export function readPromptLog(unit: Unit, from: Checkpoint | null): Reading {
  return new LinesReading(unit, from, new PromptMapper(path.dirname(unit.path), rememberedBy(from)))
}

class PromptMapper implements LineMapper {
  readonly #group: string
  readonly #cwd: string | null
  /** Prompts of each session so far. */
  readonly #counts: Map<string, number>

  constructor(group: string, remembered: Json | null) {
    this.#group = group
    this.#cwd = groupCwd(group)
    this.#counts = new Map(Object.entries((remembered ?? {}) as Record<string, number>))
  }

  state(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  end(): Item[] {
    return []
  }

  record(record: Json, line: Line): Item[] {
    const session = asText(record['session_id'])
    const prompt = asText(record['prompt'])
    if (session === null || prompt === null || session !== path.basename(session)) return []
    const pos = this.#counts.get(session) ?? 0
    this.#counts.set(session, pos + 1)
    const ref = { session, lane: PROMPT_LANE }
    const human = record['is_bash'] !== true && !prompt.startsWith('/')
    const cwd = this.#cwd === null ? {} : { cwd: this.#cwd }
    return [
      {
        item: 'lane',
        ...ref,
        originality: ORIGINALITY.promptLog,
        mainPath: path.join(this.#group, session),
        yieldsTo: '*',
      },
      {
        item: 'facts',
        ...ref,
        facts: { complete: false, ...cwd, ...(human ? { firstPrompt: titleText(prompt) } : {}) },
      },
      {
        item: 'event',
        ...ref,
        pos,
        parent: pos === 0 ? null : pos - 1,
        at: millis(record['timestamp']),
        kind: 'user_msg',
        role: 'user',
        text: record['is_bash'] === true ? `! ${prompt}` : prompt,
        human,
        native: `prompt:${session}:${String(record['timestamp'])}:${prompt}`,
        block: 0,
        message: pos,
        line: line.number,
      },
    ]
  }
}
