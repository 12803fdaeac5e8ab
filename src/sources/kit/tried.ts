import type { Answer, Tried } from '../../model/permission.ts'
import { TRIED_AGENTS, TRIED_COMMANDS, TRIED_ON } from './tried-commands.ts'

const ANSWERS: Readonly<Record<string, Answer>> = { n: 'never', a: 'asks', s: 'sandbox' }

/** What this agent was seen to do; of several versions, what one asks about counts as asked. */
export function triedWith(agent: string): Tried {
  const columns = TRIED_AGENTS.flatMap((one, i) => (one.agent === agent ? i : []))
  const commands = new Map<string, Answer>()
  for (const [said, list] of Object.entries(TRIED_COMMANDS)) {
    const letters = said.split(' ')
    const letter = columns.map((i) => letters[i] ?? 'n').find((one) => one !== 'n') ?? 'n'
    for (const command of list.split('  ')) commands.set(command, ANSWERS[letter] ?? 'asks')
  }
  return { on: TRIED_ON, versions: columns.map((i) => TRIED_AGENTS[i]?.version ?? ''), commands }
}
