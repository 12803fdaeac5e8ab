import { titleText, type Facts } from '../../model/facts.ts'
import { oneLine } from '../../model/text.ts'
import { asCount, asObject, asText, type Json } from '../kit/json.ts'
import type { Problem } from '../source.ts'
import { asIndex, type Update } from './envelope.ts'
import { IGNORED_UPDATES } from './kinds.ts'
import { isNoted, noteOf, type Note } from './notes.ts'
import { blockText, endingOf, type Ending } from './results.ts'

/** A piece of what a person, or the client in a person's name, said. */
export interface UserPiece {
  readonly is: 'user'
  readonly text: string
  /** The client's own words: never a person's. */
  readonly synthetic: boolean
  /** Said while the agent was at work. */
  readonly interjected: boolean
  /** Typed for the client, not for the agent. */
  readonly command: string | null
  readonly model: string | null
}

/** A call; what the first line about it leaves open may be filled in from a later one. */
export interface Call {
  readonly is: 'call'
  readonly id: string
  tool: string | null
  input: unknown
  readonly ending: Ending | null
}

export interface Result {
  readonly is: 'result'
  readonly id: string
  readonly tool: string | null
  readonly ending: Ending
}

export interface TurnEnd {
  readonly is: 'turn'
  readonly stop: string
  readonly elapsedMs: number | null
  readonly category: string | null
  readonly error: string | null
  readonly key: string | null
  readonly usage: Json | null
}

/** A subagent began or ended. */
export interface ChildNews {
  readonly session: string
  /** Of the prompt that it was started for, on its beginning. */
  readonly prompt: string | null
  readonly ended: boolean
}

export type What =
  | UserPiece
  | Call
  | { readonly is: 'words'; readonly kind: 'assistant_msg' | 'thinking'; readonly text: string }
  | { readonly is: 'detail'; readonly id: string; readonly tool: string | null; readonly input: unknown }
  | Result
  | TurnEnd
  | { readonly is: 'rewind'; readonly target: number }
  | { readonly is: 'facts'; readonly facts: Readonly<Partial<Facts>> }
  | { readonly is: 'note'; readonly note: Note }
  | { readonly is: 'child'; readonly note: Note; readonly child: ChildNews }
  | { readonly is: 'boundary'; readonly command: string | null }
  | { readonly is: 'nothing' }
  | { readonly is: 'problem'; readonly type: string; readonly level: Problem['level']; readonly message: string }

const NOTHING: What = { is: 'nothing' }

/** What one update says, without regard to what stands around it. */
export function whatOf({ kind, body, category }: Update): What {
  switch (kind) {
    case 'user_message_chunk':
      return userPiece(body)
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      if (asObject(body['content']) === null) return odd(kind, 'has no content')
      const spoken = kind === 'agent_message_chunk' ? 'assistant_msg' : 'thinking'
      return { is: 'words', kind: spoken, text: blockText(body['content']) }
    }
    case 'tool_call':
      return call(body)
    case 'tool_call_update':
      return callUpdate(body)
    case 'turn_completed':
      return turnEnd(body, category)
    case 'rewind_marker': {
      const target = asIndex(body['target_prompt_index'])
      return target === null ? odd(kind, 'names no prompt') : { is: 'rewind', target }
    }
    case 'model_changed':
      return factOf('model', body['model_id'])
    case 'model_auto_switched':
      return factOf('model', body['new_model_id'])
    case 'session_summary_generated':
      return factOf('agentTitle', body['session_summary'])
    default:
      return other(kind, body)
  }
}

function other(kind: string, body: Json): What {
  if (Object.hasOwn(IGNORED_UPDATES, kind)) return NOTHING
  if (!isNoted(kind)) {
    return { is: 'problem', type: kind, level: 'info', message: `unknown update ${JSON.stringify(kind)}` }
  }
  const note = noteOf(kind, body)
  if (note === null) return NOTHING
  const session = asText(body['child_session_id']) ?? asText(body['subagent_id'])
  if (session === null || !kind.startsWith('subagent_')) return { is: 'note', note }
  const child = { session, prompt: asText(body['parent_prompt_id']), ended: kind === 'subagent_finished' }
  return { is: 'child', note, child }
}

function turnEnd(body: Json, category: string | null): TurnEnd {
  const elapsed = body['elapsed_ms']
  return {
    is: 'turn',
    stop: asText(body['stop_reason']) ?? 'unknown',
    elapsedMs: typeof elapsed === 'number' ? asCount(elapsed) : null,
    category,
    error: asText(body['error_kind']) ?? asText(body['agent_result']),
    key: asText(body['prompt_id']),
    usage: asObject(body['usage']),
  }
}

function odd(kind: string, what: string): What {
  return { is: 'problem', type: `${kind} ${what}`, level: 'warn', message: `a ${kind} ${what}` }
}

function factOf(name: 'model' | 'agentTitle', value: unknown): What {
  const text = asText(value)
  return text === null
    ? NOTHING
    : { is: 'facts', facts: { [name]: name === 'model' ? oneLine(text, 200) : titleText(text) } }
}

function userPiece(body: Json): What {
  const own = asObject(body['_meta']) ?? {}
  const content = asObject(body['content'])
  if (own['hostTurn'] === true) {
    const words = content === null ? '' : blockText(content).trim()
    return { is: 'boundary', command: words.startsWith('/') ? words : null }
  }
  if (content === null) return odd('user_message_chunk', 'has no content')
  const meta = asObject(content['_meta']) ?? {}
  const command = asText(meta['bash_command'])
  const reason = asText(own['syntheticReason']) ?? asText(own['synthetic_reason'])
  const interjected = own['interjection'] === true || reason === 'interjection'
  return {
    is: 'user',
    text: command === null ? (asText(meta['displayText']) ?? blockText(content)) : `!${command}`,
    synthetic: command !== null || own['hideFromScrollback'] === true || (reason !== null && !interjected),
    interjected,
    command: command === null ? null : '!',
    model: asText(own['modelId']),
  }
}

function call(body: Json): What {
  const ended = body['status'] === 'completed' || body['status'] === 'failed'
  const id = asText(body['toolCallId']) ?? ''
  return { is: 'call', id, tool: toolOf(body), input: body['rawInput'], ending: ended ? endingOf(body) : null }
}

function callUpdate(body: Json): What {
  const id = asText(body['toolCallId'])
  if (id === null) return odd('tool_call_update', 'names no call')
  if (body['status'] === 'completed' || body['status'] === 'failed') {
    return { is: 'result', id, tool: namedTool(body), ending: endingOf(body) }
  }
  return { is: 'detail', id, tool: toolOf(body), input: body['rawInput'] }
}

function namedTool(body: Json): string | null {
  return asText(asObject(asObject(body['_meta'])?.['x.ai/tool'])?.['name'])
}

/** The tool's own name; the client's name for its kind, or the title of the call, where it has none. */
function toolOf(body: Json): string | null {
  return namedTool(body) ?? asText(asObject(body['rawInput'])?.['variant']) ?? asText(body['title'])
}
