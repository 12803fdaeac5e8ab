import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'

/** How a call ended, from the last update about it. */
export interface Ending {
  readonly body: string
  readonly failed: boolean
}

export function endingOf(update: Json): Ending {
  const output = asObject(update['rawOutput'])
  return { body: bodyOf(update, output), failed: update['status'] === 'failed' || exitedBadly(output) }
}

function exitedBadly(output: Json | null): boolean {
  if (output === null) return false
  const code = output['exit_code']
  return (typeof code === 'number' && code !== 0) || output['timed_out'] === true || asText(output['signal']) !== null
}

/** What the model was shown, else what the screen showed, else what is left of the raw output without arrays of bytes. */
function bodyOf(update: Json, output: Json | null): string {
  const shown = asText(output?.['output_for_prompt']) ?? asText(contentText(update['content']))
  if (shown !== null) return shown
  const raw = asString(update['rawOutput'])
  if (raw !== null) return raw
  return output === null || Object.keys(output).length === 0 ? '' : JSON.stringify(output, withoutNumbers)
}

function withoutNumbers(_key: string, value: unknown): unknown {
  return Array.isArray(value) && typeof value[0] === 'number' ? undefined : value
}

function contentText(content: unknown): string {
  return asArray(content)
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
