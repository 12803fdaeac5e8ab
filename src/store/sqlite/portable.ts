import type { Portable } from '../portable.ts'
import type { OnDamage } from '../store.ts'
import type { Database } from './database.ts'
import { recordsHere, sessionRecords, wordLines } from './portable-reading.ts'
import { knownHere, mergeWords, settleImported, uidsHere } from './portable-writing.ts'

interface Beside {
  readonly blobDir: string
  readonly now: () => number
  readonly onDamage: OnDamage
}

export function portableOn(db: Database, { blobDir, now, onDamage }: Beside): Portable {
  const lost = new Set<number>()
  const onLost = (session: number, pack: number) => {
    if (lost.has(session)) return
    lost.add(session)
    onDamage(`payloads of a session are missing: pack ${pack} cannot be read`)
  }
  return {
    uids: async (own = false) => uidsHere(db, own),
    records: async (session, as) =>
      as === 'here' ? recordsHere(db, session) : sessionRecords(db, blobDir, session, onLost),
    words: async () => wordLines(db),
    known: async (uid) => knownHere(db, uid),
    settle: async (session, decisions, stamp) =>
      db.transaction(() => settleImported(db, session, decisions, stamp, now())),
    merge: async (words, at) => db.transaction(() => mergeWords(db, words, at)),
    async copyTo(file) {
      // What is written is another file; this one may be open for reading only.
      const only = Number(db.get('PRAGMA query_only')?.['query_only'])
      db.exec('PRAGMA query_only = OFF')
      try {
        db.run('VACUUM INTO ?', file)
      } finally {
        db.exec(`PRAGMA query_only = ${only}`)
      }
    },
    async snapshot(work) {
      db.exec('BEGIN')
      try {
        return await work()
      } finally {
        db.exec('COMMIT')
      }
    },
  }
}
