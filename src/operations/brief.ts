import path from 'node:path'
import { projectAt, type Project } from '../ingest/moved.ts'
import { briefText, type BriefText } from '../insight/brief.ts'
import type { Digest } from '../model/digest.ts'
import type { SessionRecord } from '../model/session.ts'
import { operation } from './operation.ts'
import { called, count, nullable, object, text } from './schema.ts'

const USUAL_BUDGET = 500
const DAY_MS = 86_400_000
const DAYS = 30
const MOST = 5
/** Some of the newest may be of another project whose path has this one's in it. */
const LOOKED_AT = 40

export const brief = operation({
  name: 'brief',
  summary: 'what was done lately in a project, in a few lines for an agent',
  details:
    `At most ${MOST} sessions of the last ${DAYS} days, within a budget of tokens; nothing if there were none. ` +
    '`recall connect <agent> --brief` begins every session with it.',
  effect: 'reads',
  isLocal: true,
  input: object(
    {},
    {
      directory: called('path', text('the project; where you are, without')),
      without: called('session', text('the session that asks, which is not told of')),
      budget: called('tokens', count(`how long it may be (${USUAL_BUDGET})`)),
    },
  ),
  output: object({ text: nullable(text()), tokens: count(), sessions: count() }),
  async run({ recall, sources, cwd, now }, asked): Promise<BriefText> {
    const here = projectAt(path.resolve(cwd, asked.directory ?? '.'))
    const since = now() - DAYS * DAY_MS
    const filter = { project: here.root, since, limit: LOOKED_AT, automated: false, empty: false }
    const { sessions } = await recall.list(filter)
    const own = sessions.filter((session) => isOf(session, here) && !isCalled(session, asked.without)).slice(0, MOST)
    const rows = await Promise.all(
      own.map(async (session) => {
        const json = await recall.digest(session.uid)
        const agent = sources.find(({ name }) => name === session.flavor)?.label ?? session.flavor
        return { session, agent, digest: json === null ? null : (JSON.parse(json) as Digest) }
      }),
    )
    return briefText(rows, asked.budget ?? USUAL_BUDGET)
  },
  document: (brief: BriefText) => ({ ...brief }),
})

/** A directory outside of any repository is a project by itself: what lies below it is another. */
function isOf({ gitRepo, cwd, promptCount }: SessionRecord, { root, isRepo }: Project): boolean {
  return promptCount > 0 && (isRepo ? gitRepo === root : gitRepo === null && cwd === root)
}

function isCalled({ uid, nativeId }: SessionRecord, name: string | undefined): boolean {
  return name !== undefined && (name === uid || name === nativeId)
}
