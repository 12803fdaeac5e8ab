import type { EventRecord } from '../../src/store/store.ts'
import { FLAG } from '../../src/store/store.ts'
import { ClaudeLog, transcriptPath, uuid, write } from './claude-log.ts'
import { productOn, tempDir } from './home.ts'

export const ID = uuid('words')

export async function read(...logs: readonly ClaudeLog[]) {
  const home = tempDir()
  for (const log of logs) write(transcriptPath(home, log.session), log.text())
  const bench = productOn(home)
  await bench.recall.index()
  return { ...bench, home, of: eventsOf(bench.recall) }
}

export function eventsOf(recall: Awaited<ReturnType<typeof productOn>>['recall']) {
  return async (session = ID): Promise<EventRecord[]> => {
    const found = await recall.find(`claude:${session}`)
    return (await recall.events(found, { sidechains: true })).filter(({ flags }) => (flags & FLAG.inferred) === 0)
  }
}

export const isHuman = ({ flags }: EventRecord) => (flags & FLAG.human) !== 0

export const texts = (events: readonly EventRecord[]) => events.map(({ text }) => text)
