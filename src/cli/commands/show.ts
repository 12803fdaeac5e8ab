import { isPayloadRef } from '../../model/pointers.ts'
import { show as operation } from '../../operations/show.ts'
import { FRESH_OPTION, type Command, type OptionValues } from '../command.ts'
import { flag } from '../option-values.ts'
import { commandOf } from '../operation-command.ts'
import { printConversation } from '../show-text.ts'

const conversation = commandOf({
  operation,
  args: [{ name: 'id', help: 'which session, or a payload_ref', required: true }],
  without: ['without_outputs'],
  options: [
    { flags: '--tools', help: 'with tool calls' },
    { flags: '--thinking', help: 'with thinking' },
    { flags: '--plumbing', help: 'with what the client put into the conversation' },
    { flags: '--events', help: 'every event in order instead of messages' },
    { flags: '--payloads', help: 'with --events: with whole tool outputs' },
    FRESH_OPTION,
  ],
  examples: [
    'recall show 3f2a9c1e --tools',
    'recall show last --tail 5',
    'recall show claude:17092961-…#120',
    'recall show 3f2a9c1e --events --json',
    'recall show blob://claude:17092961-…/120 > output.txt',
  ],
  refine: (input, values) => (flag(values, 'json') ? input : { ...input, without_outputs: true }),
  print({ terminal }, { session, events, isPart }, values) {
    printConversation(terminal, session, events, {
      tools: flag(values, 'tools'),
      thinking: flag(values, 'thinking'),
      plumbing: flag(values, 'plumbing'),
      folded: isPart,
    })
  },
})

/** Asked for less often, and loaded only then. */
async function special(id: string, values: OptionValues): Promise<Command | null> {
  if (isPayloadRef(id)) return (await import('../show-payload.ts')).payload
  return flag(values, 'events') ? (await import('../show-events.ts')).events : null
}

export const show: Command = {
  ...conversation,
  rows: ([id = ''], values) => (isPayloadRef(id) ? null : flag(values, 'events') ? 'events' : 'messages'),
  async run(context, words, values) {
    const command = (await special(words[0] ?? '', values)) ?? conversation
    return command.run(context, words, values)
  },
}
