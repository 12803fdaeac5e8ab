import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UserError } from '../model/errors.ts'
import { readText } from './edit-file.ts'
import { readGrants, recordGrant, recordUndo } from './grants.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'recall-grants-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const NOW = Date.parse('2026-11-01T12:00:00Z')
const data = () => path.join(dir, 'data')
const grant = (file: string) => ({
  agent: 'claude',
  scope: 'user' as const,
  dir: null,
  file,
  rules: [{ rule: 'Bash(ls:*)', pattern: 'ls *' }],
})

test.each([
  ['changed', '{}', '{"a":1}'],
  ['made', null, '{"a":1}'],
  ['removed', '{}', null],
])('a file that someone has %s since it was read is left alone, and nothing is noted', (_, before, now) => {
  const file = path.join(dir, 'settings.json')
  if (now !== null) writeFileSync(file, now)
  expect(() => recordGrant(data(), { file, before, after: '{"b":2}' }, grant(file), NOW)).toThrow(UserError)
  expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(now)
  expect(readGrants(data())).toEqual([])
})

test('a link stays a link, also one to a file that is not there yet', () => {
  const file = path.join(dir, 'settings.json')
  const real = path.join(dir, 'dotfiles', 'claude.json')
  symlinkSync(real, file)
  const made = recordGrant(data(), { file, before: null, after: '{}' }, grant(file), NOW)
  expect([lstatSync(file).isSymbolicLink(), readFileSync(real, 'utf8')]).toEqual([true, '{}'])
  recordUndo(data(), { file, before: '{}', after: null }, made, NOW)
  expect([lstatSync(file).isSymbolicLink(), readdirSync(path.dirname(real))]).toEqual([true, []])
})

test('what stands in the way is told, and nothing is noted', () => {
  const file = path.join(dir, 'not-a-directory', 'settings.json')
  writeFileSync(path.dirname(file), '')
  expect(() => recordGrant(data(), { file, before: null, after: '{}' }, grant(file), NOW)).toThrow(/settings\.json/)
  expect(readGrants(data())).toEqual([])
})

test('lines of the journal that are no grants are passed over', () => {
  const file = path.join(dir, 'settings.json')
  mkdirSync(data())
  const broken = ['nonsense', '[]', '{"id":"x"}', '{"undo":9}', '{"id":7,"at":"never","agent":"claude","file":"x"}']
  writeFileSync(path.join(data(), 'permissions.jsonl'), broken.join('\n') + '\n')
  recordGrant(data(), { file, before: null, after: '{}' }, grant(file), NOW)
  expect(readGrants(data()).map(({ id, rules }) => [id, rules.length])).toEqual([[1, 1]])
})

test('a torn line takes no other with it', () => {
  const file = path.join(dir, 'settings.json')
  mkdirSync(data(), { recursive: true })
  writeFileSync(path.join(data(), 'permissions.jsonl'), '{"id":1,"at":"2026')
  recordGrant(data(), { file, before: null, after: '{}' }, grant(file), NOW)
  expect(readGrants(data()).map(({ id, rules }) => [id, rules.length])).toEqual([[1, 1]])
})

test('a pipe in the place of settings is told, not waited for', () => {
  const file = path.join(dir, 'settings.json')
  if (spawnSync('mkfifo', [file]).status !== 0) return
  expect(() => readText(file)).toThrow(/no regular file/)
})
