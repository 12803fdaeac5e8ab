import type { Command } from '../command.ts'

function pinning(name: 'pin' | 'unpin', on: boolean, summary: string): Command {
  return {
    name,
    summary,
    args: [{ name: 'id', help: 'which session', required: true }],
    options: [],
    examples: [`recall ${name} 3f2a9c1e`],
    async run({ recall, terminal }, args) {
      const session = await recall.find(args[0] ?? '')
      await recall.pin(session, on)
      terminal.line(`${on ? 'pinned' : 'unpinned'} ${session.uid}`)
    },
  }
}

export const pin = pinning('pin', true, 'keep the raw text of a session as long as possible')
export const unpin = pinning('unpin', false, 'let a pinned session go like any other')
