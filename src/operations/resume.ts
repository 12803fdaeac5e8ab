import { findProgram } from '../capture/find-program.ts'
import { whereabouts, type Whereabouts } from '../ingest/moved.ts'
import { UserError } from '../model/errors.ts'
import { hasTranscript } from '../model/regular-file.ts'
import type { SessionRecord } from '../model/session.ts'
import { operation, type OperationContext } from './operation.ts'
import { choice, flag, list, nullable, object, text } from './schema.ts'
import { sessionMeant, type Meant } from './session-meant.ts'

const OBSTACLES = ['transcript_gone', 'directory_gone', 'not_installed'] as const

/** Why a session cannot be continued where and as it was. */
export interface Obstacle {
  readonly reason: (typeof OBSTACLES)[number]
  readonly message: string
  readonly remedy: string
}

/** How a session is continued in its own agent. */
export interface Resumption extends Meant {
  /** What the agent is called. */
  readonly label: string
  readonly command: readonly string[]
  readonly place: Whereabouts
  readonly obstacles: readonly Obstacle[]
}

export const resume = operation({
  name: 'resume',
  summary: 'continue a session in its own agent, in its own directory',
  details:
    'Takes an id, `last`, or words: those mean the session that `recall search` is sure of. A session of a subagent is ' +
    'continued where it was started. If the directory has been moved, it is looked for by the identity of its repository ' +
    '(its remote, or its first commit), and the session continued there.',
  effect: 'reads',
  input: object({ session: text('an id, `last`, or words') }),
  output: object({
    session_uid: text(),
    id: text(),
    title: nullable(text()),
    agent: text(),
    command: list(text()),
    directory: nullable(text('where it is to be run')),
    moved_from: nullable(text('where it ran, if that is no longer there')),
    source_path: text(),
    by_words: flag(),
    ready: flag(),
    obstacles: list(object({ reason: choice(OBSTACLES), message: text(), remedy: text() })),
  }),
  async run(context, asked): Promise<Resumption> {
    const meant = await sessionMeant(context, asked.session)
    const session = await startedBy(context, meant.session)
    const isPlugins = context.settings.plugins.has(session.flavor)
    const sources =
      (isPlugins ? (await (await context.recall.addedSources()).loaded())?.sources : undefined) ?? context.sources
    return resumption({ ...context, sources }, { ...meant, session })
  },
  document: ({ session, byWords, command, place, obstacles }: Resumption) => ({
    session_uid: session.uid,
    id: session.shortId,
    title: session.title,
    agent: session.flavor,
    command,
    directory: place.now,
    moved_from: place.ran === place.now ? null : place.ran,
    source_path: session.sourcePath,
    by_words: byWords,
    ready: obstacles.length === 0,
    obstacles,
  }),
})

/** The session of a person that a subagent's belongs to; itself if it is one, or if that one is not known. */
async function startedBy({ recall }: OperationContext, session: SessionRecord): Promise<SessionRecord> {
  if (!session.isSubagent || session.parentUid === null) return session
  try {
    return await recall.find(session.parentUid)
  } catch (error) {
    if (error instanceof UserError && error.code === 'NOT_FOUND') return session
    throw error
  }
}

function resumption({ sources, env, cwd }: OperationContext, meant: Meant): Resumption {
  const { session } = meant
  const source = sources.find(({ name }) => name === session.flavor)
  const command = source?.resume(session.nativeId) ?? null
  if (source === undefined || command === null) {
    const hint = `\`recall handoff ${session.shortId}\` writes down what another agent needs to go on`
    throw new UserError('NOT_FOUND', `${session.uid} was written by nobody who could continue it`, hint)
  }
  const place = whereabouts(session, cwd)
  return { ...meant, label: source.label, command, place, obstacles: obstaclesOf(session, command, place, env) }
}

function obstaclesOf(
  session: SessionRecord,
  [program = '']: readonly string[],
  { ran, now }: Whereabouts,
  env: OperationContext['env'],
): Obstacle[] {
  const handoff = `\`recall handoff ${session.shortId}\` writes down what there is to go on with`
  const found: Obstacle[] = []
  if (!hasTranscript(session.sourcePath)) {
    const message = `its transcript is gone: ${session.sourcePath}`
    found.push({ reason: 'transcript_gone', message, remedy: handoff })
  }
  if (ran !== null && now === null) {
    const remedy = `make the directory again, or run this in the repository if it is elsewhere; ${handoff}`
    found.push({ reason: 'directory_gone', message: `its directory is gone: ${ran}`, remedy })
  }
  if (findProgram(program, env) === null) {
    const remedy = `install it, or go on elsewhere: ${handoff}`
    found.push({ reason: 'not_installed', message: `${program} is not installed, or not in the PATH`, remedy })
  }
  return found
}
