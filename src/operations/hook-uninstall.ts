import { planUninstall } from '../capture/install.ts'
import { editHooks, hookDocument, hookInput, hookOutput } from './hook-change.ts'
import { operation } from './operation.ts'

export const hookUninstall = operation({
  name: 'hook.uninstall',
  summary: 'let an agent call recall no longer',
  effect: 'writes',
  input: hookInput,
  output: hookOutput,
  run: (context, asked) => editHooks(context, asked, planUninstall),
  document: hookDocument,
})
