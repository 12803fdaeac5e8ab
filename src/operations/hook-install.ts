import { markCadence } from '../capture/announce.ts'
import { planInstall } from '../capture/install.ts'
import { editHooks, hookDocument, hookInput, hookOutput } from './hook-change.ts'
import { operation } from './operation.ts'

export const hookInstall = operation({
  name: 'hook.install',
  summary: 'let an agent tell recall when a session starts, pauses or ends',
  effect: 'writes',
  input: hookInput,
  output: hookOutput,
  async run(context, asked) {
    const edit = await editHooks(context, asked, planInstall)
    if (asked.dry_run !== true) markCadence(context.settings)
    return edit
  },
  document: hookDocument,
})
