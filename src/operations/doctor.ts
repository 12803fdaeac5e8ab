import type { Finding } from '../store/store.ts'
import { operation, type Watching } from './operation.ts'
import { choice, flag, list, object, text } from './schema.ts'

export const secretsToo = flag('also look through everything stored for secrets')

/** What was found; all is well if nothing of it needs anybody. */
export const findings = object({
  ok: flag(),
  findings: list(
    object(
      { id: text(), level: choice(['error', 'warn', 'info']), message: text(), remedy: text() },
      { sessions: list(text()) },
    ),
  ),
})

export function findingsDocument(found: readonly Finding[]) {
  return { ok: isWell(found), findings: found }
}

export function isWell(found: readonly Finding[]): boolean {
  return found.every(({ level }) => level === 'info')
}

/** Who wants to know how far it is, as a check tells them. */
export function progressOf({ onCount }: Watching): { readonly onProgress?: NonNullable<Watching['onCount']> } {
  return onCount === undefined ? {} : { onProgress: onCount }
}

export const doctor = operation({
  name: 'doctor',
  summary: 'check the store and its surroundings',
  details:
    "Checks every page of the database against its checksum, full-text parity, packs, permissions, disk space, the lock and the agents' directories. " +
    '`--deep` also reads every row, index and payload. `--repair` makes anew what is derived, reads again what a transcript still has, ' +
    'keeps every other row that can be read, and names what is lost; the damaged store is kept in `backups/`. ' +
    'Exits with 1 if something needs you; a note (level `info`) is nothing that does.',
  effect: 'reads',
  isSlow: true,
  input: object({}, { deep: flag('also read every row, index and payload'), secrets: secretsToo }),
  output: findings,
  run: ({ recall, watching }, { deep = false, secrets = false }) =>
    recall.doctor({ deep, secrets, ...progressOf(watching) }),
  document: findingsDocument,
})
