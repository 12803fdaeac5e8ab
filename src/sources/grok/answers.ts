import { asObject, asText, type Json } from '../kit/json.ts'

/** Behind a choice the client puts what the person wrote; behind that come the next question or its own last words. */
const NOTES = / user notes: ([\s\S]*?)(?=, "[^"]*"="|\. You can now continue with the user's answers in mind\.$)/g

/** What a person wrote themselves when the agent asked them; what they only chose is the agent's own words. */
export function wordsAnswered(output: Json | null): string | null {
  if (output?.['type'] !== 'AskUserQuestion') return null
  const message = asText(asObject(output['UserAnswered'])?.['message']) ?? ''
  const words = [...message.matchAll(NOTES)].map(([, note = '']) => note.trim()).filter((note) => note !== '')
  return words.length === 0 ? null : words.join('\n')
}
