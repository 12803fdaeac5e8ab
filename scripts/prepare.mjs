// What every other script needs first: dependencies installed and the program built, each only when stale.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const MIN_NODE = [20, 19]

export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return
  console.error(`recall needs Node ${MIN_NODE.join('.')} or newer; this is ${process.versions.node}`)
  process.exit(2)
}

/** Installs just what the lock file says, unless that has been done. */
export function ensureInstalled() {
  ensureNode()
  const stamp = path.join(root, 'node_modules', '.recall-lock')
  const wanted = hashFiles(['package.json', 'package-lock.json'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('installing dependencies …')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

/** Builds `dist/`, unless it was built from just these files. */
export async function ensureBuilt() {
  const stamp = path.join(root, 'dist', '.sources')
  const sources = hashFiles([
    'package.json',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/build-page.mjs',
    ...sourceFiles('src'),
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources + builtFiles()) return
  console.error('building …')
  const { build } = await import('./build.mjs')
  await build()
  writeFileSync(stamp, sources + builtFiles())
}

/** What there is in `dist/`, to see whether something has gone since. */
function builtFiles() {
  const dir = path.join(root, 'dist')
  const names = readdirSync(dir)
    .filter((name) => name !== '.sources' && name !== 'types')
    .sort()
  return names.map((name) => `\n${name} ${statSync(path.join(dir, name)).size}`).join('')
}

/** Runs a program in the project's directory with our output; ends with its exit code if it fails. */
export function run(command, args, env = {}) {
  try {
    execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  } catch (error) {
    if (typeof error.status === 'number') process.exit(error.status)
    throw error
  }
}

export function bin(name) {
  return path.join(root, 'node_modules', '.bin', name)
}

function sourceFiles(dir) {
  return readdirSync(path.join(root, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

function hashFiles(files) {
  const hash = createHash('sha256').update(process.versions.modules)
  for (const file of files) {
    const full = path.join(root, file)
    hash.update(file).update(existsSync(full) ? readFileSync(full) : '')
  }
  return hash.digest('hex')
}
