import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const BYTES = 32

/**
 * The key of the hashes of known secrets, made once for each store and kept beside it, for its owner alone. Whoever
 * loses it loses only what was known: values are learned anew when their records are read again.
 */
export function knownSecretsKey(storePath: string): Uint8Array {
  const file = path.join(path.dirname(storePath), 'known-secrets.key')
  try {
    writeFileSync(file, randomBytes(BYTES), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file)
}
