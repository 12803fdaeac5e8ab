// Node 20 does not read TypeScript: what runs outside the test runner is bundled first.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The module test/faults/<name>.ts, with all that it imports. */
export async function bundled(name, root) {
  const { rolldown } = await import('rolldown')
  const input = path.join(root, 'test', 'faults', `${name}.ts`)
  const bundle = await rolldown({ cwd: root, platform: 'node', input, external: ['@photostructure/sqlite'] })
  // Below node_modules, so that packages are found from there.
  const dir = path.join(root, 'node_modules', '.cache')
  mkdirSync(dir, { recursive: true })
  const file = path.join(dir, `faults-${name}-${process.pid}.mjs`)
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(file)
  }
}
