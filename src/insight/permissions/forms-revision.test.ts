import { expect, test } from 'vitest'
import { permissionTargets } from '../../sources/permissions.ts'
import { FORMS_REVISION } from './forms-revision.ts'
import { revisionOf } from './forms-judge.ts'

test('the revision of forms is that of the tables they are judged by', () => {
  expect(FORMS_REVISION, 'write it to forms-revision.ts').toBe(revisionOf(permissionTargets))
})
