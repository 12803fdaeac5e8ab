import { titleText } from '../../model/facts.ts'
import { asArray, asObject, asText, type Json } from '../kit/json.ts'
import { cwdIn, isInjected, isMarkup, requestIn, wordsOf, type Words } from './human.ts'
import { letterIn, mapLetter } from './letters.ts'
import type { Form } from './mirrors.ts'
import { digest } from './natives.ts'
import { namedTurn, type Scribe } from './scribe.ts'

const PLAN = /<proposed_plan>([\s\S]*?)<\/proposed_plan>/

/** A message: the words of either side, or of the client. A legacy one is no response item, and no event names it. */
export function mapMessage(item: Json, scribe: Scribe, legacy = false): void {
  const words = wordsOf(item)
  if (words.whole.trim() === '') return
  const turn = namedTurn(item)
  switch (item['role']) {
    case 'assistant':
      return mapAnswer(words.whole, 'item', scribe, turn)
    case 'user':
      return mapPrompt(words, legacy, scribe, turn)
    default: {
      const what = `d:${digest(words.whole)}`
      const message = scribe.lane.newMessage()
      const marks = { injected: true as const }
      scribe.event({ kind: 'user_msg', role: 'system', text: words.whole, human: false, message, what, turn, marks })
    }
  }
}

function mapPrompt(words: Words, legacy: boolean, scribe: Scribe, turn: string | null): void {
  const cwd = scribe.knows('cwd') ? null : cwdIn(words.whole)
  if (cwd !== null) scribe.tell('cwd', cwd)
  const typed = isTyped(words, legacy, scribe)
  const what = `u:${digest(words.plain)}`
  if (!scribe.mirrors.isNews('item', what, `m${scribe.lane.pos}`)) return
  writePrompt({ words: typed ? words.own : words.whole, typed, what, turn }, scribe)
}

function isTyped(words: Words, legacy: boolean, scribe: Scribe): boolean {
  if (words.typed !== null) return words.typed
  if (scribe.place.echo === 'echoed') return true
  if (words.own.trim() === '') return false
  if (scribe.place.echo === 'silent' && isMarkup(words.own)) return false
  return legacy || scribe.place.echo === 'unknown' || !scribe.userEvents
}

/** A prompt as an event tells it: a repeat of the response item, as a rule. */
export function mapPromptEvent(text: string, form: Form, scribe: Scribe, turn: string | null): void {
  scribe.userEvents = true
  const what = `u:${digest(text)}`
  if (text.trim() === '' || !scribe.mirrors.isNews(form, what, `m${scribe.lane.pos}`)) return
  writePrompt({ words: text, typed: !isInjected(text), what, turn }, scribe)
}

interface Prompt {
  readonly words: string
  readonly typed: boolean
  readonly what: string
  readonly turn: string | null
}

/** What an agent says to an agent it started is a prompt, but no person's; only a person's comes out of an editor. */
function writePrompt({ words, typed, what, turn }: Prompt, scribe: Scribe): void {
  const { origin, lane } = scribe
  const request = requestIn(words)
  const text = typed ? (request ?? words.trim()) : words
  const human = typed && (origin.copied || !origin.spawned || request !== null)
  if (typed && !origin.copied && scribe.place.echo !== 'unknown' && !scribe.knows('firstPrompt')) {
    scribe.tell('firstPrompt', titleText(text))
  }
  const message = lane.message(`m${lane.pos}`)
  const midTurn = human && scribe.turns.isRunning
  const marks = typed ? (midTurn ? { midTurn: true as const } : {}) : { injected: true as const }
  if (typed) scribe.turns.prompted(lane.pos)
  scribe.event({ kind: 'user_msg', role: 'user', text, human, message, what, turn, marks })
}

/** Words of the assistant. A plan stands in them, in an event of its own, and is left out of the event for the rest. */
export function mapAnswer(text: string, form: Form, scribe: Scribe, turn: string | null): void {
  const sent = form === 'item' ? letterIn(text) : null
  if (sent !== null) return mapLetter(sent, form, scribe)
  const parts = partsOf(text).map((part) => `a:${digest(part)}`)
  const key = `m${scribe.lane.pos}`
  const told = parts.length > 1 && parts.every((part) => scribe.mirrors.isTold(form, part))
  const news = parts.map((part) => scribe.mirrors.isNews(form, part, key)).includes(true)
  if (told || !news || text.trim() === '') return
  const message = scribe.lane.message(key)
  scribe.answer = message
  scribe.event({ kind: 'assistant_msg', role: 'assistant', text, message, what: `a:${digest(text)}`, turn })
}

function partsOf(text: string): string[] {
  const plan = text.includes('<proposed_plan>') ? PLAN.exec(text) : null
  if (plan === null) return [text]
  return [plan[1] ?? '', text.replace(PLAN, '')].filter((part) => part.trim() !== '')
}

/** Readable thoughts: each section of a summary is also told by an event. */
export function mapThoughts(sections: readonly string[], form: Form, scribe: Scribe, turn: string | null): void {
  for (const text of sections) {
    const what = `r:${digest(text)}`
    if (text.trim() === '' || !scribe.mirrors.isNews(form, what, '')) continue
    scribe.event({ kind: 'thinking', role: 'assistant', text, what, turn })
  }
}

/** A response item of type `reasoning`. What is only encrypted is left out. */
export function mapReasoning(item: Json, scribe: Scribe): void {
  const parts = [...asArray(item['summary']), ...asArray(item['content'])]
  const sections = parts.map((part) => (typeof part === 'string' ? part : (asText(asObject(part)?.['text']) ?? '')))
  mapThoughts(sections, 'item', scribe, namedTurn(item))
}

/** A whole message of the oldest kind: its words and its calls belong together. */
export function mapLegacyMessage(payload: Json, scribe: Scribe, mapCall: (part: Json, key: string) => void): void {
  const parts = asArray(payload['content']).map((part) => asObject(part) ?? {})
  const calls = parts.filter((part) => part['type'] === 'tool_use')
  if (calls.length === 0) return mapMessage(payload, scribe, true)
  const words = wordsOf(payload).whole
  const what = `a:${digest(words)}`
  const key = `m${scribe.lane.pos}`
  const told = scribe.mirrors.isTold('item', what) ? scribe.mirrors.keyOf(what) : null
  if (words.trim() !== '') mapAnswer(words, 'item', scribe, namedTurn(payload))
  for (const part of calls) mapCall(part, told ?? key)
}
