import type { PermissionQueries } from '../permissions.ts'
import type { Database } from './database.ts'
import { readForms } from './permission-forms.ts'
import { readQuestions, readVersions } from './questions.ts'

export function permissionQueries(db: Database): PermissionQueries {
  return {
    forms: async (filter, wanted) => readForms(db, filter, wanted),
    questions: async (filter) => readQuestions(db, filter),
    versions: async () => readVersions(db),
  }
}
