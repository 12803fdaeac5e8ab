import { pointerOf } from '../model/pointers.ts'
import { events as operation } from '../operations/events.ts'
import type { EventRecord } from '../store/store.ts'
import type { Context } from './command.ts'
import { flag } from './option-values.ts'
import { commandOf } from './operation-command.ts'
import { cutToWidth } from './table.ts'

/** `recall show --events`: a line an event. */
export const events = commandOf({
  operation,
  args: [{ name: 'id', help: 'which session', required: true }],
  examples: [],
  refine: (input, values) => (flag(values, 'json') ? input : { ...input, payloads: false }),
  print: (context, listed) => listed.events.forEach((event) => print(context, event)),
})

function print({ terminal }: Context, event: EventRecord): void {
  const tool = event.tool === null ? '' : ` [${event.tool}]`
  const pointer = pointerOf(event.seq)
  const line = terminal.cell(`${event.kind}${tool} ${event.summary}`)
  terminal.line(`${terminal.dim(pointer)} ${cutToWidth(line, terminal.width - pointer.length - 1)}`)
}
