import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '../model/durable-file.ts'
import { onDisk } from '../model/errors.ts'
import type { TakenIn } from './import-traces.ts'
import { nothingYet } from './import-traces.ts'
import type { TracesReport } from './traces.ts'
import { readManifest } from './traces-manifest.ts'

export interface SyncReport {
  /** Where this machine writes, and nobody else. */
  readonly own: string
  readonly hosts: number
  readonly taken: TakenIn
  readonly written: TracesReport['sessions']
}

const PLAIN_NAME = /^[A-Za-z0-9][\w.-]{0,120}$/
const MOST_HOSTS = 1000

/** The place of this machine in the shared directory: its name, and a number that no other machine of that name has. */
export function hostDirectory(dir: string, host: string, dataDir: string): string {
  const file = path.join(dataDir, 'exports', 'machine')
  return onDisk(() => {
    if (!existsSync(file)) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      writeDurably(file, Buffer.from(randomBytes(4).toString('hex')))
    }
    const number = readFileSync(file, 'utf8')
      .trim()
      .replace(/[^0-9a-f]/g, '')
      .slice(0, 8)
    const name =
      host
        .toLowerCase()
        .replace(/[^a-z0-9-]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 60) || 'machine'
    return path.join(dir, `${name}-${number}`)
  })
}

/** Directories of other machines: none that is a link, and none that is not whole yet. */
export function otherHosts(dir: string, own: string): string[] {
  if (!existsSync(dir)) return []
  return onDisk(() => readdirSync(dir))
    .filter((name) => PLAIN_NAME.test(name))
    .sort()
    .slice(0, MOST_HOSTS)
    .map((name) => path.join(dir, name))
    .filter((place) => place !== own && lstatSync(place).isDirectory() && readManifest(place) !== null)
}

/** What is said of all machines together. */
export function nothingSynced(own: string) {
  const taken = nothingYet()
  let hosts = 0
  return {
    add(_host: string, more: TakenIn): void {
      hosts++
      for (const what of ['kept', 'same', 'forgotten', 'own', 'evicted'] as const)
        taken.sessions[what] += more.sessions[what]
      taken.words += more.words
      taken.bad += more.bad
      taken.forget.push(...more.forget)
      taken.problems.push(...more.problems)
    },
    words(more: number): void {
      taken.words += more
    },
    done: ({ sessions }: TracesReport): SyncReport => ({ own, hosts, taken, written: sessions }),
  }
}
