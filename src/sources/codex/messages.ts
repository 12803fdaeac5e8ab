import { titleText } from '../../model/facts.ts'
import { asArray, asObject, asText, type Json } from '../kit/json.ts'
import { cwdIn, isInjected, isMarkup, requestIn, wordsOf, type Words } from './human.ts'
import { letterIn, mapLetter } from './agent-messages.ts'
import type { Form } from './duplicate-tellings.ts'
import { digest } from './text-hash.ts'
import type { ItemWriter } from './item-writer.ts'
import { namedTurn } from './turns.ts'

const PLAN = /<proposed_plan>([\s\S]*?)<\/proposed_plan>/

/** A message: the words of either side, or of the client. A legacy one is no response item, and no event names it. */
export function mapMessage(item: Json, writer: ItemWriter, legacy = false): void {
  const words = wordsOf(item)
  if (words.whole.trim() === '') return
  const turn = namedTurn(item)
  switch (item['role']) {
    case 'assistant':
      return mapAnswer(words.whole, 'item', writer, turn)
    case 'user':
      return mapPrompt(words, legacy, writer, turn)
    default: {
      const what = `d:${digest(words.whole)}`
      const message = writer.lane.newMessage()
      const marks = { injected: true as const }
      writer.event({ kind: 'user_msg', role: 'system', text: words.whole, human: false, message, what, turn, marks })
    }
  }
}

const USER_SHELL = /^\s*<user_shell_command>\s*<command>\s*([\s\S]*?)\s*<\/command>/

/** What a person ran in their own shell: their turn, but no prompt. What it put out is the client's to tell. */
function mapOwnCommand(whole: string, writer: ItemWriter, turn: string | null): void {
  const command = USER_SHELL.exec(whole)?.[1] ?? ''
  const what = `s:${digest(whole)}`
  if (command === '' || writer.origin.spawned || !writer.duplicates.isNews('item', what, `m${writer.lane.pos}`)) return
  const message = writer.lane.newMessage()
  const marks = { command: '!' }
  writer.event({ kind: 'user_msg', role: 'user', text: `!${command}`, human: true, message, what, turn, marks })
}

function mapPrompt(words: Words, legacy: boolean, writer: ItemWriter, turn: string | null): void {
  const cwd = writer.knows('cwd') ? null : cwdIn(words.whole)
  if (cwd !== null) writer.tell('cwd', cwd)
  const typed = isTyped(words, legacy, writer)
  if (!typed) mapOwnCommand(words.whole, writer, turn)
  const what = `u:${digest(words.plain)}`
  if (!writer.duplicates.isNews('item', what, `m${writer.lane.pos}`)) return
  writePrompt({ words: typed ? words.own : words.whole, typed, what, turn }, writer)
}

function isTyped(words: Words, legacy: boolean, writer: ItemWriter): boolean {
  if (words.typed !== null) return words.typed
  if (writer.place.echo === 'echoed') return true
  if (words.own.trim() === '') return false
  if (writer.place.echo === 'silent' && isMarkup(words.own)) return false
  return legacy || writer.place.echo === 'unknown' || !writer.userEvents
}

/** A prompt as an event tells it: a repeat of the response item, as a rule. */
export function mapPromptEvent(text: string, form: Form, writer: ItemWriter, turn: string | null): void {
  writer.userEvents = true
  const what = `u:${digest(text)}`
  if (text.trim() === '' || !writer.duplicates.isNews(form, what, `m${writer.lane.pos}`)) return
  writePrompt({ words: text, typed: !isInjected(text), what, turn }, writer)
}

interface Prompt {
  readonly words: string
  readonly typed: boolean
  readonly what: string
  readonly turn: string | null
}

/** What an agent says to an agent it started is a prompt, but no person's; only a person's comes out of an editor. */
function writePrompt({ words, typed, what, turn }: Prompt, writer: ItemWriter): void {
  const { origin, lane } = writer
  const request = requestIn(words)
  const text = typed ? (request ?? words.trim()) : words
  const human = typed && (origin.copied || !origin.spawned || request !== null)
  if (typed && !origin.copied && writer.place.echo !== 'unknown' && !writer.knows('firstPrompt')) {
    writer.tell('firstPrompt', titleText(text))
  }
  const message = lane.message(`m${lane.pos}`)
  const midTurn = human && writer.turns.isRunning
  const marks = typed ? (midTurn ? { midTurn: true as const } : {}) : { injected: true as const }
  if (typed) writer.turns.prompted(lane.pos)
  writer.event({ kind: 'user_msg', role: 'user', text, human, message, what, turn, marks })
}

/** Words of the assistant. A plan stands in them, in an event of its own, and is left out of the event for the rest. */
export function mapAnswer(text: string, form: Form, writer: ItemWriter, turn: string | null): void {
  const sent = form === 'item' ? letterIn(text) : null
  if (sent !== null) return mapLetter(sent, form, writer)
  const parts = partsOf(text).map((part) => `a:${digest(part)}`)
  const key = `m${writer.lane.pos}`
  const isRepeat = parts.length > 1 && parts.every((part) => writer.duplicates.isTold(form, part))
  const news = parts.map((part) => writer.duplicates.isNews(form, part, key)).includes(true)
  if (isRepeat || !news || text.trim() === '') return
  const message = writer.lane.message(key)
  writer.answer = message
  writer.event({ kind: 'assistant_msg', role: 'assistant', text, message, what: `a:${digest(text)}`, turn })
}

function partsOf(text: string): string[] {
  const plan = text.includes('<proposed_plan>') ? PLAN.exec(text) : null
  if (plan === null) return [text]
  return [plan[1] ?? '', text.replace(PLAN, '')].filter((part) => part.trim() !== '')
}

/** Readable thoughts: each section of a summary is also told by an event. */
export function mapThoughts(sections: readonly string[], form: Form, writer: ItemWriter, turn: string | null): void {
  for (const text of sections) {
    const what = `r:${digest(text)}`
    if (text.trim() === '' || !writer.duplicates.isNews(form, what, '')) continue
    writer.event({ kind: 'thinking', role: 'assistant', text, what, turn })
  }
}

/** A response item of type `reasoning`. What is only encrypted is left out. */
export function mapReasoning(item: Json, writer: ItemWriter): void {
  const parts = [...asArray(item['summary']), ...asArray(item['content'])]
  const sections = parts.map((part) => (typeof part === 'string' ? part : (asText(asObject(part)?.['text']) ?? '')))
  mapThoughts(sections, 'item', writer, namedTurn(item))
}

/** A whole message of the oldest kind: its words and its calls belong together. */
export function mapLegacyMessage(payload: Json, writer: ItemWriter, mapCall: (part: Json, key: string) => void): void {
  const parts = asArray(payload['content']).map((part) => asObject(part) ?? {})
  const calls = parts.filter((part) => part['type'] === 'tool_use')
  if (calls.length === 0) return mapMessage(payload, writer, true)
  const words = wordsOf(payload).whole
  const what = `a:${digest(words)}`
  const key = `m${writer.lane.pos}`
  const keyBefore = writer.duplicates.isTold('item', what) ? writer.duplicates.keyOf(what) : null
  if (words.trim() !== '') mapAnswer(words, 'item', writer, namedTurn(payload))
  for (const part of calls) mapCall(part, keyBefore ?? key)
}
