import { statSync } from 'node:fs'
import { accepted } from '../operations/input.ts'
import type { Document } from '../operations/operation.ts'
import { OperationThreads, type ThreadStart } from '../operations/threads.ts'
import { ChangeStream } from './change-stream.ts'
import { pageOf, stretchOf } from './pages.ts'
import type { Route } from './routes.ts'
import { jsonBody, type Body } from './send.ts'

/** Searching and reading do not wait for reports. */
const THREADS = { quick: 2, slow: 1 }
const KEPT_MS = 5_000
const MOST_KEPT = 300
/** More would be answered too late to be of use. */
const MOST_WAITING = 400

export interface Reply {
  readonly body: Body
  readonly hasMore: boolean
}

/** There is too much to do already. */
export class Busy extends Error {}

export interface Memory {
  /** With a signal, a question from which everybody has turned away is not asked any more. */
  ask(route: Route, input: Record<string, unknown>, signal?: AbortSignal): Promise<Reply>
  /** Asks again after a change, and tells who listens. */
  readonly changes: ChangeStream
  close(): Promise<void>
}

/** An answer that is there or on its way, for all who ask the same while nothing is written. */
interface Kept {
  readonly at: number
  readonly version: string
  readonly reply: Promise<Reply>
  readonly stop: AbortController
  waiting: number
}

/** A store, asked on threads of its own. What is asked twice while nothing is written is answered once. */
export function openMemory(entry: URL, start: ThreadStart, storePath: string): Memory {
  const quick = new OperationThreads(entry, start, THREADS.quick)
  const slow = new OperationThreads(entry, start, THREADS.slow)
  quick.warm('status')
  slow.warm('stats')
  const kept = new Map<string, Kept>()
  const version = () => `${stampOf(storePath)} ${stampOf(`${storePath}-wal`)}`

  async function read(route: Route, input: Record<string, unknown>, signal?: AbortSignal): Promise<Reply> {
    const { operation, lists, name, fields } = route
    const threads = operation.isSlow ? slow : quick
    if (threads.waiting >= MOST_WAITING) throw new Busy()
    if (lists.length === 0) return { body: jsonBody(await threads.run(name, input, signal)), hasMore: false }
    const stretch = stretchOf(input)
    const isPart = input['tail'] !== undefined || input['around'] !== undefined || input['seqs'] !== undefined
    const most = isPart ? stretch.limit : stretch.offset + stretch.limit + 1
    const document: Document = await threads.run(
      name,
      fields['limit'] === undefined ? input : { ...input, limit: most },
      signal,
    )
    if (isPart) return { body: jsonBody(document), hasMore: false }
    const page = pageOf(name, document, lists, stretch)
    return { body: jsonBody(page.document), hasMore: page.hasMore }
  }

  /** What is being answered already, or was while nothing has been written since. */
  function shared(route: Route, input: Record<string, unknown>): Kept {
    const key = `${route.name} ${JSON.stringify(input)}`
    const now = Date.now()
    const before = kept.get(key)
    const at = version()
    if (before !== undefined && before.version === at && now - before.at < KEPT_MS && !before.stop.signal.aborted)
      return before
    const stop = new AbortController()
    const next = { at: now, version: at, reply: read(route, { ...input }, stop.signal), stop, waiting: 0 }
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(key, next)
    next.reply.catch(() => kept.get(key) === next && kept.delete(key))
    return next
  }

  return {
    async ask(route, input, signal) {
      const { offset: _, limit: __, ...asked } = input
      accepted(route.operation.input, route.lists.length === 0 ? input : asked)
      if (route.method === 'POST') {
        kept.clear()
        return read(route, input)
      }
      const answer = shared(route, input)
      answer.waiting++
      const leave = () => {
        if (--answer.waiting === 0) answer.stop.abort()
      }
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
      return answer.reply
    },
    changes: new ChangeStream(version, (since) => quick.run('changes', { since })),
    async close() {
      await Promise.all([quick.close(), slow.close()])
    },
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino}.${stats.size}.${stats.mtimeMs}`
}
