/** Files of a generated home: written in order, counted, and hashed so that two homes can be compared. */
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FLUSH_CHARS = 1 << 20

/**
 * @typedef {ReturnType<typeof createSink>} Sink
 * @typedef {ReturnType<Sink["open"]>} SinkFile
 */

/** @param {string} root */
export function createSink(root) {
  const hash = createHash('sha256')
  let files = 0
  let bytes = 0

  return {
    /** @param {string} path below the root */
    open(path) {
      const target = join(root, path)
      mkdirSync(dirname(target), { recursive: true })
      const handle = openSync(target, 'w')
      let pending = ''
      let written = 0
      hash.update(`\n${path}\n`)

      function flush() {
        const chunk = Buffer.from(pending, 'utf8')
        pending = ''
        hash.update(chunk)
        writeSync(handle, chunk)
        written += chunk.length
      }

      return {
        /** Approximate until `close`: pending text counts as one byte a character. */
        size: () => written + pending.length,
        write(/** @type {string} */ text) {
          pending += text
          if (pending.length >= FLUSH_CHARS) flush()
        },
        /** Closes the file and gives it the time of its last record. Returns its bytes. */
        close(/** @type {number} */ timeMs) {
          flush()
          closeSync(handle)
          utimesSync(target, timeMs / 1000, timeMs / 1000)
          files += 1
          bytes += written
          return written
        },
      }
    },
    totals: () => ({ files, bytes, sha256: hash.copy().digest('hex') }),
  }
}
