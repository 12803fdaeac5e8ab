import { accessSync, chmodSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'

/** The whole file or nothing: what cannot be replaced, such as a device, is written to. A link stays one. */
export function writeOut(file: string, text: string, usual: string): void {
  const old = statSync(file, { throwIfNoEntry: false })
  if (old?.isDirectory() === true)
    throw new UserError('USAGE', `cannot write ${file}: it is a directory`, `e.g. --out ${path.join(file, usual)}`)
  try {
    if (old !== undefined) accessSync(file, constants.W_OK)
    if (old === undefined || old.isFile()) swapFile(old === undefined ? file : realpathSync(file), text, old?.mode)
    else writeFileSync(file, text)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new UserError(
      'USAGE',
      `cannot write ${file} (${error.message})`,
      'name a file that may be written, in a directory that exists',
      error,
    )
  }
}

function swapFile(file: string, text: string, mode = 0o600): void {
  const half = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(half, text, { mode: 0o600 })
    chmodSync(half, mode & 0o777)
    renameSync(half, file)
  } catch (error) {
    rmSync(half, { force: true })
    throw error
  }
}
