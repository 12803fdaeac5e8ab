// Bundles src/ into dist/: the program, its reading thread, the library, the page, and the file an agent's hook runs.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPage } from './build-page.mjs'
import { bin, ensureInstalled, root, run } from './prepare.mjs'

/**
 * What nearly every command needs lies in one file: each further file costs its start a millisecond. CommonJS, because
 * Node 20 loads that at once and ES modules in turns, which takes 15 ms longer.
 */
const HOT = ['main', 'cli/commands/search', 'cli/commands/list', 'cli/commands/show', 'search/search']

export async function build() {
  const { rolldown } = await import('rolldown')
  const dir = path.join(root, 'dist')
  rmSync(dir, { recursive: true, force: true })
  const common = {
    cwd: root,
    platform: 'node',
    external: ['@photostructure/sqlite', '@duckdb/node-api'],
    checks: { ineffectiveDynamicImport: false },
  }
  const hot = new Set()
  const program = await rolldown({
    ...common,
    input: {
      main: 'src/main.ts',
      thread: 'src/thread.ts',
      'plugin-thread': 'src/plugin-thread.ts',
      library: 'src/library.ts',
      brief: 'src/brief.ts',
      'operation-thread': 'src/operation-thread.ts',
      compaction: 'src/compaction.ts',
      'sql-process': 'src/sql-process.ts',
    },
    plugins: [gather(hot), withoutPrograms, withoutValidator],
  })
  await program.write({
    dir,
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: [{ name: 'core', test: (id) => hot.has(id) }] },
  })
  const hook = await rolldown({ ...common, input: 'src/hook.ts', plugins: [withoutCompaction] })
  await buildPage(dir)
  await hook.write({ file: path.join(dir, 'hook.cjs'), format: 'cjs', minify: true })
}

/** Fills `hot` with the modules of HOT and all that they import at once. */
function gather(hot) {
  return {
    name: 'gather',
    buildEnd() {
      const walk = (id) => {
        const module = this.getModuleInfo(id)
        if (hot.has(id) || !module || module.isExternal) return
        hot.add(id)
        module.importedIds.forEach(walk)
      }
      for (const name of HOT) walk(path.join(root, 'src', `${name}.ts`))
    },
  }
}

/** commander can start other programs; no command of recall is one, and loading what it needs for that takes time. */
const withoutPrograms = {
  name: 'without-programs',
  resolveId: (source, importer) =>
    source === 'node:child_process' && importer?.includes('commander') ? { id: '\0no-programs' } : null,
  load: (id) => (id === '\0no-programs' ? 'export default {}' : null),
}

/** What a hook needs before a compaction alone is no part of the file that every hook loads. */
const withoutCompaction = {
  name: 'without-compaction',
  resolveId: (source) => (source === './compaction.ts' ? { id: './compaction.cjs', external: true } : null),
}

/** The MCP server is given a validator; the one that it would have otherwise is as large as all the rest. */
const withoutValidator = {
  name: 'without-validator',
  resolveId: (source) => (source === '@modelcontextprotocol/server/_shims' ? { id: '\0no-validator' } : null),
  load: (id) =>
    id === '\0no-validator'
      ? "import process from 'node:process'; export class DefaultJsonSchemaValidator {}; export { process }"
      : null,
}

/** Types of the library, for those who install it. */
function buildTypes() {
  run(bin('tsc'), ['-p', 'tsconfig.types.json'])
  // What is built is CommonJS, and so are its types.
  writeFileSync(path.join(root, 'dist/types/package.json'), '{ "type": "commonjs" }\n')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled()
  await build()
  if (process.argv.includes('--types')) buildTypes()
}
