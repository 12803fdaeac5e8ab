import { Terminal } from '../terminal.ts'
import { page } from '../open-pager.ts'
import { isPager } from '../pager.ts'
import { pointerOf } from '../../model/pointers.ts'
import { printConversation } from '../show-text.ts'
import type { Context } from '../command.ts'
import type { Row } from './state.ts'

const USUAL = 'less -FRX'
/** Here a short session is read as well, not only shown and left. */
const HERE = 'less -R'

/** Shows a whole session in the pager, from the event that was found, until the person leaves it. */
export async function readInPager(context: Context, row: Row): Promise<void> {
  const { settings, env, terminal } = context
  const text = await sessionText(context, row)
  const isUsual = settings.pager === USUAL || !isPager(settings.pager)
  const command = isUsual ? `${HERE} +${lineOf(text, row.seq)}` : settings.pager
  const isShown = await terminal.whilePaging(() => page(text, command, { ...env, LESS: env['LESS'] ?? 'R' }))
  if (!isShown) process.stdout.write(text)
  if (!isShown || !isUsual) await anyKey()
}

async function sessionText({ recall, terminal }: Context, { session }: Row): Promise<string> {
  let written = ''
  const { columns = 80, rows = 24 } = process.stdout
  const out = { isTTY: true, columns, rows, write: (text: string) => (written += text) }
  const copy = new Terminal(out, out, terminal.isColoured)
  if (session.evictedAt !== null) copy.line((await recall.digest(session.uid)) ?? '')
  const events = await recall.events(session, { sidechains: false })
  printConversation(copy, session, events, { tools: true, thinking: false, plumbing: false, folded: false })
  return written
}

/** The line of a text that begins with the pointer of an event; the first if none does. */
export function lineOf(text: string, seq: number | null): number {
  if (seq === null) return 1
  const pointer = `${pointerOf(seq)} `
  const at = text.split('\n').findIndex((line) => line.slice(0, 40).includes(pointer))
  return Math.max(1, at + 1)
}

/** What a program has printed and left stays until it was read. */
async function anyKey(): Promise<void> {
  process.stdout.write('(press a key to go on)')
  process.stdin.setRawMode(true)
  process.stdin.resume()
  await new Promise<void>((resolve) => process.stdin.once('data', () => resolve()))
  process.stdin.setRawMode(false)
}
