import { readGrants } from '../capture/grants.ts'
import { grantDocument, grantFields } from './grant-document.ts'
import { operation } from './operation.ts'
import { list, object } from './schema.ts'

export const permissionsLog = operation({
  name: 'permissions.log',
  summary: 'what was applied and taken back',
  effect: 'reads',
  input: object({}),
  output: object({ applied: list(object(grantFields)) }),
  run: async ({ settings }) => readGrants(settings.dataDir),
  document: (grants) => ({ applied: grants.map(grantDocument) }),
})
