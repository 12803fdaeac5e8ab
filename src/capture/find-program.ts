import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../sources/source.ts'

/** Where a command would be found; null if it is not installed. */
export function findProgram(name: string, env: Env): string | null {
  const dirs = (env['PATH'] ?? '').split(path.delimiter).filter((dir) => dir !== '')
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  const places = dirs.flatMap((dir) => endings.map((ending) => path.join(dir, name + ending)))
  return places.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
