import { expect, test } from 'vitest'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { tempDir } from '../../test/kit/home.ts'
import { backupPath, setAside } from './set-aside.ts'

test('two stores set aside in one second get a directory each', () => {
  const dir = tempDir()
  const now = Date.UTC(2026, 10, 18, 11, 32, 3)
  const backups = ['one.db', 'two.db'].map((name) => {
    const store = path.join(dir, name)
    writeFileSync(store, name)
    mkdirSync(path.join(dir, 'blobs'))
    writeFileSync(path.join(dir, 'blobs', 'pack'), name)
    const backup = backupPath(store, now)
    setAside(store, backup)
    return path.relative(dir, backup)
  })
  expect(backups).toEqual([
    path.join('backups', '20261118T113203Z', 'one.db'),
    path.join('backups', '20261118T113203Z-2', 'two.db'),
  ])
})
