/** The tables: every row that was measured, and every target with its verdict. */
import { cpus, release, totalmem } from 'node:os'
import { FIELDS, TOLERANCE, difference } from './agreement.mjs'
import { BEFORE, BEFORE_JOB, NOW } from './before.mjs'
import { GROK_JOB, PARSER, READER, READER_JOB } from './grok.mjs'
import { median } from './measure.mjs'
import { MIXED_JOB } from './mixed.mjs'
import { NEWEST, NEWEST_JOB, ORDINARY } from './newest.mjs'
import { COST_JOB } from './parts.mjs'

/**
 * @typedef {import("./measure.mjs").Success} Success
 * @typedef {import("./contest.mjs").Row} Row
 * @typedef {import("./agreement.mjs").Agreement} Agreement
 * @typedef {{ name: string, limit: string, figure: number | undefined, met: (figure: number) => boolean,
 *   show: (figure: number) => string }} Target
 * @typedef {{ rows: Row[], storeShares: Record<string, number | undefined>, agreements: Agreement[], size: string }} Outcome
 *   `size` is the home that the targets speak of.
 */

export const RECORDED = 'recorded'

const MEGABYTE = 1e6

/** @type {Record<import("./agreement.mjs").Field, string>} */
const FIELD_NAMES = { input: 'input', output: 'output', cacheRead: 'cache read', cacheWrite: 'cache write' }

/** @param {Outcome} outcome */
export function renderReport(outcome) {
  const { rows, storeShares, agreements } = outcome
  return [
    machine(),
    targetTable(targets(outcome)),
    measureTable(rows),
    storeTable(storeShares),
    agreementTable(agreements),
    differenceTable(agreements),
  ]
    .filter((section) => section !== '')
    .join('\n\n')
}

/**
 * @param {Outcome} outcome
 * @returns {Target[]}
 */
function targets({ rows, storeShares, size }) {
  const find = (/** @type {string} */ job, /** @type {string} */ tool) =>
    rows.filter((row) => row.job.startsWith(job) && row.tool.startsWith(tool) && (job === 'start' || row.size === size))
  const wall = (/** @type {string} */ job, /** @type {string} */ tool) => {
    const figures = find(job, tool).map((row) => medianWall(row))
    return figures.some((figure) => figure === undefined) ? undefined : maximum(/** @type {number[]} */ (figures))
  }
  const grokWall = (/** @type {string} */ tool) => {
    const row = rows.find((row) => row.job === READER_JOB && row.tool === tool)
    return row && medianWall(row)
  }
  const pace = (/** @type {string} */ home, job = MIXED_JOB) => {
    const row = rows.find((row) => row.job === job && row.size === home)
    return row && ratio(medianWall(row), row.bytes)
  }
  const beside = (/** @type {string} */ home, /** @type {string} */ tool) => {
    const row = rows.find((row) => row.job === BEFORE_JOB && row.size === home && row.tool === tool)
    return row && medianWall(row)
  }
  const cold = find('read everything', 'recall').at(0)
  const ratio = (/** @type {number | undefined} */ a, /** @type {number | undefined} */ b) =>
    a === undefined || b === undefined ? undefined : a / b
  const times = (/** @type {number} */ value) => `${value.toFixed(2)} ×`
  const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(1)} %`
  const grokIndex = rows.find((row) => row.job === GROK_JOB)
  return [
    {
      name: `cold index of ${size} against ccusage 18`,
      limit: '≤ 1.3 × (wanted ≤ 1.0 ×)',
      figure: ratio(wall('read everything', 'recall'), wall('read everything', 'ccusage 18')),
      met: (x) => x <= 1.3,
      show: times,
    },
    ...[
      { home: 'R', least: 1.5 },
      { home: 'B', least: 1.3 },
    ].map(({ home, least }) => ({
      name: `an earlier build's cold index of ${home} against this one's`,
      limit: `≥ ${least} ×`,
      figure: ratio(beside(home, BEFORE), beside(home, NOW)),
      met: (/** @type {number} */ x) => x >= least,
      show: times,
    })),
    {
      name: `peak memory of that index`,
      limit: '≤ 300 MB',
      figure: cold && peak(cold),
      met: (x) => x <= 300 * MEGABYTE,
      show: megabytes,
    },
    {
      name: `index of ${size} with nothing new`,
      limit: '≤ 0.4 s',
      figure: wall('nothing new', 'recall'),
      met: (x) => x <= 400,
      show: duration,
    },
    {
      name: `list on ${size}`,
      limit: '≤ 150 ms',
      figure: wall('list', 'recall'),
      met: (x) => x <= 150,
      show: duration,
    },
    {
      name: `search on ${size}, slowest word`,
      limit: '≤ 150 ms',
      figure: wall('search', 'recall'),
      met: (x) => x <= 150,
      show: duration,
    },
    {
      name: `ccusage 18 against cost and stats tokens on ${size}`,
      limit: '≥ 20 ×',
      figure: ratio(wall(COST_JOB, 'ccusage 18'), wall(COST_JOB, 'recall')),
      met: (x) => x >= 20,
      show: times,
    },
    {
      name: `ccusage 20 against the same`,
      limit: '> 1 ×',
      figure: ratio(wall(COST_JOB, 'ccusage 20'), wall(COST_JOB, 'recall')),
      met: (x) => x > 1,
      show: times,
    },
    {
      name: 'recall --version against node -e 0',
      limit: '≤ 1.5 ×',
      figure: ratio(wall('start', 'recall'), wall('start', 'node')),
      met: (x) => x <= 1.5,
      show: times,
    },
    {
      name: 'store against real session files',
      limit: '≤ 45 %',
      figure: storeShares[RECORDED],
      met: (x) => x <= 0.45,
      show: percent,
    },
    {
      name: 'cold index of M per MB against B',
      limit: '≤ 1.25 ×',
      figure: ratio(pace('M'), pace('B')),
      met: (x) => x <= 1.25,
      show: times,
    },
    {
      name: 'pace on a newest Claude transcript against an ordinary one',
      limit: '≥ 2 ×',
      figure: ratio(pace(ORDINARY, NEWEST_JOB), pace(NEWEST, NEWEST_JOB)),
      met: (x) => x >= 2,
      show: times,
    },
    {
      name: 'peak memory of indexing a 200 MB Grok session',
      limit: '≤ 300 MB',
      figure: grokIndex && peak(grokIndex),
      met: (x) => x <= 300 * MEGABYTE,
      show: megabytes,
    },
    {
      name: 'parsing every line of it against its reader',
      limit: '≥ 4 ×',
      figure: ratio(grokWall(PARSER), grokWall(READER)),
      met: (x) => x >= 4,
      show: times,
    },
  ]
}

/** @param {Target[]} list */
function targetTable(list) {
  const rows = list.map(({ name, limit, figure, met, show }) =>
    figure === undefined
      ? [name, limit, '–', 'not measured']
      : [name, limit, show(figure), met(figure) ? 'met' : 'NOT MET'],
  )
  return table(['target', 'limit', 'figure', 'verdict'], rows)
}

/** @param {Row[]} rows */
function measureTable(rows) {
  const cells = rows.map((row) => {
    const failure = row.runs.find((run) => !run.ok)
    const head = [row.size, row.job, row.tool]
    if (failure !== undefined && !failure.ok) return [...head, '–', '–', '–', `cannot run: ${failure.reason}`]
    const walls = successes(row).map((run) => run.wallMs)
    const range = `${duration(Math.min(...walls))} – ${duration(Math.max(...walls))} (${walls.length})`
    const memory = peak(row)
    return [...head, duration(median(walls)), range, memory === undefined ? '' : megabytes(memory), row.note ?? '']
  })
  return table(['home', 'job', 'program', 'median', 'range (runs)', 'peak memory', 'note'], cells)
}

/** @param {Record<string, number | undefined>} shares */
function storeTable(shares) {
  const rows = Object.entries(shares).map(([home, share]) => [
    home,
    share === undefined ? 'not measured' : `${(100 * share).toFixed(1)} %`,
  ])
  return rows.length === 0 ? '' : table(['home', 'store bytes / source bytes'], rows)
}

/** @param {Agreement[]} agreements */
function agreementTable(agreements) {
  const rows = agreements.map((one) => {
    const head = [one.home, one.source]
    if ('reason' in one) return [...head, `cannot compare: ${one.reason}`, ...FIELDS.map(() => '–'), '–']
    const different = new Set(one.above.map(({ day }) => day)).size
    return [...head, `${one.days}`, ...FIELDS.map((field) => share(one.largest[field])), `${different}`]
  })
  const head = ['home', 'beside ccusage 20', 'days', ...FIELDS.map((field) => FIELD_NAMES[field])]
  return rows.length === 0 ? '' : table([...head, `days that differ by over ${share(TOLERANCE)}`], rows)
}

/** @param {Agreement[]} agreements */
function differenceTable(agreements) {
  const rows = agreements.flatMap((one) =>
    ('above' in one ? one.above : []).map(({ day, field, ours, theirs }) => {
      const counts = [ours, theirs].map((count) => count.toLocaleString('en-US'))
      return [one.home, one.source, day, FIELD_NAMES[field], ...counts, share(difference(ours, theirs))]
    }),
  )
  return rows.length === 0 ? '' : table(['home', 'source', 'day', 'tokens', 'recall', 'ccusage 20', 'difference'], rows)
}

export function machine() {
  const processors = cpus()
  return [
    `Node ${process.versions.node}, ${process.platform} ${release()} ${process.arch}`,
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
  ].join('; ')
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)))
  const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** @param {Row} row */
const successes = (row) => row.runs.filter(/** @returns {run is Success} */ (run) => run.ok)

/** @param {Row} row */
function medianWall(row) {
  return row.runs.length > 0 && row.runs.every((run) => run.ok)
    ? median(successes(row).map((run) => run.wallMs))
    : undefined
}

/** @param {Row} row */
function peak(row) {
  return maximum(successes(row).flatMap((run) => (run.peakBytes === null ? [] : [run.peakBytes])))
}

/** @param {number[]} values */
const maximum = (values) => (values.length === 0 ? undefined : Math.max(...values))

/** @param {number} ms */
const duration = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${Math.round(ms)} ms`)

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.round(bytes / MEGABYTE)} MB`

/** @param {number} part */
const share = (part) => (part === 0 ? '0' : part < 0.0001 ? '< 0.01 %' : `${Number((100 * part).toFixed(2))} %`)
