import { findings, findingsDocument, progressOf, secretsToo } from './doctor.ts'
import { operation } from './operation.ts'
import { object } from './schema.ts'

export const doctorRepair = operation({
  name: 'doctor.repair',
  summary: 'mend what is damaged, as far as that can be done',
  effect: 'writes',
  input: object({}, { secrets: secretsToo }),
  output: findings,
  run: ({ recall, watching }, { secrets = false }) => recall.repair({ secrets, ...progressOf(watching) }),
  document: findingsDocument,
})
