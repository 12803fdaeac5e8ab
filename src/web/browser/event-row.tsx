import { pointerOf } from '../../model/pointers.ts'
import { ask } from './api.ts'
import type { EventDoc, EventStore } from './event-store.ts'
import { CopyButton } from './figures.tsx'
import { clockTime, fullTime, plural } from './format.ts'
import type { Row } from './reader-rows.ts'
import { sessionAddress } from './session-row.tsx'
import { Words } from './words.tsx'

interface RowProps {
  readonly row: Row
  readonly session: string
  readonly store: EventStore
  readonly isHere: boolean
  /** Whether it was unfolded, or folded where it stands open by itself. */
  readonly isTurned: boolean
  readonly onTurn: () => void
  readonly onFold: (thread: string) => void
}

const WHO: Readonly<Record<string, string>> = { user: 'You', assistant: 'Agent', system: 'Client', tool: 'Result' }

export function EventRow({ row, session, store, isHere, isTurned, onTurn, onFold }: RowProps) {
  const event = store.get(row.seq)
  const classes = ['event', row.kind, row.trouble ?? '', isHere ? 'here' : '', row.depth > 0 ? 'inner' : ''].join(' ')
  return (
    <article
      class={classes}
      aria-label={`${WHO[row.role] ?? ''} ${pointerOf(row.seq)}`}
      style={{ marginLeft: `${row.depth * 18}px` }}
    >
      {event === null ? (
        <div class="skeleton" aria-busy="true" />
      ) : (
        <EventBody event={event} row={row} session={session} store={store} isTurned={isTurned} onTurn={onTurn} />
      )}
      {row.subagent === null ? null : (
        <button
          type="button"
          class="subagent"
          aria-expanded={row.subagent.isOpen}
          onClick={() => onFold(row.subagent?.thread ?? '')}
        >
          {row.subagent.isOpen ? '▾' : '▸'} subagent: {plural(row.subagent.events, 'event')}
        </button>
      )}
    </article>
  )
}

interface BodyProps extends Pick<RowProps, 'row' | 'session' | 'store' | 'isTurned' | 'onTurn'> {
  readonly event: EventDoc
}

function EventBody(props: BodyProps) {
  const { event, row, session } = props
  const { kind, role, human } = event
  if (kind === 'thinking') return <Folded {...props} name="thinking" />
  if (kind === 'user_msg' && !human) return <Folded {...props} name={role === 'user' ? 'from the client' : role} />
  if (kind === 'user_msg' || kind === 'assistant_msg') return <Message event={event} session={session} />
  if (role === 'assistant' || row.result !== null) return <Call {...props} />
  if (kind === 'tool_result' || kind === 'error') return <Call {...props} />
  return (
    <p class="mark">
      <Pointer event={event} session={session} /> <strong>{markName(row)}</strong> {event.summary}
    </p>
  )
}

function markName({ trouble, kind }: Row): string {
  if (trouble === 'compacted') return 'Compacted: from here on only a summary of what came before.'
  if (trouble === 'interrupted') return 'Interrupted.'
  return { human_intervention: 'A person stepped in:', decision: 'Decision:', completion: 'End:' }[kind as string] ?? ''
}

function Pointer({ event, session }: { event: EventDoc; session: string }) {
  return (
    <a class="pointer" href={sessionAddress(session, event.pointer)} title={`${event.pointer}, ${fullTime(event.ts)}`}>
      {event.pointer} <time dateTime={event.ts ?? ''}>{clockTime(event.ts)}</time>
    </a>
  )
}

/** All of it, however long: fetched when it is wanted. */
function wholeOf(event: EventDoc): string | (() => Promise<string>) {
  if ((event.payload_chars ?? 0) <= (event.payload?.length ?? 0) || event.payload_ref === null)
    return event.payload ?? event.summary
  const reference = event.payload_ref
  return async () => (await ask('payload', { payload_ref: reference })).text
}

function Message({ event, session }: { event: EventDoc; session: string }) {
  const isPerson = event.role === 'user'
  return (
    <>
      <header>
        <strong>{isPerson ? 'You' : event.thread === null ? 'Agent' : 'Subagent'}</strong>
        {event.marks?.mid_turn ? <span class="dim">while it worked</span> : null}
        {event.superseded ? <span class="dim">taken back</span> : null}
        <Pointer event={event} session={session} />
        <CopyButton text={wholeOf(event)} what="this message as Markdown" />
      </header>
      <Words
        text={event.payload ?? event.summary}
        total={event.payload_chars ?? 0}
        reference={event.payload_ref}
        as={(text, rich) => rich.markdown(text)}
      />
    </>
  )
}

function Folded({ event, session, name, isTurned: isOpen, onTurn }: BodyProps & { name: string }) {
  return (
    <div class="foldable">
      <details
        class="folded"
        open={isOpen}
        onToggle={(toggle) => (toggle.currentTarget as HTMLDetailsElement).open === isOpen || onTurn()}
      >
        <summary>
          <span>{name}</span> <span class="preview">{isOpen ? '' : event.summary}</span>{' '}
        </summary>
        {isOpen ? (
          <Words
            text={event.payload ?? ''}
            total={event.payload_chars ?? 0}
            reference={event.payload_ref}
            as={(text, rich) => rich.markdown(text)}
          />
        ) : null}
      </details>
      <Pointer event={event} session={session} />
    </div>
  )
}

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  error: ['✗', 'failed'],
  denied: ['⊘', 'not allowed'],
  retry: ['↻', 'tried again'],
  interrupted: ['■', 'stopped'],
}

/** A call with its result, folded to one line unless it changed something or went wrong. */
function Call({ event, row, session, store, isTurned, onTurn }: BodyProps) {
  const isOpen = (event.kind === 'edit' || row.trouble === 'error' || row.trouble === 'denied') !== isTurned
  const [sign, meaning] = SIGNS[row.trouble ?? ''] ?? (row.result === null ? ['…', 'no result'] : ['✓', 'done'])
  return (
    <div class="foldable">
      <details
        class="call"
        open={isOpen}
        onToggle={(toggle) => (toggle.currentTarget as HTMLDetailsElement).open === isOpen || onTurn()}
      >
        <summary>
          <span class={`sign ${row.trouble ?? 'done'}`} title={meaning} role="img" aria-label={meaning}>
            {sign}
          </span>
          <span class="tool">{event.tool ?? event.kind}</span>
          <span class="preview">{event.summary}</span>
        </summary>
        {isOpen ? <CallDetails event={event} row={row} store={store} /> : null}
      </details>
      <Pointer event={event} session={session} />
    </div>
  )
}

function CallDetails({ event, row, store }: { event: EventDoc; row: Row; store: EventStore }) {
  const result = row.result === null ? null : store.get(row.result)
  const { command, input } = argumentsOf(event.payload ?? '')
  return (
    <div class="call-body">
      {command === null ? (
        <Words
          text={input === undefined ? (event.payload ?? event.summary) : JSON.stringify(input, null, 2)}
          total={input === undefined ? (event.payload_chars ?? 0) : 0}
          reference={event.payload_ref}
          as={(text, rich) => (input === undefined ? null : rich.edit(input)) ?? rich.code(text, 'json')}
        />
      ) : (
        <Words text={command} total={0} reference={null} as={(text, rich) => rich.code(text, 'bash')} />
      )}
      {row.result === null ? null : (
        <>
          <div class="result-head">
            result
            {result === null ? null : <CopyButton text={wholeOf(result)} what="the result" />}
          </div>
          {result === null ? (
            <div class="skeleton" aria-busy="true" />
          ) : (
            <Words
              text={result.payload ?? result.summary}
              total={result.payload_chars ?? 0}
              reference={result.payload_ref}
            />
          )}
        </>
      )}
    </div>
  )
}

/** What a call was given: the command of a shell, or whatever it is; nothing where it was cut or is no JSON. */
function argumentsOf(payload: string): { readonly command: string | null; readonly input: unknown } {
  try {
    const input = JSON.parse(payload) as unknown
    const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : null
    return { command: typeof command === 'string' ? command : null, input }
  } catch {
    return { command: null, input: undefined }
  }
}
