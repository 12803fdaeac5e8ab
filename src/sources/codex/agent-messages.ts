import { titleText } from '../../model/facts.ts'
import { asArray, asObject, asText, parseObjects, type Json } from '../kit/json.ts'
import { wordsOf } from './human.ts'
import type { Form } from './duplicate-tellings.ts'
import { digest } from './text-hash.ts'
import type { ItemWriter } from './item-writer.ts'
import { namedTurn } from './turns.ts'

const HEADER = /^Message Type: (\w+)\n(?:Task name: ([^\n]*)\n)?(?:Sender: [^\n]*\n)?Payload:\n?/
const SEALED = /^[\w+/=-]{40,}$/

/**
 * A message from one agent to another, never a person's. What an agent was started for is asked of it; what comes back
 * from those it started is only put into its conversation.
 */
export function mapLetter(letter: Json, form: Form, writer: ItemWriter): void {
  const content = letter['content']
  const whole = typeof content === 'string' ? content : wordsOf(letter).whole
  const what = `g:${digest(whole)}`
  if (whole.trim() === '' || !writer.duplicates.isNews(form, what, '')) return
  const { origin } = writer
  const { type, text } = readLetter(whole, letter)
  const from = asText(letter['author']) ?? 'agent'
  const to = asText(letter['recipient'])
  const order = origin.spawned && type !== 'FINAL_ANSWER' && from !== origin.path
  if (order && !writer.knows('firstPrompt')) writer.tell('firstPrompt', titleText(text))
  writer.event({
    kind: 'user_msg',
    role: 'user',
    text: `[${to === null ? from : `${from} → ${to}`}] ${text}`,
    human: false,
    message: writer.lane.newMessage(),
    what,
    turn: namedTurn(letter),
    ...(order ? {} : { marks: { injected: true as const } }),
  })
}

/** What a letter says without its header. Where the service sealed it, the name of the task is all that can be read. */
function readLetter(whole: string, letter: Json): { type: string | null; text: string } {
  const header = HEADER.exec(whole)
  if (header === null) return { type: null, text: whole }
  const payload = [whole.slice(header[0].length), ...openParts(letter)].filter((part) => part.trim() !== '').join('\n')
  return { type: header[1] ?? null, text: payload || header[2]?.split('/').at(-1) || whole }
}

/** Clients without a key leave the parts open that others seal. */
function openParts(letter: Json): string[] {
  const parts = asArray(letter['content']).map((part) => asText(asObject(part)?.['encrypted_content']))
  return parts.filter((text) => text !== null && !SEALED.test(text)).map((text) => text ?? '')
}

/** Some versions write a message between agents as words of the assistant, in JSON. */
export function letterIn(text: string): Json | null {
  if (!text.startsWith('{"author":')) return null
  const letter = parseObjects(text)?.[0]
  return letter !== undefined && asText(letter['author']) !== null && asText(letter['content']) !== null ? letter : null
}
