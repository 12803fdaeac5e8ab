import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeLog, transcriptPath, uuid, write } from './kit/claude-log.ts'
import { bin, cleanEnv } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

const IDS = Array.from({ length: 40 }, (_, i) => uuid(`full disk ${i}`))

/** Runs a script in a place of its own, where a file system of a few megabytes can be made. */
function apart(env: Record<string, string>, script: string) {
  return spawnSync('unshare', ['-rm', 'sh', '-c', script], { env, encoding: 'utf8', timeout: 120_000 })
}

const canMount = apart(cleanEnv(tempDir()), `mount -t tmpfs -o size=1m none "$HOME" && echo well`).stdout

/** Sessions on a disk that is filled to its last byte after they were read and analysed. */
function onFullDisk(...commands: string[]): string[] {
  const home = tempDir()
  for (const id of IDS) {
    const log = new ClaudeLog(id)
    for (let turn = 0; turn < 20; turn++) log.user(`${id} asks ${turn}`).say(`words ${turn} of ${id} `.repeat(40))
    write(transcriptPath(home, id), log.text())
  }
  const data = path.join(tempDir(), 'disk')
  mkdirSync(data)
  const env = cleanEnv(home, data)
  const config = path.join(home, '.config', 'recall')
  mkdirSync(config, { recursive: true })
  const recall = `"${process.execPath}" "${bin}"`
  const told = (command: string) => `echo "== ${command}"; ${recall} ${command} 2>&1; echo "-- $?"`
  const script = [
    `mount -t tmpfs -o size=40m none "${data}"`,
    `${recall} sweep > /dev/null`,
    `cp "${path.join(home, 'caps.toml')}" "${config}/config.toml"`,
    `dd if=/dev/zero of="${data}/fill" bs=4k 2> /dev/null`,
    ...commands.map((command) => (command.startsWith('!') ? command.slice(1) : told(command))),
  ]
  const caps = '[session_memory.retention]\nraw_soft_cap_bytes = "100KiB"\nraw_hard_cap_bytes = "90MiB"\n'
  writeFileSync(path.join(home, 'caps.toml'), caps)
  const run = apart(env, script.join('\n'))
  expect(run.stderr).toBe('')
  return run.stdout.split(/^== /m).slice(1)
}

test.skipIf(!canMount.includes('well'))('on a full disk reading goes on, and what frees room can do so', () => {
  const uid = `claude:${IDS[0]}`
  const [list, show, search, decide, index, forget, after, doctor] = onFullDisk(
    'list',
    `show ${uid}`,
    'search asks',
    `decide ${uid} "we go on"`,
    'index --full',
    `forget ${uid} --yes`,
    'list',
    'doctor --deep',
  )
  for (const answer of [list, show, search, forget, after]) expect(answer).toContain('-- 0')
  for (const answer of [decide, index]) {
    expect(answer).toContain('the disk is full')
    expect(answer).toContain('-- 4')
  }
  expect(forget).toContain('forgot 1 session')
  expect(after).not.toContain(String(IDS[0]).slice(0, 8))
  expect(doctor).not.toContain('error')
})

test.skipIf(!canMount.includes('well'))('a sweep on a full disk evicts', () => {
  const size = '!du -sk "$XDG_DATA_HOME/recall" | sed "s/^/== /"'
  const [before, sweep, after] = onFullDisk(size, 'sweep', size)
  expect(sweep).toMatch(/evicted +\d+ sessions/)
  expect(Number.parseInt(after ?? '')).toBeLessThan(Number.parseInt(before ?? ''))
})

test.skipIf(!canMount.includes('well'))('a first index that fills the disk leaves room to forget', () => {
  const home = tempDir()
  const data = path.join(tempDir(), 'disk')
  mkdirSync(data)
  let state = 1
  const word = () => `w${(state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) % 5000}`
  for (const id of [...IDS, ...IDS.map((one) => uuid(`${one} again`)), ...IDS.map((one) => uuid(`${one} once more`))]) {
    const log = new ClaudeLog(id)
    for (let turn = 0; turn < 20; turn++) log.user(`asks ${turn}`).say(Array.from({ length: 1000 }, word).join(' '))
    write(transcriptPath(home, id), log.text())
  }
  const recall = `"${process.execPath}" "${bin}"`
  const script = [
    `mount -t tmpfs -o size=24m none "${data}"`,
    `${recall} index 2>&1 > /dev/null; echo "-- $?"`,
    `id=$(${recall} list --json | grep -o 'claude:[0-9a-f-]*' | head -1)`,
    `${recall} forget "$id" --yes 2>&1; echo "-- $?"`,
  ]
  const [index, forget] = apart(cleanEnv(home, data), script.join('\n')).stdout.split(/(?<=-- \d\n)/)
  expect(index).toContain('the disk is full')
  expect(index).toContain('-- 4')
  expect(forget).toContain('forgot 1 session')
})
