import { existsSync } from 'node:fs'
import { plural } from '../model/text.ts'
import type { Finding, Store } from '../store/store.ts'

/** What is mended by making the store anew. */
const DAMAGE: ReadonlySet<string> = new Set(['page', 'chunk', 'integrity', 'fts-parity', 'packs', 'store-broken'])

/** Sessions that were read again have no outcome yet. */
const JUDGE = '`recall analyze` tells again how sessions ended; so does the next `recall sweep`'

export interface Repair {
  /** Everything that is wrong now, looked at in depth. */
  readonly check: () => Promise<readonly Finding[]>
  /** Writes back pages of which there are copies; returns how many. */
  readonly heal: () => Promise<number>
  /** Makes the store anew from the transcripts and all that can be read of the old one. */
  readonly recreate: (onLost: (what: string) => void) => Promise<{ readonly backup: string }>
  readonly open: () => Store
}

/**
 * Mends what is damaged: pages of which there is a copy, then everything that is derived or that a transcript still
 * has. What is neither is named.
 */
export async function repair(task: Repair): Promise<Finding[]> {
  const healed = await task.heal()
  const findings: Finding[] = []
  if (healed > 0) findings.push(note('healed', `${plural(healed, 'page')} of the database came back from a copy`))
  const damage = (await task.check()).filter(({ id }) => DAMAGE.has(id))
  if (damage.length > 0) {
    const lost: string[] = []
    const { backup } = await task.recreate((what) => lost.push(what))
    findings.push(note('remade', `the store was made anew; the damaged one is ${backup}`, JUDGE))
    const sessions = [...new Set(damage.flatMap((finding) => finding.sessions ?? []))].sort()
    findings.push(...(await fates(task.open(), sessions)))
    findings.push(...lost.map((what) => warning('lost', `lost: ${what}`)))
  }
  return [...findings, ...(await task.check())]
}

/** What has become of the sessions that damage was found in. */
async function fates(store: Store, sessions: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const uid of sessions) {
    const found = await store.resolve(uid)
    if (found.found !== 'one')
      findings.push(warning('lost', `lost: ${uid}: neither its rows nor its transcript can be read`))
    else if (await isWholeInFiles(store, found.id))
      findings.push(note('read-again', `${uid} was read again from its transcript`))
    else
      findings.push(
        warning(
          'altered',
          `${uid} is kept as it could be read: some of it stood in a damaged place, and its transcript is gone`,
        ),
      )
  }
  return findings
}

async function isWholeInFiles(store: Store, id: number): Promise<boolean> {
  const [files, session] = [await store.filesOf(id), await store.session(id)]
  return session?.evictedAt === null && files.length > 0 && files.every(({ path }) => existsSync(path))
}

function note(id: string, message: string, remedy = 'nothing to do'): Finding {
  return { id, level: 'info', message, remedy }
}

function warning(id: string, message: string): Finding {
  return { id, level: 'warn', message, remedy: 'nothing more can be done; a backup of your own may still have it' }
}
