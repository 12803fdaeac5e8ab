import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { lockHolder } from '../ingest/lock.ts'
import type { Settings } from '../settings/settings.ts'
import { makeDirectory, queueDir } from './queue.ts'

/** Says, without a config file to parse, that a hook starts a sweep; holds the path of the lock to look at first. */
const MARKER = '.on-hook'

/** How to start this program again: an interpreter and its script. */
export type Program = readonly [command: string, ...args: string[]]

/** Makes hooks start sweeps, or not. Called by whoever has read the settings. */
function markOnHook(queue: string, lockFile: string | null): void {
  const marker = path.join(queue, MARKER)
  if (lockFile === null) return rmSync(marker, { force: true })
  if (lockOfMarker(queue) === lockFile) return
  makeDirectory(queue)
  writeFileSync(marker, `${lockFile}\n`, { mode: 0o600 })
}

/** Hooks that start a sweep must know it without reading the settings. */
export function markCadence({
  dataDir,
  storePath,
  cadence,
}: Pick<Settings, 'dataDir' | 'storePath' | 'cadence'>): void {
  markOnHook(queueDir(dataDir), cadence === 'on-hook' ? path.join(path.dirname(storePath), 'recall.lock') : null)
}

/**
 * Starts one sweep that outlives this process and ends by itself, if that is wanted and none is running.
 * Two at once do no harm: the second finds the lock taken.
 */
export async function sweepOnHook(queue: string, program: Program): Promise<boolean> {
  const lockFile = lockOfMarker(queue)
  if (lockFile === null || lockHolder(lockFile) !== null) return false
  const { spawn } = await import('node:child_process')
  const [command, ...args] = program
  const child = spawn(command, [...args, 'sweep', '--quiet'], { cwd: queue, detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
  return true
}

function lockOfMarker(queue: string): string | null {
  try {
    return readFileSync(path.join(queue, MARKER), 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
