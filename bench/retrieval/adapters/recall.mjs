/**
 * recall, built on the fly from `src/`: the library in process for search, the command line for the other commands.
 * `recall-dist` runs the program in `dist/` for everything, one process a question.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'

/**
 * @typedef {import("../run.mjs").Adapter} Adapter
 * @typedef {import("../run.mjs").Found} Found
 * @typedef {{ session_uid?: string, command?: string }} Row
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const LIMIT = 50

const LIBRARY = `
export { createRecall } from './src/recall.ts'
export { loadSettings } from './src/settings/load.ts'
export { sources } from './src/sources/index.ts'
export { files, openForReading, openForWriting } from './src/store/open.ts'
`
const PROGRAM = `
import { main } from './src/main.ts'
await main(process.argv.slice(2), '0.0.0')
`

/** @param {{ built?: boolean, mode?: string }} [how] a mode other than by words makes vectors first @returns {Adapter} */
export function recall({ built = false, mode = 'keyword' } = {}) {
  const meant = mode === 'keyword' ? [] : ['--embed']
  let main = join(ROOT, 'bin/recall.js')
  /** @type {Record<string, string | undefined>} */
  let env = {}
  /** @type {any} */
  let product = null
  /** @type {string | null} */
  let folder = null
  let database = ''

  const run = (/** @type {string[]} */ args, /** @type {string} */ cwd) =>
    spawnSync(process.execPath, [main, ...args], { env, cwd, encoding: 'utf8', maxBuffer: 1 << 28 })

  return {
    name: `${built ? 'recall-dist' : 'recall'}${mode === 'keyword' ? '' : ` --mode ${mode}`}`,
    async prepare({ home, scratch, indexed = false }) {
      env = { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, NO_COLOR: '1' }
      database = join(scratch, 'recall/recall.db')
      if (built) {
        if (indexed) return
        const { status, stdout, stderr } = run(['index', ...meant, '--json'], home)
        if (status !== 0) throw new Error(`recall index failed: ${stdout}${stderr}`)
        return
      }
      folder = bundleFolder()
      await bundle({
        stdin: { contents: LIBRARY, resolveDir: ROOT, loader: 'ts' },
        outfile: join(folder, 'library.js'),
      })
      const { createRecall, loadSettings, sources, ...stores } = await import(
        pathToFileURL(join(folder, 'library.js')).href
      )
      const names = sources.map((/** @type {{ name: string }} */ source) => source.name)
      const settings = await loadSettings(env, names, {})
      product = createRecall({ settings, sources, env, now: () => Date.now(), ...stores })
      if (!indexed) await product.index()
      if (!indexed && meant.length > 0) await product.embed()
    },
    async search(text, limit = LIMIT) {
      const hits =
        product === null
          ? JSON.parse(run(['search', '--json', '--mode', mode, '--limit', String(limit), '--', text], '/').stdout).hits
          : (await product.search({ text, mode, filter: { limit } })).hits
      return hits.map((/** @type {any} */ hit) => ({
        session: hit.session.session_uid ?? hit.session.uid,
        lowConfidence: hit.confidence === 'guess',
        confidence: hit.confidence,
      }))
    },
    async answer({ command, argument, cwd }) {
      if (folder !== null && main !== join(folder, 'main.js')) {
        main = join(folder, 'main.js')
        await bundle({ stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' }, outfile: main })
      }
      const { status, stdout, stderr } = run([command, '--json', '--', argument], cwd ?? env['HOME'] ?? '/')
      if (/unknown command/.test(`${stdout}${stderr}`)) return null
      if (stdout === '') throw new Error(`recall ${command} said nothing: ${status} ${stderr}`)
      const rows = status === 0 || status === 1 ? JSON.parse(stdout) : {}
      const lowConfidence = rows.hits?.[0]?.low_confidence === true
      return { sessions: collect(rows, 'session_uid'), commands: collect(rows, 'command'), lowConfidence }
    },
    space() {
      const db = new DatabaseSync(database, { readOnly: true })
      const bytes = (/** @type {string} */ sql) => Number(/** @type {any} */ (db.prepare(sql).get()).bytes)
      try {
        return {
          index: bytes(
            "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '%\\_fts\\_%' ESCAPE '\\' AND aggregate = 1",
          ),
          text: bytes('SELECT sum(size) AS bytes FROM exchange'),
        }
      } finally {
        db.close()
      }
    },
    async close() {
      await product?.close()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** All texts under that key, in the order of the document, each once. @param {unknown} value @param {string} key */
function collect(value, key) {
  /** @type {Set<string>} */
  const found = new Set()
  JSON.stringify(value, (name, part) => {
    if (name === key && typeof part === 'string') found.add(part)
    return part
  })
  return [...found]
}

/** Beside the packages, so that the native one is found. */
function bundleFolder() {
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, 'recall-retrieval-'))
}

/** @param {import("esbuild").BuildOptions} what */
async function bundle(what) {
  const esbuild = await import('esbuild')
  await esbuild.build({
    ...what,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['@photostructure/sqlite', '@duckdb/node-api'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}
