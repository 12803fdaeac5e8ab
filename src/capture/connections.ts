import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '../model/durable-file.ts'

/** What connecting an agent has added to its hooks: all of them, or the brief to those that were there. */
export type HooksAdded = 'hooks' | 'brief'

const FILE = 'connections.json'

/** What `connect` has added beside the server, by agent: that, and no more, goes with it. */
export function hooksAdded(dataDir: string): Readonly<Record<string, HooksAdded>> {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, FILE), 'utf8')) as Record<string, HooksAdded>
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return {}
    throw error
  }
}

export function noteHooksAdded(dataDir: string, agent: string, added: HooksAdded | null): void {
  const known = new Map(Object.entries(hooksAdded(dataDir)))
  if (known.get(agent) === (added ?? undefined)) return
  if (added === null) known.delete(agent)
  else known.set(agent, added)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeDurably(path.join(dataDir, FILE), Buffer.from(`${JSON.stringify(Object.fromEntries(known))}\n`))
}
