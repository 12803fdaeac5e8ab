import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { asArray, asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import { ORIGINALITY, ReadAgain, type Checkpoint, type Item, type Problem, type Reading, type Unit } from '../source.ts'
import { hasTranscript, placeAt, readSmall, SUBAGENT_FILE, type SessionFile, type SessionPlace } from './place.ts'
import { subagentItems } from './subagent.ts'
import { sessionFacts } from './summary.ts'

const SUMMARY_LANE = '~summary'
const AGAIN = 'again'

/** Reads one of the small files of a session, which the client replaces whole. */
export function readSmallFile(unit: Unit, from: Checkpoint | null, hint: unknown): Reading {
  if (from !== null && hint !== AGAIN) throw new ReadAgain(AGAIN)
  const size = statSync(unit.path).size
  return {
    provisional: false,
    bytesRead: size,
    checkpoint: () => ({ offset: size, line: 0, state: null }),
    *[Symbol.iterator]() {
      const items = itemsOf(unit)
      if (items.length > 0) yield items
    },
  }
}

function itemsOf(unit: Unit): Item[] {
  const name = path.basename(unit.path)
  const text = readSmall(unit.path) ?? ''
  if (name === 'system_prompt.txt') return text === '' ? [] : note(unit, systemPromptNote(text))
  const json = parseObjects(text)?.[0] ?? null
  if (json === null) return [odd('broken file', 'warn', `${name} is not a JSON object`)]
  switch (name as SessionFile | typeof SUBAGENT_FILE) {
    case 'summary.json':
      return neverPrompted(placeAt(path.dirname(unit.path), unit.root))
    case 'prompt_context.json':
      return note(unit, instructionsNote(json))
    case 'plan_mode.json': {
      const state = asText(json['state'])
      return state === null
        ? [odd(`${name} without state`, 'info', 'names no state')]
        : note(unit, `plan mode: ${state}`)
    }
    case SUBAGENT_FILE:
      return subagentItems(json, unit) ?? [odd(`${name} without session`, 'info', 'names no session')]
    default:
      return []
  }
}

function odd(type: string, level: Problem['level'], message: string): Problem {
  return { item: 'problem', type, level, message, line: 1, offset: 0 }
}

/** A session that was opened and never prompted has nothing but its summary. */
function neverPrompted(place: SessionPlace): Item[] {
  if (hasTranscript(place)) return []
  const ref = { session: place.session, lane: SUMMARY_LANE }
  return [
    { item: 'lane', ...ref, originality: ORIGINALITY.promptLog, mainPath: place.dir, yieldsTo: '*' },
    { item: 'facts', ...ref, facts: sessionFacts(place) },
  ]
}

function note(unit: Unit, text: string | null): Item[] {
  if (text === null) return []
  const { dir, name, base } = path.parse(unit.path)
  const session = path.basename(dir)
  const ref = { session, lane: `~${name}` }
  const where = { pos: 0, parent: null, at: null, native: `${session}:${base}:${text}`, block: 0, line: 1 }
  return [
    { item: 'lane', ...ref, originality: ORIGINALITY.embedded, mainPath: dir },
    { item: 'event', ...ref, ...where, kind: 'lifecycle', role: 'system', text },
  ]
}

/** The prompt itself is the vendor's; whether two sessions had the same is all there is to remember. */
function systemPromptNote(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `system prompt sha256:${digest} (${text.length} characters)`
}

/** Which instruction files the model was given. Their contents are not kept. */
function instructionsNote(context: Json): string | null {
  const files = asArray(context['agents_md_files']).flatMap((value) => {
    const file = asText(value) ?? asText(asObject(value)?.['path']) ?? asText(asObject(value)?.['file_path'])
    return file === null ? [] : [file]
  })
  return files.length === 0 ? null : `instructions loaded: ${files.join(', ')}`
}
