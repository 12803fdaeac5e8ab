import { wordsAnswered } from './answers.ts'
import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'

/** How a call ended, from the last update about it. */
export interface Ending {
  readonly body: string
  readonly failed: boolean
  /** Of a command. */
  readonly exitCode: number | null
  /** The session of the subagent that the call started. */
  readonly child: string | null
  /** What a person wrote who was asked. */
  readonly said?: string | null
}

export function endingOf(update: Json): Ending {
  const output = asObject(update['rawOutput'])
  const failed = update['status'] === 'failed' || exitedBadly(output)
  const said = wordsAnswered(output)
  const exitCode = asExitCode(output?.['exit_code'])
  return { body: bodyOf(update, output), failed, exitCode, child: childOf(output), said }
}

export function asExitCode(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function exitedBadly(output: Json | null): boolean {
  if (output === null) return false
  const code = asExitCode(output['exit_code'])
  return (
    (code !== null && code !== 0) ||
    output['timed_out'] === true ||
    output['is_error'] === true ||
    asText(output['signal']) !== null
  )
}

const STARTED = /^subagent_id: (\S+)$/m

/** Told as a field when the subagent was waited for, in words when it was not. */
export function childOf(output: Json | null): string | null {
  if (output === null) return null
  const words = asText(output['text'])
  if (output['type'] === 'Text' && words?.startsWith('Subagent started')) return STARTED.exec(words)?.[1] ?? null
  return asText(output['subagent_id'])
}

/** What the model was shown, else what the screen showed, else what is left of the raw output without arrays of bytes. */
function bodyOf(update: Json, output: Json | null): string {
  const content = asArray(update['content'])
  const words = asText(contentText(content.filter((part) => asObject(part)?.['type'] !== 'diff')))
  const shown =
    promptText(output) ??
    searchText(output) ??
    (output?.['type'] === 'SubagentCompleted' ? withoutFigures(words) : words)
  if (shown !== null) return shown
  const rest = mcpText(output) ?? variantText(output) ?? asText(contentText(content)) ?? asString(update['rawOutput'])
  if (rest !== null) return rest
  return output === null || Object.keys(output).length === 0 ? '' : JSON.stringify(output, withoutNumbers)
}

const FOR_PROMPT = ['output_for_prompt', 'tool_output_for_prompt', 'summary_for_prompt']

/** What the model was shown stands in the output itself, or in the one variant of it that came true. */
function promptText(output: Json | null): string | null {
  if (output === null) return null
  for (const place of [output, ...Object.values(output).map((value) => asObject(value) ?? {})]) {
    for (const name of FOR_PROMPT) {
      const text = asText(place[name])
      if (text !== null) return text
    }
  }
  return null
}

/** What a search put out, as bytes; the screen is told only how much it found. */
function searchText(output: Json | null): string | null {
  const bytes = output?.['stdout']
  if (!Array.isArray(bytes) || bytes.length === 0 || typeof bytes[0] !== 'number') return null
  return asText(Buffer.from(bytes as number[]).toString('utf8'))
}

/** The answer of a server's tool, and a failure as the model was told of it. */
function mcpText(output: Json | null): string | null {
  if (output?.['type'] !== 'MCP') return null
  const answer = asObject(output['output'])
  const error = asText(answer?.['Error'])
  if (error !== null) return `Failed to call ${asText(output['tool_name']) ?? 'the tool'}: ${error}`
  return asText(answer?.['OkayOutput']) ?? asText(output['output'])
}

/** A variant that is nothing but words, or whose `content` they are. */
function variantText(output: Json | null): string | null {
  if (output === null || asText(output['type']) === null) return null
  const rest = Object.entries(output).filter(([name]) => name !== 'type')
  const only = rest.length === 1 ? rest[0]?.[1] : null
  return asText(only) ?? asText(asObject(only)?.['content'])
}

/** The screen is shown figures that the model is not. */
function withoutFigures(words: string | null): string | null {
  return words?.replace(/<subagent_meta>[^<]*<\/subagent_meta>\s*/, '') ?? null
}

function withoutNumbers(_key: string, value: unknown): unknown {
  return Array.isArray(value) && typeof value[0] === 'number' ? undefined : value
}

function contentText(content: readonly unknown[]): string {
  return content
    .map((value) => {
      const part = asObject(value)
      switch (part?.['type']) {
        case 'content':
          return blockText(part['content'])
        case 'diff':
          return `[diff of ${asString(part['path']) ?? 'a file'}]`
        case 'terminal':
          return '[terminal]'
        default:
          return blockText(part)
      }
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** The words of one content block; of what is not words, a note that it was there. */
export function blockText(value: unknown): string {
  const block = asObject(value)
  switch (block?.['type']) {
    case 'text':
      return asString(block['text']) ?? ''
    case 'image':
      return '[image]'
    case 'audio':
      return '[audio]'
    case 'resource_link':
      return `[${asText(block['uri']) ?? asText(block['name']) ?? 'link'}]`
    case 'resource': {
      const resource = asObject(block['resource'])
      return asText(resource?.['text']) ?? `[${asText(resource?.['uri']) ?? 'resource'}]`
    }
    default:
      return ''
  }
}
