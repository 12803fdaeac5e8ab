import { existsSync } from 'node:fs'
import { UserError } from '../../model/errors.ts'
import { pointerOf, readPointer, splitPointer, type Pointed } from '../../model/pointers.ts'
import type { SessionRecord } from '../../model/session.ts'
import { FLAG, type EventRecord } from '../../store/store.ts'
import { FRESH_OPTION, JSON_OPTION, type Command, type Context, type Given } from '../command.ts'
import { count, flag, word } from '../given.ts'
import { conversationJson, eventsJson } from '../show-json.ts'
import { isPayloadRef, showPayload } from '../show-payload.ts'
import { printConversation } from '../show-text.ts'
import { cutToWidth } from '../table.ts'
import { localTime } from '../when.ts'

export const show: Command = {
  name: 'show',
  summary: 'read one session as a conversation',
  details:
    'The id is a session uid (`claude:…`), the 16 digits of `recall list --json`, the first 6 or more characters of either, ' +
    'or `last` for the newest session. `id#45` shows what stands around event 45, as --around does. ' +
    'In the margin stand the number of each message and what went wrong: `✗` it failed, `⊘` it was not allowed, `!` a person stepped in. ' +
    'What subagents said is folded away unless asked for with --sidechains, and what the client put in unless with --plumbing. A `payload_ref` of `--events --json` ' +
    '(`blob://…`) prints that payload: its very bytes into a file or a pipe, with control characters shown on a terminal.',
  args: [{ name: 'id', help: 'which session, or a payload_ref', required: true }],
  options: [
    { flags: '--tools', help: 'with tool calls' },
    { flags: '--thinking', help: 'with thinking' },
    { flags: '--plumbing', help: 'with what the client put into the conversation' },
    { flags: '--sidechains', help: 'with what subagents said' },
    { flags: '--around <n>', help: 'only what stands around this event: 45, or k3f9x2a.12 in another thread' },
    { flags: '--tail <n>', help: 'only the last n messages; with --events: events' },
    { flags: '--limit <n>', help: 'at most n messages (0 = all); with --events: events' },
    { flags: '--events', help: 'every event in order instead of messages' },
    { flags: '--payloads', help: 'with --events: with whole tool outputs' },
    FRESH_OPTION,
    JSON_OPTION,
  ],
  examples: [
    'recall show 3f2a9c1e --tools',
    'recall show last --tail 5',
    'recall show claude:17092961-…#120',
    'recall show 3f2a9c1e --events --json',
    'recall show blob://claude:17092961-…/120 > output.txt',
  ],
  rows: ([id = ''], given) => (isPayloadRef(id) ? null : flag(given, 'events') ? 'events' : 'messages'),
  async run(context, args, given) {
    const [id = ''] = args
    if (isPayloadRef(id)) return showPayload(context, id, given)
    const session = await context.recall.find(id)
    const listing = flag(given, 'events')
    const around = pointed(id, given)
    const sidechains = flag(given, 'sidechains') || listing || around?.aside === true
    const all = await context.recall.events(session, { sidechains })
    if (listing) all.sort((a, b) => a.seq - b.seq)
    const events = around === null ? narrow(all, given) : aroundEvent(session, all, around, count(given, 'limit') ?? 10)
    if (flag(given, 'json')) return context.terminal.json(await document(context, session, events, given))
    if (listing) return printEvents(context, events)
    printConversation(context.terminal, session, events, {
      tools: flag(given, 'tools'),
      thinking: flag(given, 'thinking'),
      plumbing: flag(given, 'plumbing'),
      folded: all.length !== events.length,
    })
  },
}

async function document(context: Context, session: SessionRecord, events: EventRecord[], given: Given) {
  const { recall } = context
  if (flag(given, 'events')) {
    return eventsJson(session, events, flag(given, 'payloads') ? await recall.bodies(session, null) : null)
  }
  return conversationJson(session, events, await recall.bodies(session, null))
}

/** What `--around` or the end of the id points at. */
function pointed(id: string, given: Given): Pointed | null {
  const text = word(given, 'around')
  if (text === undefined) return splitPointer(id).event
  const around = readPointer(text)
  if (around !== null) return around
  const hint = 'it takes what `recall show` prints: 45, or k3f9x2a.12 in another thread'
  throw new UserError('USAGE', `--around cannot be ${JSON.stringify(text)}`, hint)
}

/** Whole messages at the end or at the start. */
function narrow(events: EventRecord[], given: Given): EventRecord[] {
  const tail = count(given, 'tail')
  const limit = count(given, 'limit')
  if (flag(given, 'events')) return tail ? events.slice(-tail) : limit ? events.slice(0, limit) : events
  const starts = [
    ...new Set(events.flatMap((event) => (event.message === null ? [] : [`${event.lane}\n${event.message}`]))),
  ]
  const kept = tail !== undefined && tail > 0 ? starts.slice(-tail) : limit ? starts.slice(0, limit) : starts
  if (kept.length === starts.length) return events
  const wanted = new Set(kept)
  const calls = new Set(
    events.filter((e) => e.call !== null && wanted.has(`${e.lane}\n${e.message}`)).map((e) => `${e.lane}\n${e.call}`),
  )
  return events.filter((e) =>
    e.message === null ? calls.has(`${e.lane}\n${e.call}`) : wanted.has(`${e.lane}\n${e.message}`),
  )
}

/** What stands around an event: of the conversation, or of the thread in which it was said. */
function aroundEvent(session: SessionRecord, events: EventRecord[], around: Pointed, margin: number): EventRecord[] {
  const found = events.filter((event) => around.fits(event.seq))
  const [event] = found
  if (event === undefined) {
    if (session.evictedAt !== null) throw evicted(session)
    const hint = 'numbers come from `recall search` and `recall show`, which print them as #45'
    throw new UserError('NOT_FOUND', 'the session has no such event', hint)
  }
  if (found.length > 1) {
    const fitting = found.map(({ seq }) => pointerOf(seq)).join(', ')
    throw new UserError('AMBIGUOUS', `${found.length} threads are called so`, `it may be ${fitting}`)
  }
  const isAside = (event.flags & FLAG.sidechain) !== 0
  const thread = isAside ? events.filter(({ lane }) => lane === event.lane) : events
  const at = thread.indexOf(event)
  return thread.slice(Math.max(0, at - margin), at + margin + 1)
}

function evicted(session: SessionRecord): UserError {
  const { shortId, evictedAt, evictReason } = session
  const message = `the raw text of this session went on ${localTime(evictedAt)} (${evictReason ?? 'let go'})`
  const hint = existsSync(session.sourcePath)
    ? `\`recall index --restore ${shortId}\` reads it again: its transcript is still there`
    : `its transcript is gone too; \`recall digest ${shortId}\` tells what is known`
  return new UserError('NOT_FOUND', message, hint)
}

function printEvents({ terminal }: Context, events: readonly EventRecord[]): void {
  for (const event of events) {
    const tool = event.tool === null ? '' : ` [${event.tool}]`
    const pointer = pointerOf(event.seq)
    const told = terminal.cell(`${event.kind}${tool} ${event.summary}`)
    terminal.line(`${terminal.dim(pointer)} ${cutToWidth(told, terminal.width - pointer.length - 1)}`)
  }
}
