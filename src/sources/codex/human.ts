import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'

/** Markup with which the client begins what it says in a person's place. */
const INJECTED_TAGS = [
  'environment_context',
  'user_instructions',
  'INSTRUCTIONS',
  'turn_aborted',
  'user_shell_command',
  'user_action',
  'skill',
  'skills_instructions',
  'subagent_notification',
  'agent_message_board_notification',
  'recommended_plugins',
  'plugins_instructions',
  'apps_instructions',
  'hook_prompt',
  'model_switch',
  'collaboration_mode',
  'permissions instructions',
  'personality_spec',
  'goal_context',
  'codex_internal_context',
  'realtime_conversation',
] as const

const INJECTED_STARTS = [
  '# AGENTS.md instructions',
  'Another language model started to solve this problem',
  'Warning: The maximum number of unified exec processes',
] as const

const REQUEST = /^##? My request for Codex:[ \t]*$/m
const MARKUP = /^<([a-z_-]+)[ >][\s\S]*<\/\1>$/i
const IMAGE_TAG = /^\s*<\/?image\b[^>]*>\s*$/
const CWD = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m

/** True if the client wrote this, whatever role it gave it. */
export function isInjected(text: string): boolean {
  const start = text.trimStart()
  if (INJECTED_STARTS.some((words) => start.startsWith(words))) return true
  return INJECTED_TAGS.some((tag) => start.startsWith(`<${tag}>`) || start.startsWith(`<${tag} `))
}

/** True if all of it stands in one element, as only programs write. */
export function isMarkup(text: string): boolean {
  return MARKUP.test(text.trim())
}

/** The person's own words in a prompt that an editor wrapped in what was open; null if none did. */
export function requestIn(text: string): string | null {
  const heading = text.startsWith('# ') ? REQUEST.exec(text) : null
  return heading === null ? null : text.slice(heading.index + heading[0].length).trim()
}

/** The working directory, which early versions tell nowhere else. */
export function cwdIn(text: string): string | null {
  if (!text.trimStart().startsWith('<environment_context>')) return null
  const found = CWD.exec(text)
  return (found?.[1] ?? found?.[2])?.trim() ?? null
}

export interface Words {
  /** Everything the message says. */
  readonly whole: string
  /** What is left without the parts that the client put there; empty if it put all of them. */
  readonly own: string
  /** Text alone, as the event that repeats the message has it. */
  readonly plain: string
  /** True or false if the log says who wrote it, null if not. */
  readonly typed: boolean | null
}

/** The text of a message, part by part. */
export function wordsOf(item: Json): Words {
  const content = item['content']
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : asArray(content)
  const kinds = kindsOf(item, parts.length)
  const whole: string[] = []
  const own: string[] = []
  const plain: string[] = []
  for (const [index, value] of parts.entries()) {
    const text = partText(asObject(value) ?? {})
    if (text === null) continue
    whole.push(text.words)
    if (kinds[index] === undefined ? isInjected(text.words) : !isTypedKind(kinds[index])) continue
    own.push(text.words)
    if (!text.image) plain.push(text.words)
  }
  return {
    whole: whole.join('\n'),
    own: own.join('\n'),
    plain: (plain.length > 0 ? plain : whole).join(''),
    typed: kinds.length === 0 || kinds.includes('unknown') ? null : kinds.some(isTypedKind),
  }
}

function isTypedKind(kind: string): boolean {
  return kind.startsWith('user.') || kind === 'unknown'
}

function partText(part: Json): { words: string; image: boolean } | null {
  const type = asString(part['type']) ?? ''
  if (/image$/i.test(type)) return { words: '[image]', image: true }
  if (/audio$/i.test(type)) return { words: '[audio]', image: true }
  const words = asText(part['text'])
  return words === null || IMAGE_TAG.test(words) ? null : { words, image: false }
}

/** What later versions say of each part: `user.text` is typed by a person. */
function kindsOf(item: Json, parts: number): string[] {
  const passed = asObject(item['internal_chat_message_metadata_passthrough'])
  const kinds = asArray(passed?.['content_item_kinds']).map((kind) => asString(kind) ?? 'unknown')
  return kinds.length === parts ? kinds : []
}
