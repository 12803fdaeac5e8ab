import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Call } from './calls.ts'
import { random } from './cases.ts'
import { Disk } from './disk.ts'

const work = mkdtempSync(path.join(tmpdir(), 'recall-test-'))
afterAll(() => rmSync(work, { recursive: true }))
let number = 0

/** A disk that begins with these files. */
function diskWith(files: Readonly<Record<string, string>>): Disk {
  const dir = path.join(work, String(++number))
  mkdirSync(dir)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text)
  return new Disk(dir, '/root')
}

function call(name: string, inode: number, file: string, more: Partial<Call> = {}): Call {
  return {
    number: 0,
    call: name,
    inode,
    offset: 0,
    length: 0,
    flags: 0,
    path: `/root/${file}`,
    second: '',
    bytes: null,
    ...more,
  }
}

function write(inode: number, file: string, text: string, offset = 0): Call {
  return call('pwrite', inode, file, { offset, length: text.length, bytes: Buffer.from(text) })
}

/** What the files say after the power has gone; null for one that is not there. */
function left(disk: Disk, names: readonly string[], chance?: () => number): (string | null)[] {
  const dir = path.join(work, String(++number))
  mkdirSync(dir)
  disk.cut(dir, chance)
  return names.map((name) => (existsSync(path.join(dir, name)) ? readFileSync(path.join(dir, name), 'utf8') : null))
}

test('what was not synced is gone, what was synced stays', () => {
  const disk = diskWith({ a: 'old' })
  disk.apply(call('open', 1, 'a'))
  disk.apply(write(1, 'a', 'new'))
  expect(left(disk, ['a'])).toEqual(['old'])
  disk.apply(call('fsync', 1, 'a'))
  disk.apply(write(1, 'a', '!', 3))
  expect(left(disk, ['a'])).toEqual(['new'])
})

test('a file that was renamed without a sync of its bytes has its name and no bytes, once something else is synced', () => {
  const disk = diskWith({ a: 'old', b: '' })
  for (const one of [
    call('create', 2, 'a.tmp'),
    write(2, 'a.tmp', 'new'),
    call('rename', 2, 'a.tmp', { second: '/root/a' }),
  ])
    disk.apply(one)
  expect(left(disk, ['a', 'a.tmp'])).toEqual(['old', null])
  disk.apply(call('open', 3, 'b'))
  disk.apply(call('fsync', 3, 'b'))
  expect(left(disk, ['a', 'a.tmp'])).toEqual(['', null])
})

test('a directory takes along what is in it', () => {
  const disk = diskWith({})
  for (const one of [call('mkdir', 1, 'd'), call('create', 2, 'd/a'), write(2, 'd/a', 'text'), call('fsync', 2, 'd/a')])
    disk.apply(one)
  disk.apply(call('rename', 1, 'd', { second: '/root/e' }))
  expect(left(disk, ['d/a', 'e/a'])).toEqual(['text', null])
  disk.apply(call('fsync', 2, 'e/a'))
  expect(left(disk, ['d/a', 'e/a'])).toEqual([null, 'text'])
})

test('of what was appended without a sync a beginning may survive, never a hole', () => {
  const disk = diskWith({ a: '' })
  disk.apply(call('open', 1, 'a'))
  for (let i = 0; i < 9; i++) disk.apply(write(1, 'a', String(i), i))
  const ends = Array.from({ length: 40 }, (_, seed) => left(disk, ['a'], random(seed))[0] ?? '')
  for (const end of ends) expect('012345678'.startsWith(end)).toBe(true)
  expect(new Set(ends).size).toBeGreaterThan(3)
})

test('a call that failed changes nothing', () => {
  const disk = diskWith({ a: 'old' })
  disk.apply(call('unlink', 1, 'a', { length: -5 }))
  disk.apply(call('open', 1, 'a'))
  disk.apply(call('fsync', 1, 'a'))
  expect(left(disk, ['a'])).toEqual(['old'])
})
