#!/usr/bin/env node
/**
 * Are the errors of real logs found when they are pasted back, and is what `recall fix` calls the same the same? Takes any
 * home with logs, writes nothing into it:
 *
 *   node bench/retrieval/own-errors.mjs --home DIR [--count 100] [--half open|held] [--as whole|numbers|names]
 *     [--program bin/recall.js] [--misses]
 *
 * They are pasted whole; with other numbers, ids and directories (the session must still be found); or with other names
 * (then nothing is the same, and the session may only be offered as near).
 * The errors are halved by a hash: `open` may be looked at while `fix` is mended, `held` is asked once, at the end. An error
 * belongs to every session that holds the very same text.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { isSameError } from './same-error.mjs'

/** Copies, and what was taken back. */
const HIDDEN = 2 | 4
const SHOWN = 10
const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    count: { type: 'string', default: '100' },
    half: { type: 'string', default: 'open' },
    as: { type: 'string', default: 'whole' },
    program: { type: 'string', default: fileURLToPath(new URL('../../bin/recall.js', import.meta.url)) },
    misses: { type: 'boolean', default: false },
  },
})
if (values.home === undefined || !existsSync(values.home)) {
  console.log('no home with logs: nothing to do')
  process.exit(values.home === undefined ? 2 : 0)
}
const scratch = mkdtempSync(join(tmpdir(), 'recall-own-errors-'))
const env = {
  PATH: process.env['PATH'],
  HOME: resolve(values.home),
  XDG_DATA_HOME: scratch,
  XDG_CONFIG_HOME: scratch,
  NO_COLOR: '1',
}
try {
  run('index')
  run('analyze', '--all')
  const db = new DatabaseSync(join(scratch, 'recall/recall.db'), { readOnly: true })
  const { asked, known } = errorsOf(db)
  let [tried, first, among, same, wrong, wrongFirst, sameFirst] = [0, 0, 0, 0, 0, 0, 0]
  const times = []
  for (const { text: met, uids } of asked) {
    const text = altered(met)
    if (text === met && values.as !== 'whole') continue
    tried++
    const from = performance.now()
    const { occurrences } = JSON.parse(run('fix', '--json', '--limit', String(SHOWN), '--', text))
    times.push(performance.now() - from)
    const place = occurrences.findIndex((/** @type {any} */ one) => uids.has(one.session.session_uid)) + 1
    if (place === 1) first++
    if (place > 0) among++
    if (values.misses && place !== 1)
      console.log(`place ${place}\t${brief(text)}\n\tfirst: ${brief(occurrences[0]?.error ?? '-')}`)
    for (const [i, one] of occurrences.entries()) {
      if (one.match !== 'same') continue
      same++
      if (i === 0) sameFirst++
      const stored = textAt(db, one.session.session_uid, one.seq) ?? one.error
      if (isSameError(text, stored, known)) continue
      wrong++
      if (i === 0) wrongFirst++
      if (values.misses) console.log(`wrong\t${brief(text)}\n\tmet: ${brief(stored)}\n\tby: ${one.error}`)
    }
  }
  const share = (/** @type {number} */ n, /** @type {number} */ of) =>
    `${n} of ${of} (${((100 * n) / (of || 1)).toFixed(1)} %)`
  console.log(`${tried} errors, ${values.half} half, ${values.as}`)
  console.log(`own session first       ${share(first, tried)}`)
  console.log(`own session in ${SHOWN}       ${share(among, tried)}`)
  console.log(`wrong among all "same"  ${share(wrong, same)}`)
  console.log(`wrong among first "same" ${share(wrongFirst, sameFirst)}`)
  times.sort((a, b) => a - b)
  console.log(`whole process p50 ${times[times.length >> 1]?.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms`)
  db.close()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** @param {string[]} args */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [values.program, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`recall ${args[0]} failed: ${stdout}${stderr}`)
  return stdout
}

/** The error as somebody else would have met it. @param {string} text */
function altered(text) {
  if (values.as === 'numbers')
    return text
      .replace(/(?<![\w.])\/(?:[\w.@-]+\/)+/g, '/srv/other/place/')
      .replace(/(?<![\p{L}_\d])\d+(?![\p{L}_])/gu, (digits) =>
        digits.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)),
      )
  if (values.as === 'names')
    return text
      .replace(/\b(?=\w*[a-z]\w*[A-Z]|\w*_\w)[A-Za-z]\w{3,}\b(?<!Error|Exception)/g, otherName)
      .replace(/(['"`])([\w./-]{3,60})\1/g, (_, quote, name) => `${quote}${otherName(name)}${quote}`)
  return text
}

/** @param {string} name */
function otherName(name) {
  return `q${[...name].toReversed().join('')}`
}

/** @param {string} text */
function brief(text) {
  return text.slice(0, 160).replace(/\s+/g, ' ')
}

/** Errors that say anything, each text once, with the sessions that hold it; of this half as many as are wanted. @param {DatabaseSync} db */
function errorsOf(db) {
  const rows = /** @type {{ text: string, uid: string }[]} */ (
    db
      .prepare(
        `SELECT e.text, s.uid FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
         WHERE e.kind = 'error' AND e.text IS NOT NULL AND e.flags & ${HIDDEN} = 0 ORDER BY s.uid, e.pos`,
      )
      .all()
  )
  /** @type {Map<string, Set<string>>} */
  const byText = new Map()
  for (const { text, uid } of rows) {
    if (text.replace(/^Exit code:? -?\d+/, '').replace(/[^\p{L}]/gu, '').length < 8) continue
    byText.set(text, (byText.get(text) ?? new Set()).add(uid))
  }
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest()
  const asked = [...byText]
    .map(([text, uids]) => ({ text, uids, hash: digest(text) }))
    .filter(({ hash }) => ((hash[0] ?? 0) % 2 === 1) === (values.half === 'held'))
    .sort((a, b) => a.hash.compare(b.hash))
    .slice(0, Number(values.count))
  return { asked, known: [...byText.keys()] }
}

/** @param {DatabaseSync} db @param {string} uid @param {number | null} seq */
function textAt(db, uid, seq) {
  const row = /** @type {any} */ (
    db
      .prepare(
        `SELECT e.text FROM event e JOIN lane l ON l.id = e.lane JOIN session s ON s.id = l.session
         WHERE s.uid = ? AND l.base + e.pos = ?`,
      )
      .get(uid, seq)
  )
  return /** @type {string | undefined} */ (row?.text)
}
