import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const BYTES = 32

/**
 * The key of the hashes of known secrets, made once for each store and kept beside it, for its owner alone. Whoever
 * loses it loses only what was known: values are learned anew when their records are read again.
 */
export function knownSecretsKey(storePath: string): Uint8Array {
  const kept = keptSecretsKey(storePath)
  if (kept !== null) return kept
  const file = keyPath(storePath)
  // One name for all: only who holds the lock writes, and what a crash leaves is written over by the next.
  const draft = `${file}.new`
  // That of the runtime: `node:crypto` would be loaded by every command.
  writeFileSync(draft, crypto.getRandomValues(new Uint8Array(BYTES)), { mode: 0o600 })
  renameSync(draft, file)
  return readFileSync(file)
}

/** The same if there is one; it makes none. */
export function keptSecretsKey(storePath: string): Uint8Array | null {
  const file = keyPath(storePath)
  if (!existsSync(file)) return null
  const key = readFileSync(file)
  return key.length === BYTES ? key : null
}

function keyPath(storePath: string): string {
  return path.join(path.dirname(storePath), 'known-secrets.key')
}
