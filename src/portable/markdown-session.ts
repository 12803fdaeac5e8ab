import { isToolCall } from '../model/event.ts'
import { inert } from '../model/inert.ts'
import type { EventLine } from '../model/records.ts'
import {
  callLine,
  factsOf,
  isInjected,
  isSuperseded,
  minute,
  speakerOf,
  titleOf,
  type SessionPages,
} from './session-pages.ts'

/** Sessions as Markdown that stays Markdown: HTML in it is text, links lead to pages, fences end where they should. */
export function markdownPages(): SessionPages {
  let speaker = ''
  return {
    ending: 'md',
    begin(out, session) {
      speaker = ''
      const facts = factsOf(session).map(([name, value]) => `- ${name}: ${plain(value)}`)
      out.write(`# ${plain(titleOf(session))}\n\n${facts.join('\n')}\n`)
    },
    event(out, event) {
      const body = bodyOf(event)
      if (body === '') return
      const name = event.role === 'tool' || isToolCall(event.kind) ? speaker : speakerOf(event)
      if (name !== speaker && name !== '') {
        speaker = name
        out.write(
          `\n## ${plain(name)}${event.ts === null ? '' : ` · ${minute(event.ts)}`}${isSuperseded(event) ? ' · taken back' : ''}\n`,
        )
      }
      out.write(`\n${body}\n`)
    },
    end: () => undefined,
  }
}

function bodyOf(event: EventLine): string {
  const { kind, role, text, output, input } = event
  if (isToolCall(kind)) {
    const shown = text ?? JSON.stringify(input ?? null, null, 2)
    return `**${plain(callLine({ ...event, text: null, place: { ...event.place, summary: '' } }))}**\n\n${fenced(shown, text === null ? 'json' : 'sh')}`
  }
  if (role === 'tool') return `${event.is_error ? '✗ failed' : '→'}\n\n${fenced(output ?? text ?? '', '')}`
  const words = text ?? output ?? ''
  if (words === '') return ''
  if (kind === 'thinking') return quoted(words)
  if (isInjected(event)) return `put in by the client\n\n${fenced(words, '')}`
  return safeMarkdown(words)
}

/** A fence that nothing within it can close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${inert(text)}\n${fence}`
}

function quoted(text: string): string {
  return safeMarkdown(text).replaceAll(/^/gm, '> ')
}

function plain(text: string): string {
  return inert(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*[\]<>|#]/g, '\\$&')
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/

/** Outside of code, what could be a tag is text, and a link that does not lead to a page leads nowhere. */
export function safeMarkdown(text: string): string {
  let fence = ''
  const lines = inert(text)
    .split('\n')
    .map((line) => {
      const [, mark = ''] = FENCE.exec(line) ?? []
      if (fence !== '') {
        if (mark.startsWith(fence) && line.trim() === mark) fence = ''
        return line
      }
      if (mark !== '') {
        fence = mark
        return line
      }
      return line.replace(/(`+)(?:.+?)\1|[<]|\]\(\s*[^)\s]*|^\s*\[[^\]]*\]:\s*\S*/g, safePiece)
    })
  // A fence that is never closed would swallow what follows.
  return fence === '' ? lines.join('\n') : `${lines.join('\n')}\n${fence}`
}

function safePiece(found: string): string {
  if (found.startsWith('`')) return found
  if (found === '<') return '&lt;'
  const target = found.replace(/^(?:\]\(\s*|\s*\[[^\]]*\]:\s*)/, '')
  return target === '' || /^(?:https?:\/\/|mailto:|#)/i.test(target)
    ? found.replaceAll('<', '&lt;')
    : `${found.slice(0, found.length - target.length)}#`
}
