import { expect, test } from 'vitest'
import { UserError } from '../model/errors.ts'
import { fieldNames, keepFields } from './fields.ts'

const rows = [
  { id: 1, title: 'a', session: { uid: 'x', cwd: '/', model: null } },
  { id: 2, title: null, session: null },
]

test('keeps these fields of each row of the named list, in the order asked for, and the rest of the document', () => {
  const document = { total: 2, other: [{ id: 3 }], hits: rows, tags: [] }
  const kept = keepFields(document, { list: 'hits', fields: ['title', 'id'] })
  expect(JSON.stringify(kept)).toBe(
    '{"total":2,"other":[{"id":3}],"hits":[{"title":"a","id":1},{"title":null,"id":2}],"tags":[]}',
  )
})

test('a dot leads into an object', () => {
  expect(keepFields({ hits: rows }, { list: 'hits', fields: ['session.uid', 'session.cwd'] })).toEqual({
    hits: [{ session: { uid: 'x', cwd: '/' } }, { session: null }],
  })
})

test('a field that no row has is an error that names those there are; an empty list is none', () => {
  const keep = (hits: typeof rows, field: string) => keepFields({ hits }, { list: 'hits', fields: [field] })
  expect(() => keep(rows, 'titel')).toThrow(
    new UserError('USAGE', 'no field "titel"', 'fields are: id, title, session'),
  )
  expect(() => keep(rows, 'session.titel')).toThrow(UserError)
  expect(keep([], 'titel')).toEqual({ hits: [] })
})

test('names are parted by commas, and there must be one', () => {
  expect(fieldNames(' a, b.c ,')).toEqual(['a', 'b.c'])
  expect(fieldNames(undefined)).toBeNull()
  expect(() => fieldNames(' , ')).toThrow(UserError)
})
