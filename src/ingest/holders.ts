import { readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** Other processes that have a file of the store open, as far as this system tells: Linux does. */
export function holdersOf(storePath: string): number[] {
  const files = new Set([storePath, `${storePath}-wal`])
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      entries(path.join('/proc', pid, 'fd')).some((fd) => files.has(target(path.join('/proc', pid, 'fd', fd)))),
    )
    .map(Number)
}

function entries(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

function target(link: string): string {
  try {
    return readlinkSync(link)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
