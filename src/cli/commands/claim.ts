import { TIERS } from '../../insight/journals.ts'
import type { Bookkeeping } from '../../insight/bookkeeping.ts'
import { onOneLine } from '../../insight/words.ts'
import { UserError } from '../../model/errors.ts'
import { plural } from '../../model/text.ts'
import { JSON_OPTION, type Command, type Context } from '../command.ts'
import { choice, flag, word } from '../given.ts'
import { printTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

const HINT = 'e.g. recall claim "wave 5 took 18 min" --tier FROM-JOURNAL --pointer tasks.jsonl#wave5'

export const claim: Command = {
  name: 'claim',
  summary: 'keep a claim with a number in it together with what it rests on',
  details:
    'Appends a line to `numeric-claims.jsonl`, the journal of claims. REAL: measured; FROM-JOURNAL: taken from a journal; ESTIMATE-HTC: estimated.',
  args: [{ name: 'text', help: 'what is claimed', required: false, many: true }],
  options: [
    { flags: '--tier <tier>', help: TIERS.join(', ') },
    { flags: '--pointer <where>', help: 'where the evidence is: `tasks.jsonl#name`, `uid#seq`, a file' },
    { flags: '--session <id>', help: 'the session in which it is claimed' },
    { flags: '--list', help: 'show the claims so far' },
    JSON_OPTION,
  ],
  examples: [
    'recall claim "wave 5 took 18 min" --tier FROM-JOURNAL --pointer tasks.jsonl#wave5',
    'recall claim "index is 3 times faster" --tier REAL --pointer claude:bf053cbd#120',
    'recall claim --list',
  ],
  async run(context, args, given) {
    if (flag(given, 'list')) return list(context, flag(given, 'json'))
    const { recall, terminal } = context
    const value = args.join(' ').trim()
    if (value === '') throw new UserError('USAGE', 'a claim needs words', HINT)
    const tier = choice(given, 'tier', TIERS)
    if (tier === undefined)
      throw new UserError('USAGE', 'a claim needs its tier', `give --tier ${TIERS.join(', --tier ')}`)
    const pointer = word(given, 'pointer')?.trim() ?? ''
    if (pointer === '') throw new UserError('USAGE', 'a claim needs a pointer to its evidence', HINT)
    const id = word(given, 'session')
    const session = id === undefined ? {} : { session_id: (await recall.find(id)).nativeId }
    const books = await recall.chronicle.books()
    const line = books.claim({ value, evidence_tier: tier, pointer, ...session })
    warnOfNothing(terminal, books, pointer)
    if (flag(given, 'json')) terminal.json({ claim: line })
    else terminal.line(`kept in ${books.dir}`)
  },
}

/** A pointer into the journal of tasks should lead to a task: its name, or its name and a day. */
function warnOfNothing(terminal: Terminal, books: Bookkeeping, pointer: string): void {
  const name = /^tasks\.jsonl#(.+)$/.exec(pointer)?.[1]
  if (name === undefined) return
  const { tasks } = books.tasks()
  if (tasks.some((task) => name === task.name || name.startsWith(`${task.name}-`))) return
  terminal.note(terminal.yellow(`the journal has no task ${name}; \`recall time tasks\` lists them`))
}

async function list({ recall, terminal }: Context, json: boolean): Promise<void> {
  const books = await recall.chronicle.books()
  const { lines, unread } = books.claims()
  if (json) return terminal.json({ claims: lines, unread })
  if (lines.length === 0) return terminal.note(`no claims in ${books.dir}`)
  printTable(terminal, lines, [
    { title: 'when', value: (line) => onOneLine(line.ts) },
    { title: 'tier', value: (line) => line.evidence_tier },
    { title: 'claim', value: (line) => onOneLine(line.value), flexible: true },
    { title: 'pointer', value: (line) => onOneLine(line.pointer), flexible: true },
  ])
  if (unread > 0) terminal.note(terminal.yellow(`${plural(unread, 'line')} of the journal could not be read`))
}
