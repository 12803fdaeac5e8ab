import { expect, test } from 'vitest'
import { UserError } from '../model/errors.ts'
import { fieldNames, keepFields } from './fields.ts'

const rows = [
  { id: 1, title: 'a', session: { uid: 'x', cwd: '/', model: null } },
  { id: 2, title: null, session: null },
]

test('keeps these fields of each row, in the order asked for, and the rest of the document', () => {
  const document = { total: 2, hits: rows, other: [{ id: 3 }] }
  const kept = keepFields(document, ['title', 'id'])
  expect(JSON.stringify(kept)).toBe(
    '{"total":2,"hits":[{"title":"a","id":1},{"title":null,"id":2}],"other":[{"id":3}]}',
  )
})

test('a dot leads into an object', () => {
  expect(keepFields({ hits: rows }, ['session.uid', 'session.cwd'])).toEqual({
    hits: [{ session: { uid: 'x', cwd: '/' } }, { session: null }],
  })
})

test('of a document without a list its own fields are kept; names alone are no list of rows', () => {
  expect(keepFields({ uid: 'x', tags: ['a'], analyzed: 3 }, ['analyzed'])).toEqual({ analyzed: 3 })
  expect(keepFields({ tags: [], messages: rows }, ['id'])).toEqual({ tags: [], messages: [{ id: 1 }, { id: 2 }] })
})

test('a field that no row has is an error that names those there are; an empty list is none', () => {
  expect(() => keepFields({ hits: rows }, ['titel'])).toThrow(
    new UserError('USAGE', 'no field "titel"', 'fields are: id, title, session'),
  )
  expect(() => keepFields({ hits: rows }, ['session.titel'])).toThrow(UserError)
  expect(keepFields({ hits: [] }, ['titel'])).toEqual({ hits: [] })
})

test('names are parted by commas, and there must be one', () => {
  expect(fieldNames(' a, b.c ,')).toEqual(['a', 'b.c'])
  expect(fieldNames(undefined)).toBeNull()
  expect(() => fieldNames(' , ')).toThrow(UserError)
})
