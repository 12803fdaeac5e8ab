// `npm run nodes`: the suites of start-up, command line and store under other versions of Node.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './prepare.mjs'

const MAJORS = ['22', '24']
const SUITES = ['test/start-up.test.ts', 'test/cli.test.ts', 'test/stores.test.ts', 'test/library.test.ts']

/** The program of this version, installed from the registry once. */
function nodeOf(major) {
  const dir = path.join(process.env.RECALL_NODES ?? path.join(homedir(), '.cache/recall-nodes'), major)
  const program = path.join(dir, 'node_modules/node/bin/node')
  if (!existsSync(program)) {
    mkdirSync(dir, { recursive: true })
    const options = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error', '--prefix', dir]
    execFileSync('npm', ['install', ...options, `node@${major}`], { stdio: 'inherit' })
  }
  return program
}

ensureInstalled()
await ensureBuilt()
for (const major of MAJORS) {
  const program = nodeOf(major)
  console.log(`Node ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()}`)
  // Programs that the suites start by name are of this version, too.
  const PATH = `${path.dirname(program)}${path.delimiter}${process.env.PATH}`
  const suites = process.argv.length > 2 ? process.argv.slice(2) : SUITES
  // Each command is a process, as it is for a user.
  const env = { PATH, RECALL_TEST_PROCESSES: '1' }
  run(program, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...suites], env)
}
