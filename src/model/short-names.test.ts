import { expect, test } from 'vitest'
import { shortNames } from './short-names.ts'

test('a path is told by its last parts, as many as tell it from the others', () => {
  const paths = ['/home/sam/api', '/home/kim/api', '/home/kim/web', '/srv/kim/api', 'api', '/', 'C:\\code\\shop']
  expect([...shortNames(paths)].sort()).toEqual(
    [
      ['/', '/'],
      ['/home/kim/api', 'home/kim/api'],
      ['/home/kim/web', 'web'],
      ['/home/sam/api', 'sam/api'],
      ['/srv/kim/api', 'srv/kim/api'],
      ['C:\\code\\shop', 'shop'],
      ['api', 'api'],
    ].sort(),
  )
})

test('paths that differ in nothing but slashes stay whole', () => {
  expect([...shortNames(['/a/b', 'a/b', '/a/b'])]).toEqual([
    ['/a/b', '/a/b'],
    ['a/b', 'a/b'],
  ])
})
