import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import type { Run } from './cli.ts'
import { tempDir } from './home.ts'

const project = path.resolve(import.meta.dirname, '../..')
const UID = 1001

/** Whether a process can be given its own mounts and another user here. */
export const noContainer =
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0 ? false : 'needs root and unshare'

/** A part of the program as one file that runs anywhere. */
export async function bundled(source: string): Promise<string> {
  const file = path.join(tempDir(), 'bundle.cjs')
  const bundle = await rolldown({
    cwd: project,
    input: source,
    platform: 'node',
    external: ['@photostructure/sqlite'],
    checks: { ineffectiveDynamicImport: false },
  })
  await bundle.write({ file, format: 'cjs', codeSplitting: false })
  return file
}

/** For `require` from a bundle that lies elsewhere. */
export const MODULES = { NODE_PATH: path.join(project, 'node_modules') }

/** Gives the directories of a group that a container mounts to a user of their own. */
export function giveToContainer(root: string, group: string): void {
  for (const place of [`data/sessions/${group}/.claude`, `data/ipc/${group}`, `groups/${group}`]) {
    const dir = path.join(root, place)
    for (const name of ['', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })])
      chownSync(path.join(dir, name), UID, UID)
  }
}

/**
 * Runs a script as another user who sees of a root nothing but what a container of the group mounts: `home/.claude`,
 * `workspace/ipc` and `workspace/group` in its working directory. `tools` is there to be required.
 */
export function inContainer(root: string, group: string, tools: string, script: string): Run {
  const box = tempDir()
  chmodSync(box, 0o755)
  for (const dir of ['home/.claude', 'workspace/ipc', 'workspace/group'])
    mkdirSync(path.join(box, dir), { recursive: true, mode: 0o755 })
  writeFileSync(path.join(box, 'script.cjs'), script, { mode: 0o644 })
  const mounts = [
    `set -e`,
    `mount --bind "$1/data/sessions/$2/.claude" "$3/home/.claude"`,
    `mount --bind "$1/data/ipc/$2" "$3/workspace/ipc"`,
    `mount --bind "$1/groups/$2" "$3/workspace/group"`,
    `cp "$4" "$3/tools.cjs"; chmod 644 "$3/tools.cjs"`,
    `mount -t tmpfs none "$1"`,
    `cd "$3"`,
    `exec setpriv --reuid=${UID} --regid=${UID} --clear-groups "$5" script.cjs`,
  ].join('\n')
  const args = ['-m', 'sh', '-c', mounts, 'sh', root, group, box, tools, process.execPath]
  const run = spawnSync('unshare', args, { encoding: 'utf8', env: { PATH: process.env['PATH'], ROOT: root } })
  return { code: run.status, out: run.stdout, err: run.stderr }
}
