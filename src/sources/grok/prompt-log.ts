import { titleText } from '../../model/facts.ts'
import path from 'node:path'
import { asArray, asCount, asObject, asText, type Json } from '../kit/json.ts'
import type { Line } from '../kit/lines.ts'
import { isBareCommand } from '../kit/typed.ts'
import { ORIGINALITY, type Checkpoint, type Item, type Reading, type Unit } from '../source.ts'
import { DeliveredPrompts } from './delivered-prompts.ts'
import { millis } from './envelope.ts'
import { LinesReading, rememberedBy, type LineMapper } from '../kit/lines-reading.ts'
import { groupCwd, hasTranscript, placeAt } from './place.ts'

export const PROMPT_LANE = '~prompts'
const TYPED_LANE = '~typed'
const MAX_WAITING = 64
const MAX_WAITING_LENGTH = 4096

/**
 * Reads a project's `prompt_history.jsonl`. It gives the prompts of sessions whose directory is gone; where the
 * session is there, these are copies, but for those that its transcript lacks though it goes on after them.
 */
export function readPromptLog(unit: Unit, from: Checkpoint | null): Reading {
  return new LinesReading(unit, from, new PromptMapper(path.dirname(unit.path), unit.root, rememberedBy(from)))
}

/** A prompt of which its session's transcript says nothing yet. */
interface Waiting {
  readonly session: string
  readonly stamp: string
  readonly prompt: string
}

interface State {
  counts: Record<string, number>
  typed: Record<string, number>
  waiting: Waiting[]
}

class PromptMapper implements LineMapper {
  readonly #group: string
  readonly #root: string
  readonly #cwd: string | null
  /** Prompts of each session so far. */
  readonly #counts: Map<string, number>
  /** Those that its transcript lacks. */
  readonly #typed: Map<string, number>
  #waiting: Waiting[]
  /** Those that waited when this reading began were looked for again. */
  #looked = false
  readonly #delivered = new Map<string, DeliveredPrompts | null>()

  constructor(group: string, root: string, remembered: Json | null) {
    this.#group = group
    this.#root = root
    this.#cwd = groupCwd(group)
    this.#counts = countsOf(remembered?.['counts'])
    this.#typed = countsOf(remembered?.['typed'])
    this.#waiting = asArray(remembered?.['waiting']) as Waiting[]
  }

  state(): State {
    const typed = Object.fromEntries(this.#typed)
    return { counts: Object.fromEntries(this.#counts), typed, waiting: [...this.#waiting] }
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
    const bash = record['is_bash'] === true
    const human = !bash && !isBareCommand(prompt)
    const cwd = this.#cwd === null ? {} : { cwd: this.#cwd }
    const named = /^\/[^\s/]+(?!\S)/.exec(prompt)?.[0]
    const command = bash ? { command: '!' } : named === undefined ? {} : { command: named }
    const stamp = String(record['timestamp'])
    const lane = { originality: ORIGINALITY.promptLog, mainPath: path.join(this.#group, session), yieldsTo: '*' }
    return [
      ...this.#lookAgain(line),
      { item: 'lane', ...ref, ...lane },
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
        text: bash ? `!${prompt}` : prompt,
        human: human || bash,
        native: `prompt:${session}:${stamp}:${prompt}`,
        block: 0,
        message: pos,
        line: line.number,
        marks: { alone: true, ...command },
      },
      ...(human ? this.#lacking({ session, prompt, stamp }, line) : []),
    ]
  }

  #lookAgain(line: Line): Item[] {
    if (this.#looked || !line.terminated) return []
    this.#looked = true
    const waiting = this.#waiting
    this.#waiting = []
    return waiting.flatMap((prompt) => this.#lacking(prompt, line))
  }

  /** A prompt that its session's transcript lacks is told here; one that may still come there waits. */
  #lacking(asked: Waiting, line: Line): Item[] {
    const { session, prompt, stamp } = asked
    const delivered = this.#deliveredIn(session)
    const at = millis(stamp)
    if (delivered === null || at === null) return []
    const has = delivered.has(prompt, at)
    if (has === null && prompt.length <= MAX_WAITING_LENGTH)
      this.#waiting = [...this.#waiting, asked].slice(-MAX_WAITING)
    if (has !== false) return []
    const ref = { session, lane: TYPED_LANE }
    const pos = this.#typed.get(session) ?? 0
    this.#typed.set(session, pos + 1)
    const named = { native: `typed:${session}:${stamp}:${prompt}`, block: 0, message: pos, line: line.number }
    const marks = delivered.wasMidTurn(at) ? { marks: { midTurn: true } as const } : {}
    const said = { kind: 'user_msg', role: 'user', text: prompt, human: true, ...marks } as const
    return [
      { item: 'lane', ...ref, originality: ORIGINALITY.embedded, mainPath: path.join(this.#group, session) },
      { item: 'event', ...ref, pos, parent: pos === 0 ? null : pos - 1, at, ...named, ...said },
    ]
  }

  #deliveredIn(session: string): DeliveredPrompts | null {
    let known = this.#delivered.get(session)
    if (known === undefined) {
      const place = placeAt(path.join(this.#group, session), this.#root)
      known = hasTranscript(place) ? new DeliveredPrompts(place) : null
      this.#delivered.set(session, known)
    }
    return known
  }
}

function countsOf(remembered: unknown): Map<string, number> {
  return new Map(Object.entries(asObject(remembered) ?? {}).map(([session, count]) => [session, asCount(count)]))
}
