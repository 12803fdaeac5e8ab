import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { asIndex } from './envelope.ts'
import { canBeHuman, withoutContext } from './human.ts'

export interface ChatCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** A row of `chat_history.jsonl` in either of its versions. */
export type ChatRow =
  | {
      readonly is: 'user'
      readonly text: string
      /** Null where the row does not say: old files, before prompts were numbered, leave it open. */
      readonly human: boolean | null
      readonly promptIndex: number | null
      readonly interrupted: string | null
      /** Said while the agent was at work. */
      readonly interjected: boolean
      /** What a person ran in their own shell. */
      readonly shell: string | null
      /** What came before, in short. */
      readonly compacted: boolean
    }
  | {
      readonly is: 'assistant'
      readonly thinking: string
      readonly text: string
      readonly calls: readonly ChatCall[]
      readonly model: string | null
    }
  | { readonly is: 'thinking'; readonly text: string }
  | { readonly is: 'backend call'; readonly call: ChatCall }
  | { readonly is: 'result'; readonly call: string; readonly body: string }
  | { readonly is: 'nothing' }
  | { readonly is: 'unknown'; readonly type: string }

/** Version 1 tags its rows with `type`, version 0 with `role`; files may mix them. */
export function chatRowOf(row: Json): ChatRow {
  const type = asText(row['type']) ?? asText(row['role']) ?? ''
  switch (type) {
    case 'system':
    case 'developer':
      return { is: 'nothing' }
    case 'user':
      return userRow(row)
    case 'assistant':
      return assistantRow(row)
    case 'reasoning':
      return { is: 'thinking', text: summaryText(row) }
    case 'backend_tool_call':
      return backendCall(asObject(row['kind']) ?? {})
    case 'tool_result':
    case 'tool':
      return { is: 'result', call: asText(row['tool_call_id']) ?? '', body: resultText(row) }
    default:
      return { is: 'unknown', type }
  }
}

function userRow(row: Json): ChatRow {
  const text = contentText(row['content'])
  const promptIndex = asIndex(row['prompt_index'])
  const interrupted = asText(row['prior_turn_interrupt'])
  const reason = asText(row['synthetic_reason'])
  const interjected = reason === 'interjection'
  const compacted = reason === 'compaction_meta' && CONTINUED.test(text)
  const shell = reason === null && promptIndex === null ? (OWN_SHELL.exec(text)?.[1] ?? null) : null
  const human = shell === null && isHuman(reason, text, promptIndex !== null)
  return { is: 'user', text, human, promptIndex, interrupted, interjected, compacted, shell }
}

/** How the client tells the model what a person ran themselves. */
const OWN_SHELL = /^I executed a terminal command: `([\s\S]+?)`\n\nOutput:\n/

/** Of the rows that a compaction leaves, the one that is its summary. */
const CONTINUED = /^\s*This session is being continued from a previous conversation/

function isHuman(reason: string | null, text: string, numbered: boolean): boolean | null {
  if (!canBeHuman(withoutContext(text))) return false
  if (reason !== null) return reason === 'interjection'
  return numbered ? true : null
}

function assistantRow(row: Json): ChatRow {
  const reasoning = asObject(row['reasoning'])
  const inline = asArray(row['raw_output']).map((value) => asObject(value) ?? {})
  const thinking =
    asText(row['reasoning_content']) ??
    asText(reasoning?.['text']) ??
    inline
      .filter((item) => item['type'] === 'reasoning')
      .map(summaryText)
      .join('\n')
  const calls = asArray(row['tool_calls']).flatMap((value) => callOf(asObject(value)))
  return { is: 'assistant', thinking, text: contentText(row['content']), calls, model: asText(row['model_id']) }
}

function callOf(call: Json | null): ChatCall[] {
  if (call === null) return []
  const body = asObject(call['function']) ?? call
  return [
    {
      id: asText(call['id']) ?? '',
      tool: asText(body['name']) ?? 'unknown',
      input: argumentsOf(body['arguments']),
    },
  ]
}

function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return value
    throw error
  }
}

/** A search or the like that ran on the provider's side: its result is in no row. */
function backendCall(kind: Json): ChatRow {
  const id = asText(kind['id']) ?? asText(kind['call_id']) ?? ''
  const tool = asText(kind['name']) ?? asText(kind['tool_type']) ?? 'unknown'
  return { is: 'backend call', call: { id, tool, input: kind['action'] ?? argumentsOf(kind['input']) } }
}

function summaryText(row: Json): string {
  return asArray(row['summary'])
    .map((value) => asString(asObject(value)?.['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n')
}

function resultText(row: Json): string {
  const images = asArray(row['images']).map(() => '[image]')
  return [contentText(row['content']), ...images].filter((text) => text !== '').join('\n')
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((value) => {
      const part = asObject(value)
      if (part?.['type'] === 'image' || part?.['type'] === 'image_url') return '[image]'
      return asString(part?.['text']) ?? ''
    })
    .filter((text) => text !== '')
    .join('\n')
}
