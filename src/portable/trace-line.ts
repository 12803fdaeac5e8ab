import { isToolCall } from '../model/event.ts'
import type { EventLine, SessionLine } from '../model/records.ts'

/** What of a record stands in the line itself; the rest is in `recall`. */
type Rest = Omit<EventLine, 'v' | 'record' | 'session_uid' | 'tool' | 'event_class' | 'input' | 'output'>

/**
 * An event as a line that any reader of traces understands, with its keys in their order. What only recall needs to put
 * it back as it was is JSON within a string: nothing that looks for `"command":"` meets it there.
 */
export function traceLine(event: EventLine, session: SessionLine): string {
  const { v, record: _, session_uid: uid, tool, event_class: label, input, output, ...rest } = event
  const isResult = event.role === 'tool'
  const role = isToolCall(event.kind) ? 'assistant' : isResult ? 'user' : event.role
  const line: Record<string, unknown> = {
    type: role,
    timestamp: event.ts,
    sessionId: session.native_id,
    cwd: session.cwd,
    gitBranch: session.git_branch,
    uuid: `${uid}#${event.seq}`,
    parentUuid:
      typeof event.place.parent === 'number' ? `${uid}#${event.seq - event.place.pos + event.place.parent}` : null,
    subtype: isToolCall(event.kind) ? 'tool_use' : isResult ? 'tool_result' : null,
    message: { role, content: [block(event)] },
    ...(isResult ? { toolUseID: event.place.call ?? '', toolUseResult: resultOf(event) } : {}),
    event_class: label,
    is_error: event.is_error,
  }
  const hidden: Rest = withoutShown(rest, event)
  line['recall'] = JSON.stringify({
    v,
    uid,
    tool,
    ...hidden,
    ...(isShown(event, 'input') ? {} : { input }),
    ...(isShown(event, 'output') ? {} : { output }),
  })
  return JSON.stringify(line)
}

function block(event: EventLine): Record<string, unknown> {
  const { kind, role, place, tool, text, output } = event
  if (isToolCall(kind)) return { type: 'tool_use', id: place.call ?? '', name: tool ?? '', input: event.input ?? {} }
  if (role === 'tool')
    return {
      type: 'tool_result',
      tool_use_id: place.call ?? '',
      content: output ?? text ?? '',
      is_error: event.is_error,
    }
  if (kind === 'thinking') return { type: 'thinking', thinking: text ?? '' }
  return { type: 'text', text: text ?? output ?? '' }
}

function resultOf({ marks, tool }: EventLine): Record<string, unknown> {
  const exitCode = (marks as { readonly exitCode?: unknown } | null)?.exitCode
  return { ...(tool === null ? {} : { tool }), ...(typeof exitCode === 'number' ? { exitCode } : {}) }
}

/** Whether the block of the line holds this whole, so that it need not be told twice. */
function isShown(event: EventLine, what: 'input' | 'output' | 'text'): boolean {
  const { kind, role, input, output, text } = event
  if (isToolCall(kind)) return what === 'input' && input !== null
  if (role === 'tool') return what === 'output' ? output !== null : what === 'text' && output === null && text !== null
  return what === 'text' ? text !== null : what === 'output' && kind !== 'thinking' && text === null && output !== null
}

function withoutShown(
  rest: Omit<EventLine, 'v' | 'record' | 'session_uid' | 'tool' | 'event_class' | 'input' | 'output'>,
  event: EventLine,
): Rest {
  if (!isShown(event, 'text')) return rest
  const { text: _, ...others } = rest
  return others as Rest
}

/** The record of a line that recall wrote, as it was told; null for a line of anybody else's. */
export function recordOfTrace(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  const own = typeof line['recall'] === 'string' ? parsed(line['recall']) : null
  if (own === null) return null
  const content = (line['message'] as { readonly content?: unknown } | undefined)?.content
  const shown = (Array.isArray(content) ? content[0] : null) as Readonly<Record<string, unknown>> | null
  const { uid, v, ...rest } = own
  const event = { ...rest, event_class: line['event_class'], is_error: line['is_error'] } as Record<string, unknown>
  if (shown !== null && typeof shown === 'object') takeBack(event, shown)
  for (const name of ['text', 'input', 'output']) event[name] ??= null
  return { v, record: 'event', session_uid: uid, ...event }
}

/** What a line shows is what its record left out. */
function takeBack(event: Record<string, unknown>, shown: Readonly<Record<string, unknown>>): void {
  const missing = (...names: readonly string[]) => names.find((name) => !(name in event))
  const put = (name: string | undefined, value: unknown) => {
    if (name !== undefined) event[name] = value
  }
  if (shown['type'] === 'tool_use') put(missing('input'), shown['input'])
  if (shown['type'] === 'tool_result') put(missing('output', 'text'), shown['content'])
  if (shown['type'] === 'thinking') put(missing('text'), shown['thinking'])
  if (shown['type'] === 'text') put(missing('text', 'output'), shown['text'])
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
