/**
 * recall, built on the fly from `src/`: the library in process for search, the command line for the other commands.
 * `recall-dist` runs the program in `dist/` for everything, one process a question.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

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
export { openForReading, openForWriting } from './src/store/open.ts'
`

/** @param {{ built?: boolean }} [how] @returns {Adapter} */
export function recall({ built = false } = {}) {
  let main = join(ROOT, 'bin/recall.js')
  /** @type {Record<string, string | undefined>} */
  let env = {}
  /** @type {any} */
  let product = null
  /** @type {string | null} */
  let folder = null

  const run = (/** @type {string[]} */ args, /** @type {string} */ cwd) =>
    spawnSync(process.execPath, [main, ...args], { env, cwd, encoding: 'utf8', maxBuffer: 1 << 28 })

  return {
    name: built ? 'recall-dist' : 'recall',
    async prepare({ home, scratch }) {
      env = { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, NO_COLOR: '1' }
      if (built) {
        const indexed = run(['index', '--json'], home)
        if (indexed.status !== 0) throw new Error(`recall index failed: ${indexed.stdout}${indexed.stderr}`)
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
      product = createRecall({ settings: loadSettings(env, names, {}), sources, env, now: () => Date.now(), ...stores })
      await product.index()
    },
    async search(text) {
      const hits =
        product === null
          ? JSON.parse(run(['search', '--json', '--limit', String(LIMIT), '--', text], '/').stdout).hits
          : (await product.search({ text, filter: { limit: LIMIT } })).hits
      return hits.map((/** @type {any} */ hit) => ({
        session: hit.session.session_uid ?? hit.session.uid,
        lowConfidence: hit.low_confidence ?? hit.lowConfidence,
      }))
    },
    async answer({ command, argument, cwd }) {
      if (folder !== null && main !== join(folder, 'main.js')) {
        main = join(folder, 'main.js')
        await bundle({ entryPoints: ['src/main.ts'], outfile: main })
      }
      const { status, stdout, stderr } = run([command, '--json', '--', argument], cwd ?? env['HOME'] ?? '/')
      if (/unknown command/.test(`${stdout}${stderr}`)) return null
      const rows = status === 0 || status === 1 ? JSON.parse(stdout || '{}') : {}
      return { sessions: collect(rows, 'session_uid'), commands: collect(rows, 'command') }
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
    external: ['@photostructure/sqlite'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}
