import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { HUB_TOPICS } from './hub/hub.ts'
import { debtsOf, groupsOf, hubOf, redactionOf, type Parts } from './parts.ts'
import type { OwedDebt } from './retention/debts.ts'
import { forgottenBeside } from './retention/forgotten.ts'

// What a backup holds beside a store: the hub, and of each group what a person would miss.

const GROUPS = 'groups'

/** Makes a backup of a store of these parts into a file. */
type BackUp = (parts: Parts, file: string) => Promise<unknown>

/** Lays it into the directory that a backup is made of. Returns the groups whose directories nobody can read. */
export async function layBeside(parts: Parts, dir: string, backUp: BackUp): Promise<string[]> {
  const hub = path.join(path.dirname(parts.settings.storePath), 'hub')
  const names = [...HUB_TOPICS.map((topic) => `${topic}.jsonl`), 'posted.json'].filter((name) =>
    existsSync(path.join(hub, name)),
  )
  if (names.length > 0) mkdirSync(path.join(dir, 'hub'), { mode: 0o700 })
  for (const name of names) copyFileSync(path.join(hub, name), path.join(dir, 'hub', name))
  return hasGroups(parts) ? layGroups(parts, path.join(dir, GROUPS), backUp) : []
}

async function layGroups(parts: Parts, dir: string, backUp: BackUp): Promise<string[]> {
  const carried = await (await groupsOf(parts)).carry()
  if (carried.groups.length > 0) mkdirSync(dir, { mode: 0o700 })
  for (const group of carried.groups) {
    writeFileSync(path.join(dir, `${group.name}.json`), JSON.stringify(group))
    const own = await partsOf(parts, group.name)
    if (own !== null && existsSync(own.settings.storePath)) await backUp(own, path.join(dir, `${group.name}.tar`))
  }
  return carried.spoilt
}

/** Puts it back where it is not there. Begun again, it ends the same. */
export async function takeBeside(
  parts: Parts,
  dir: string,
  ways: {
    readonly restore: (parts: Parts, file: string) => Promise<unknown>
    readonly end: (parts: Parts, owed: OwedDebt) => Promise<void>
  },
): Promise<void> {
  const { createRedactor } = await import('./ingest/redact.ts')
  const redactor = createRedactor(redactionOf(parts.settings))
  const hub = await hubOf(parts.settings)
  hub.takeIn(path.join(dir, 'hub'), (value) => redactor.json(value))
  hub.forget(forgottenBeside(parts.settings.storePath).map(({ session_uid: uid }) => uid))
  const groups = path.join(dir, GROUPS)
  if (!existsSync(groups) || !hasGroups(parts)) return
  const face = await groupsOf(parts)
  for (const name of readdirSync(groups).filter((one) => one.endsWith('.json')))
    await face.takeIn(parsed(readFileSync(path.join(groups, name), 'utf8')))
  for (const name of readdirSync(groups).filter((one) => one.endsWith('.tar'))) {
    const own = await partsOf(parts, name.slice(0, -'.tar'.length))
    if (own === null) continue
    for (const owed of debtsOf(own.settings).list()) await ways.end(own, owed)
    if (!existsSync(own.settings.storePath)) await ways.restore(own, path.join(groups, name))
  }
}

function hasGroups({ groups, settings }: Parts): boolean {
  return groups !== undefined && settings.group === undefined
}

/** What a group's own memory is made of; null where there is no such group. */
async function partsOf(parts: Parts, name: string): Promise<Parts | null> {
  const { groupNames } = await import('./groups/group-names.ts')
  if (parts.groups === undefined || !groupNames({ root: parts.settings.groupsRoot }).includes(name)) return null
  const { settingsOfGroup } = await import('./groups/settings.ts')
  const { agent } = await parts.groups()
  const sources = parts.sources.map((source) => source.name)
  return { ...parts, settings: settingsOfGroup(parts.settings, name, sources, agent) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
