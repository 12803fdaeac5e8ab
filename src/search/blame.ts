import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { isToolCall } from '../model/event.ts'
import type { SessionRecord } from '../model/session.ts'
import type { MadeCommit, Touch } from '../store/evidence.ts'
import type { Store } from '../store/store.ts'
import { changesIn } from '../model/edits.ts'
import { createAtlas, editsOf } from './files.ts'
import { blameLine, commitNamed, type Commit } from './git.ts'

export interface BlameAnswer {
  readonly target: string
  /** Null: not known. Nothing is guessed. */
  readonly session: SessionRecord | null
  /** 0 to 1. */
  readonly confidence: number
  readonly reason: 'commit' | 'commit_message' | 'edit' | null
  /** The commit that the target is or comes from, as far as its hash is known. */
  readonly commit: string | null
  /** Where in the session; null if only its digest is left. */
  readonly seq: number | null
}

interface Finding {
  readonly session: number
  readonly seq: number | null
  readonly confidence: number
  readonly reason: NonNullable<BlameAnswer['reason']>
}

const HASH = /^[0-9a-f]{7,40}$/i
const SHORTEST_LINE = 8
const SHORTEST_SUBJECT = 12
const MAX_FILE = 8 * 1024 * 1024
const MINUTE = 60_000
/** A line is committed within this time after it was written. */
const UNCOMMITTED = 30 * 86_400_000

/** The session behind a commit or a line. Rather silent than wrong. */
export async function findAuthor(store: Store, target: string, cwd: string): Promise<BlameAnswer> {
  const line = /^(.+):(\d+)$/.exec(target)
  if (line !== null) return ofLine(store, target, path.resolve(cwd, line[1] ?? ''), Number(line[2]))
  if (!HASH.test(target)) return answer(store, target, null, null)
  const maker = await madeBy(store, target, cwd)
  if (maker !== null) return answer(store, target, maker, target.toLowerCase())
  const commit = existsSync(cwd) ? commitNamed(cwd, target) : null
  return answer(store, target, commit && (await sayingSubject(store, commit, cwd)), commit?.hash ?? null)
}

async function ofLine(store: Store, target: string, file: string, line: number): Promise<BlameAnswer> {
  const text = lineOf(file, line)
  if (text === null) return answer(store, target, null, null)
  const dir = path.dirname(file)
  const commit = blameLine(file, line)
  const written = text.isOnly ? await writtenBy(store, file, text.text, commit) : null
  if (written !== null || commit === null) return answer(store, target, written, commit?.hash ?? null)
  const made = (await madeBy(store, commit.hash, dir)) ?? (await sayingSubject(store, commit, dir))
  return answer(store, target, made, commit.hash)
}

async function answer(store: Store, target: string, found: Finding | null, commit: string | null) {
  const session = found === null ? null : await store.session(found.session)
  if (found === null || session === null)
    return { target, session: null, confidence: 0, reason: null, commit, seq: null }
  return { target, session, confidence: found.confidence, reason: found.reason, commit, seq: found.seq }
}

/** The session whose call made the commit. Of several, those of this repository; none if that does not tell. */
async function madeBy(store: Store, hash: string, dir: string): Promise<Finding | null> {
  const commits = await store.evidence.commits(hash)
  const atlas = createAtlas(await store.evidence.workplaces())
  const { root } = atlas.locate(path.join(dir, 'x'), dir)
  const sessions = new Map(commits.map((commit) => [commit.session, commit]))
  const near: MadeCommit[] = []
  for (const commit of sessions.values()) {
    const record = await store.session(commit.session)
    if (root !== null && record !== null && (record.gitRepo ?? record.cwd) === root) near.push(commit)
  }
  const only = sessions.size === 1 ? [...sessions.values()][0] : near.length === 1 ? near[0] : undefined
  if (only === undefined) return null
  return { session: only.session, seq: only.seq, confidence: only.seq === null ? 0.9 : 0.99, reason: 'commit' }
}

/** A commit whose hash has changed since, or was never printed: the one session that committed with these words then. */
async function sayingSubject(store: Store, commit: Commit, dir: string): Promise<Finding | null> {
  const { subject, authoredAt } = commit
  if (subject.length < SHORTEST_SUBJECT) return null
  const ran = await store.evidence.commandsSaying(subject, authoredAt - 10 * MINUTE, authoredAt + 2 * MINUTE)
  const atlas = createAtlas(await store.evidence.workplaces())
  const { root } = atlas.locate(path.join(dir, 'x'), dir)
  const fitting = []
  for (const command of ran.filter(({ command: text, ok }) => ok === true && /\bgit\b.*\bcommit\b/s.test(text))) {
    const record = await store.session(command.session)
    if (record !== null && root !== null && (record.gitRepo ?? record.cwd) === root) fitting.push(command)
  }
  const last = fitting.at(-1)
  if (last === undefined || fitting.some(({ session }) => session !== last.session)) return null
  return { session: last.session, seq: last.seq, confidence: 0.85, reason: 'commit_message' }
}

function lineOf(file: string, line: number): { text: string; isOnly: boolean } | null {
  const lines = readText(file)?.split(/\r?\n/)
  const text = lines?.[line - 1]?.trim()
  if (lines === undefined || text === undefined) return null
  const isSpecific = text.length >= SHORTEST_LINE && /[\p{L}\p{N}]{3}/u.test(text)
  return { text, isOnly: isSpecific && lines.filter((other) => other.trim() === text).length === 1 }
}

/** Null if it is no file, too large, or not to be read. */
function readText(file: string): string | null {
  try {
    const stat = statSync(file)
    return stat.isFile() && stat.size <= MAX_FILE ? readFileSync(file, 'utf8') : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

interface Author {
  readonly touch: Touch
  readonly whole: boolean
}

/** Who wrote a line that stands in the file once: the last edit that brought it, unless a later one took it away. */
async function writtenBy(store: Store, file: string, line: string, commit: Commit | null): Promise<Finding | null> {
  let author: Author | null = null
  for (const touch of await editsOf(store, file, path.dirname(file))) {
    if (commit !== null && (touch.at ?? Infinity) > commit.authoredAt + MINUTE) break
    const names = (named: string) => path.basename(named) === path.basename(file)
    for (const { removed, added, whole } of changesIn(await argumentsOf(store, touch), names)) {
      const brings = added.some((text) => text.trim() === line)
      const takes = removed.some((text) => text.trim() === line)
      if (whole) author = brings ? (author ?? { touch, whole }) : null
      else if (brings && !takes) author = { touch, whole }
      else if (takes && !brings) author = null
    }
  }
  if (author === null) return null
  const { touch, whole } = author
  if (commit !== null && (touch.at ?? 0) < commit.authoredAt - UNCOMMITTED) return null
  if (whole && !(await isNewFile(store, touch))) return null
  return { session: touch.session, seq: touch.seq, confidence: commit === null ? 0.85 : 0.95, reason: 'edit' }
}

async function argumentsOf(store: Store, { session, seq }: Touch): Promise<unknown> {
  const [event] = await store.events(session, { sidechains: true, fromSeq: seq, toSeq: seq })
  if (event === undefined) return null
  const whole = event.hasBody ? (await store.bodies(session, [seq])).get(seq) : event.input
  return parsed(whole ?? event.input ?? 'null')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const NEAR = 200

/** True if the result says that the file was not there before. */
async function isNewFile(store: Store, { session, lane, seq }: Touch): Promise<boolean> {
  const events = await store.events(session, { sidechains: true, fromSeq: seq, toSeq: seq + NEAR })
  const call = events.find((event) => event.seq === seq)
  const result = events.find(
    (event) => event.lane === lane && event.seq > seq && event.call === call?.call && !isToolCall(event.kind),
  )
  return /\bcreated?\b|\bnew file\b|^A /im.test(result?.summary ?? '')
}
