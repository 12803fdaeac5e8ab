import { statSync } from 'node:fs'
import { accepted } from '../operations/input.ts'
import type { Document } from '../operations/operation.ts'
import { OperationThreads, type ThreadStart } from '../operations/threads.ts'
import { ChangeStream } from './change-stream.ts'
import { page, stretchOf } from './pages.ts'
import type { Route } from './routes.ts'
import { jsonBody, type Body } from './send.ts'

/** Searching and reading do not wait for reports. */
const THREADS = { quick: 2, slow: 1 }
const KEPT_MS = 5_000
const MOST_KEPT = 300

export interface Reply {
  readonly body: Body
  readonly hasMore: boolean
}

export interface Memory {
  ask(route: Route, input: Record<string, unknown>): Promise<Reply>
  /** Asks again after a change, and tells who listens. */
  readonly changes: ChangeStream
  close(): Promise<void>
}

/** A store, asked on threads of its own. What is asked twice while nothing is written is answered once. */
export function openMemory(entry: URL, start: ThreadStart, storePath: string): Memory {
  const quick = new OperationThreads(entry, start, THREADS.quick)
  const slow = new OperationThreads(entry, start, THREADS.slow)
  quick.warm('status')
  const kept = new Map<string, { readonly at: number; readonly version: string; readonly reply: Promise<Reply> }>()
  const version = () => `${stampOf(storePath)} ${stampOf(`${storePath}-wal`)}`

  async function read(route: Route, input: Record<string, unknown>): Promise<Reply> {
    const { operation, rows, name } = route
    const threads = operation.isSlow ? slow : quick
    if (rows === null) return { body: jsonBody(await threads.run(name, input)), hasMore: false }
    const stretch = stretchOf(input)
    const isPart = input['tail'] !== undefined || input['around'] !== undefined || input['seqs'] !== undefined
    const most = isPart ? stretch.limit : operation.isSlow ? 0 : stretch.offset + stretch.limit + 1
    const document: Document = await threads.run(name, { ...input, limit: most })
    if (isPart) return { body: jsonBody(document), hasMore: false }
    const found = page(document[rows] as readonly unknown[], stretch, input['by'] === 'day')
    return { body: jsonBody({ ...document, [rows]: found.rows }), hasMore: found.hasMore }
  }

  return {
    async ask(route, input) {
      const { offset: _, ...asked } = input
      accepted(route.operation.input, route.rows === null ? input : asked)
      if (route.method === 'POST') {
        kept.clear()
        return read(route, input)
      }
      const key = `${route.name} ${JSON.stringify(input)}`
      const now = Date.now()
      const before = kept.get(key)
      const at = version()
      if (before !== undefined && before.version === at && now - before.at < KEPT_MS) return before.reply
      const reply = read(route, { ...input })
      if (kept.size >= MOST_KEPT) kept.clear()
      kept.set(key, { at: now, version: at, reply })
      reply.catch(() => kept.delete(key))
      return reply
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
