import path from 'node:path'
import { archiveName, archiveText, cleanName, fallbackName, keepArchive } from '../groups/archive.ts'
import { within } from '../groups/directory.ts'
import { CONVERSATIONS, groupDir } from '../groups/places.ts'
import { UserError } from '../model/errors.ts'
import type { ArchivedMessage } from '../model/group-agent.ts'
import type { SessionRecord } from '../model/session.ts'
import { FLAG, type EventRecord } from '../store/store.ts'
import { consentFields, mayChange } from './consent.ts'
import type { OperationContext } from './operation.ts'
import { operation } from './operation.ts'
import { called, flag, nullable, object, text } from './schema.ts'

export interface Archived {
  readonly session: SessionRecord
  readonly name: string
  readonly markdown: string
  /** Where it is, or would be; null if it is not to be kept in a file. */
  readonly file: string | null
  readonly isWritten: boolean
  /** It goes into a file that nobody has named. */
  readonly isUnnamed: boolean
}

export const archive = operation({
  name: 'archive',
  summary: 'a conversation as markdown, as groups keep them',
  details:
    'Prompts and answers, one after the other, each at most 2,000 characters; docs/groups.md has the format. With --out it is put into a directory, with --group into `conversations/` of that group, else it is printed. Written again it is the same, byte for byte.',
  effect: 'writes',
  input: object(
    { id: text('which session') },
    {
      out: called('dir', text('put it into this directory')),
      name: called('name', text('what it is called; else as in the history of its group, or its title')),
      ...consentFields,
    },
  ),
  output: object({
    session_uid: text(),
    name: text(),
    file: nullable(text()),
    written: flag(),
    markdown: text(),
  }),
  async run(context, asked): Promise<Archived> {
    const { recall, settings, cwd } = context
    const session = await recall.find(asked.id)
    const messages = messagesOf(await recall.events(session, { sidechains: false }))
    if (messages.length === 0) throw nothingSaid(session)
    const { name, at } = await calledAndWhen(context, session, asked.name)
    const { assistantName } = settings
    const markdown = archiveText({ name, at, messages, assistantName, redact: (words) => words })
    const stem = archiveName(name, at, session.shortId)
    const archive = { session, name, markdown, isUnnamed: asked.out === undefined }
    if (asked.out !== undefined) {
      const dir = path.resolve(cwd, asked.out)
      if (asked.dry_run === true) return { ...archive, file: path.join(dir, `${stem}.md`), isWritten: false }
      const file = within(dir, [], (place) => keepArchive(place, stem, markdown), true)
      return { ...archive, file: path.join(dir, file ?? ''), isWritten: true }
    }
    if (settings.group === undefined) return { ...archive, file: null, isWritten: false }
    const parts = [...groupDir(settings.group), CONVERSATIONS]
    const place = path.join(settings.groupsRoot, ...parts)
    if (!mayChange(asked)) return { ...archive, file: path.join(place, `${stem}.md`), isWritten: false }
    const file = within(settings.groupsRoot, parts, (dir) => keepArchive(dir, stem, markdown), true)
    return { ...archive, file: path.join(place, file ?? ''), isWritten: true }
  },
  document: ({ session, name, markdown, file, isWritten }: Archived) => ({
    session_uid: session.uid,
    name,
    file,
    written: isWritten,
    markdown,
  }),
})

/** What people and the agent said to each other. */
function messagesOf(events: readonly EventRecord[]): ArchivedMessage[] {
  return events.flatMap((event): ArchivedMessage[] => {
    const words = event.text ?? ''
    const isHuman = (event.flags & FLAG.human) !== 0
    if (words === '') return []
    if (event.kind === 'user_msg' && isHuman) return [{ speaker: 'user', text: words }]
    return event.kind === 'assistant_msg' ? [{ speaker: 'assistant', text: words }] : []
  })
}

/** Both depend on nothing but the session, so that an archive is the same whenever it is written. */
async function calledAndWhen(
  { recall, settings }: OperationContext,
  session: SessionRecord,
  given: string | undefined,
): Promise<{ readonly name: string; readonly at: number }> {
  const history = settings.group === undefined ? [] : await recall.groups.history(settings.group)
  const entry = history.find(({ session_id: id }) => id === session.nativeId)
  const at = entry === undefined ? (session.endedAt ?? session.startedAt ?? 0) : Date.parse(entry.archived_at)
  const name = cleanName(given ?? entry?.name ?? session.title ?? '', (words) => words)
  return { name: name || fallbackName(at), at }
}

function nothingSaid({ uid, evictedAt }: SessionRecord): UserError {
  const why = evictedAt === null ? 'nobody said anything in it' : 'its raw text was evicted'
  return new UserError(
    'NOT_FOUND',
    `there is nothing to archive of ${uid}: ${why}`,
    '`recall digest` has what is left of it',
  )
}
