import { UserError } from '../model/errors.ts'
import type { Memory } from './memory.ts'
import { ABOUT_QUOTES, quoted, quotedDeep, WHOLE } from './quote.ts'

/** What can be read of a session as a whole, by its name. */
interface Resource {
  readonly name: string
  readonly title: string
  readonly uriTemplate: string
  readonly description: string
  readonly mimeType: string
}

const DIGEST: Resource = {
  name: 'digest',
  title: 'Digest of a session',
  uriTemplate: 'recall://digest/{session}',
  description: 'What stays of a session for good, whole',
  mimeType: 'application/json',
}

const ARCHIVE: Resource = {
  name: 'archive',
  title: 'Archive of a conversation',
  uriTemplate: 'recall://archive/{session}',
  description: 'What people and the agent said in a session, one after the other',
  mimeType: 'text/markdown',
}

export const RESOURCES: Resource[] = [DIGEST, ARCHIVE]

/** The name of a session's digest as a resource. */
export function digestUri(uid: string): string {
  return DIGEST.uriTemplate.replace('{session}', encodeURIComponent(uid))
}

/** The session that a name is about; null where it names another kind of resource, or nothing. */
function sessionIn(uri: string, { uriTemplate }: Resource): string | null {
  const start = uriTemplate.slice(0, uriTemplate.indexOf('{'))
  if (!uri.startsWith(start)) return null
  try {
    return decodeURIComponent(uri.slice(start.length))
  } catch {
    return null
  }
}

/** What a resource says, with every word of it quoted. */
export async function resourceAt(memory: Memory, uri: string): Promise<{ mimeType: string; text: string }> {
  const digested = sessionIn(uri, DIGEST)
  if (digested !== null) {
    const digest = await memory.ask('digest', { id: digested })
    const text = JSON.stringify({ quotes: ABOUT_QUOTES, ...(quotedDeep(digest, WHOLE) as object) })
    return { mimeType: DIGEST.mimeType, text }
  }
  const archived = sessionIn(uri, ARCHIVE)
  if (archived !== null) {
    const { markdown } = await memory.ask('archive', { id: archived, dry_run: true })
    return { mimeType: ARCHIVE.mimeType, text: `> ${ABOUT_QUOTES}\n\n${quoted(markdown)}` }
  }
  const hint = RESOURCES.map(({ uriTemplate }) => uriTemplate).join(', ')
  throw new UserError('NOT_FOUND', `there is no resource ${JSON.stringify(uri)}`, hint)
}
