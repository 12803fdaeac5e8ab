import { JSON_OPTION, type Command } from '../command.ts'
import { flag } from '../given.ts'

function pinning(name: 'pin' | 'unpin', on: boolean, summary: string): Command {
  return {
    name,
    summary,
    args: [{ name: 'id', help: 'which session', required: true }],
    options: [JSON_OPTION],
    examples: [`recall ${name} 3f2a9c1e`],
    async run({ recall, terminal }, args, given) {
      const session = await recall.find(args[0] ?? '')
      await recall.pin(session, on)
      if (flag(given, 'json')) terminal.json({ session_uid: session.uid, pinned: on })
      else terminal.line(`${on ? 'pinned' : 'unpinned'} ${session.uid}`)
    },
  }
}

export const pin = pinning('pin', true, 'keep the raw text of a session as long as possible')
export const unpin = pinning('unpin', false, 'let a pinned session go like any other')
