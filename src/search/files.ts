import path from 'node:path'
import { wholePath } from '../distill/paths.ts'
import { baseName, projectOf, type SessionFilter, type SessionRecord } from '../model/session.ts'
import type { Touch, Workplace } from '../store/evidence.ts'
import type { Store } from '../store/store.ts'

export interface FileQuestion {
  /** Whole, or from `cwd`, or only the end of it. */
  readonly path: string
  readonly cwd: string
  readonly filter: SessionFilter
}

/** What one session did to a file. */
export interface FileVisit {
  readonly session: SessionRecord
  /** As the session named it. */
  readonly path: string
  readonly edits: number
  readonly reads: number
  readonly firstAt: number | null
  readonly lastAt: number | null
  /** Where, edits first, then reads, at most 20. Empty if only the digest is left. */
  readonly seqs: readonly number[]
}

export interface FilesAnswer {
  readonly path: string
  /** The repository or directory that the file belongs to, if it is known. */
  readonly root: string | null
  readonly total: number
  /** Sessions of other projects that touched a file so named. */
  readonly elsewhere: number
  readonly visits: readonly FileVisit[]
}

const MAX_SEQS = 20

/** Sessions that touched a file, the latest first. All working trees of a repository count as one place. */
export async function findVisits(store: Store, question: FileQuestion): Promise<FilesAnswer> {
  const { limit, ...narrowing } = question.filter
  const within = Object.keys(narrowing).length === 0 ? null : await store.text.sessionsWithin(narrowing)
  const workplaces = await store.evidence.workplaces()
  const homes = new Map(workplaces.map((place) => [place.session, projectOf(place)]))
  const atlas = createAtlas(workplaces)
  const target = atlas.locate(question.path, question.cwd)
  const name = baseName(target.asked)
  const touches = (await store.evidence.touches(name)).filter(({ session }) => within?.has(session) ?? true)
  const remembered = (await store.evidence.remembered(name)).filter(({ session }) => within?.has(session) ?? true)
  const all = [
    ...touches.map((touch) => ({ ...touch, reads: touch.edit ? 0 : 1, edits: touch.edit ? 1 : 0 })),
    ...remembered.map((touch) => {
      const cwd = homes.get(touch.session) ?? null
      return { ...touch, path: wholePath(touch.path, { cwd, gitRepo: null }), seq: null, at: null }
    }),
  ]
  const everywhere = question.filter.project !== undefined
  const { here, elsewhere } = atlas.pick(target, all, everywhere)
  const visits = await gather(store, here)
  const shown = limit === 0 ? visits : visits.slice(0, limit)
  const others = new Set(elsewhere.map(({ session }) => session)).size
  return { path: question.path, root: target.root, total: visits.length, elsewhere: others, visits: shown }
}

interface Counted {
  readonly session: number
  readonly path: string
  readonly seq: number | null
  readonly at: number | null
  readonly edits: number
  readonly reads: number
}

async function gather(store: Store, touches: readonly Counted[]): Promise<FileVisit[]> {
  const bySession = new Map<number, Counted[]>()
  for (const touch of touches) {
    const own = bySession.get(touch.session)
    if (own) own.push(touch)
    else bySession.set(touch.session, [touch])
  }
  const visits: FileVisit[] = []
  for (const [id, own] of bySession) {
    const session = await store.session(id)
    if (session === null) continue
    const times = own.flatMap(({ at }) => at ?? [])
    const ordered = [...own].sort((a, b) => b.edits - a.edits || (a.seq ?? 0) - (b.seq ?? 0))
    visits.push({
      session,
      path: ordered[0]?.path ?? '',
      edits: own.reduce((sum, touch) => sum + touch.edits, 0),
      reads: own.reduce((sum, touch) => sum + touch.reads, 0),
      firstAt: times.length === 0 ? session.startedAt : Math.min(...times),
      lastAt: times.length === 0 ? session.endedAt : Math.max(...times),
      seqs: ordered.flatMap(({ seq }) => seq ?? []).slice(0, MAX_SEQS),
    })
  }
  return visits.sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0) || b.session.rowId - a.session.rowId)
}

/** A file that is asked for. */
export interface FileTarget {
  /** As it was asked, with plain slashes. */
  readonly asked: string
  readonly whole: string
  readonly isWhole: boolean
  readonly root: string | null
  /** Its path from there. */
  readonly inRoot: string | null
}

export interface Atlas {
  locate(file: string, cwd: string): FileTarget
  /** The touches of that very file; those of files that are only named like it, if there are none and it was not given whole. */
  pick<T extends { session: number; path: string }>(
    target: FileTarget,
    touches: readonly T[],
    everywhere: boolean,
  ): { here: T[]; elsewhere: T[] }
}

/** Knows which directories are working trees of which repository, as the sessions tell it. */
export function createAtlas(workplaces: readonly Workplace[]): Atlas {
  const places = new Map(workplaces.map((place) => [place.session, place]))
  const trees = new Map<string, string>()
  for (const { cwd, gitRepo } of workplaces) {
    if (gitRepo !== null) trees.set(clean(gitRepo), clean(gitRepo))
    if (cwd !== null && !(gitRepo !== null && isWithin(clean(cwd), clean(gitRepo))))
      trees.set(clean(cwd), clean(gitRepo ?? cwd))
  }
  const bySize = [...trees].sort(([a], [b]) => a.length - b.length)
  const repos = new Set(trees.values())

  /** The innermost repository, or a linked working tree within it: the outermost, for sessions start in subdirectories too. */
  function placeOf(whole: string): { root: string; inRoot: string } | null {
    const holding = bySize.filter(([dir]) => isWithin(whole, dir))
    const repo = holding.findLast(([dir]) => repos.has(dir))
    const linked = holding.find(([dir, root]) => dir !== root && dir.length > (repo?.[0].length ?? 0))
    const [dir, root] = linked ?? repo ?? []
    return dir === undefined || root === undefined ? null : { root, inRoot: fromTree(whole.slice(dir.length + 1)) }
  }

  function placeOfTouch(session: number, file: string): { whole: string; root: string | null; inRoot: string | null } {
    const { cwd, gitRepo } = places.get(session) ?? { cwd: null, gitRepo: null }
    const whole = clean(wholePath(file, { cwd, gitRepo }))
    return { whole, ...(placeOf(whole) ?? { root: null, inRoot: null }) }
  }

  return {
    locate(file, cwd) {
      const isWhole = isAbsolute(file)
      const asked = clean(file)
      const whole = isWhole ? asked : clean(`${cwd}/${file}`)
      return { asked, whole, isWhole, ...(placeOf(whole) ?? { root: null, inRoot: null }) }
    },
    pick(target, touches, everywhere) {
      const placed = touches.map((touch) => ({ touch, place: placeOfTouch(touch.session, touch.path) }))
      const same = placed.filter(
        ({ place }) =>
          place.whole === target.whole ||
          (target.root !== null && place.root === target.root && place.inRoot === target.inRoot),
      )
      if (same.length > 0) return { here: same.map(({ touch }) => touch), elsewhere: [] }
      const named = placed.filter(({ place }) => `/${place.whole}`.endsWith(`/${target.asked}`))
      const mayBe = (root: string | null) => everywhere || target.root === null || root === target.root
      const here = target.isWhole ? [] : named.filter(({ place }) => mayBe(place.root))
      const elsewhere = named.filter((one) => !here.includes(one))
      return { here: here.map(({ touch }) => touch), elsewhere: elsewhere.map(({ touch }) => touch) }
    },
  }
}

/** Edits of that very file that went through, in order of time. */
export async function editsOf(store: Store, file: string, cwd: string): Promise<Touch[]> {
  const atlas = createAtlas(await store.evidence.workplaces())
  const target = { ...atlas.locate(file, cwd), isWhole: true }
  const touches = await store.evidence.touches(baseName(target.asked))
  return atlas.pick(
    target,
    touches.filter(({ edit, failed }) => edit && !failed),
    false,
  ).here
}

function isAbsolute(file: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(file)
}

function clean(file: string): string {
  const normal = path.posix.normalize(file.replaceAll('\\', '/'))
  return normal.length > 1 ? normal.replace(/\/$/, '') : normal
}

function isWithin(file: string, dir: string): boolean {
  return file.startsWith(dir === '/' ? '/' : `${dir}/`)
}

/** Working trees that lie inside their repository: `.worktrees/name/`, `.claude/worktrees/name/`. */
function fromTree(inRoot: string): string {
  return inRoot.replace(/^(?:\.?[\w-]+\/)?\.?worktrees\/[^/]+\//, '')
}
