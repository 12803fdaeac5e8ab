import { asObject, asString, type Json } from '../kit/json.ts'
import { isBareCommand, withoutNotes } from '../kit/typed.ts'

/** What the client puts around or in place of a person's words. Text that starts with one of these was typed by nobody. */
const INJECTED = [
  '<command-name>',
  '<command-message>',
  '<local-command-stdout>',
  '<local-command-stderr>',
  '<local-command-caveat>',
  '<bash-input>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<task-notification>',
  '<user-memory-input>',
  '<teammate-message',
  '<system-reminder>',
  'Caveat: The messages below were generated',
  'This session is being continued from a previous conversation that ran out',
  'Base directory for this skill:',
  '[Image: source:',
  '[Image: original',
  '[Request interrupted by user',
  'Operation stopped by hook',
  'Unknown skill:',
  '<ide_',
] as const

const EDITOR_CONTEXT = /<(ide_opened_file|ide_selection|ide_diagnostics|system-reminder)>[\s\S]*?<\/\1>/g
const INTERRUPT = /^\[Request interrupted by user( for tool use)?\]$/

export function isInterrupt(text: string): boolean {
  return INTERRUPT.test(text.trim())
}

/** A prompt without the notes that an editor or the client added to it. */
export function withoutContext(text: string): string {
  return withoutNotes(text, EDITOR_CONTEXT)
}

/** True if the record itself says that it was sent: typed, queued, or by a program. Then its first words say nothing. */
export function isSent(record: Json): boolean {
  const source = asString(record['promptSource'])
  return source !== null && source !== 'system'
}

/** True if a person typed `text`, a user record's words without their context. */
export function isHuman(record: Json, text: string): boolean {
  if (text === '' || record['isSidechain'] === true) return false
  if (record['isMeta'] === true || record['isCompactSummary'] === true) return false
  if (record['isVisibleInTranscriptOnly'] === true) return false
  const origin = asString(asObject(record['origin'])?.['kind'])
  if (origin !== null && origin !== 'human') return false
  return isSent(record) || !INJECTED.some((prefix) => text.startsWith(prefix))
}

/** A command to the client, without the client's markup around it. */
export interface SlashCommand {
  /** With its slash. */
  readonly name: string
  readonly args: string
  /** As it was typed: `/review src`. */
  readonly text: string
}

/** What a person typed to their own shell (`!ls`) or as a note to the client (`#always use tabs`): its sign and its words. */
export function ownCommand(text: string): { readonly name: '!' | '#'; readonly text: string } | null {
  const [, tag, words = ''] = /^\s*<(bash-input|user-memory-input)>([\s\S]*)<\/\1>\s*$/.exec(text) ?? []
  if (tag === undefined || words.trim() === '') return null
  const name = tag === 'bash-input' ? '!' : '#'
  return { name, text: `${name}${words.trim()}` }
}

export function slashCommand(text: string): SlashCommand | null {
  if (!/^\s*<command-(?:name|message|args)>[\s\S]*<\/command-(?:name|message|args)>\s*$/.test(text)) return null
  const named = /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(text)?.[1]
  if (!named) return null
  const name = named.startsWith('/') ? named : `/${named}`
  const args = /<command-args>\s*([\s\S]*)<\/command-args>/.exec(text)?.[1]?.trim() ?? ''
  return { name, args, text: `${name} ${args}`.trim() }
}

/** A prompt as the queue and the log of prompts hold it: the name of a command alone is none. */
export function isTypedPrompt(text: string): boolean {
  if (text === '' || INJECTED.some((prefix) => text.startsWith(prefix))) return false
  return !isBareCommand(text)
}
