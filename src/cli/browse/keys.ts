/** A key that was pressed by its name, or text that was typed or pasted. */
export type Key = { readonly name: KeyName } | { readonly text: string }

const SEQUENCES = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[C': 'right',
  '\u001bOC': 'right',
  '\u001b[D': 'left',
  '\u001bOD': 'left',
  '\u001b[H': 'home',
  '\u001bOH': 'home',
  '\u001b[1~': 'home',
  '\u001b[7~': 'home',
  '\u001b[F': 'end',
  '\u001bOF': 'end',
  '\u001b[4~': 'end',
  '\u001b[8~': 'end',
  '\u001b[3~': 'delete',
  '\u001b[5~': 'page up',
  '\u001b[6~': 'page down',
} as const
const CONTROLS = {
  '\u0001': 'home',
  '\u0003': 'interrupt',
  '\u0004': 'interrupt',
  '\u0005': 'end',
  '\b': 'backspace',
  '\t': 'tab',
  '\n': 'enter',
  '\r': 'enter',
  '\u000e': 'down',
  '\u0010': 'up',
  '\u0015': 'clear',
  '\u0017': 'clear word',
  '\u0019': 'copy',
  '\u007f': 'backspace',
} as const

export type KeyName = (typeof SEQUENCES)[keyof typeof SEQUENCES] | (typeof CONTROLS)[keyof typeof CONTROLS] | 'escape'

const PASTE = ['\u001b[200~', '\u001b[201~'] as const
// oxlint-disable-next-line no-control-regex -- what terminals send
const SEQUENCE = /^\u001b(?:\[[\d;:<=>?]*[A-Za-z~]|O[A-Za-z]|[^[O])/
// oxlint-disable-next-line no-control-regex -- what terminals send
const TEXT = /^[^\u0000-\u001f\u007f]+/

/** The keys in what a terminal sent, and the beginning of one that has not come whole yet. Keys that mean nothing are left out. */
export function readKeys(sent: string): { readonly keys: Key[]; readonly rest: string } {
  const keys: Key[] = []
  let left = sent
  while (left !== '') {
    if (left.startsWith(PASTE[0])) {
      const end = left.indexOf(PASTE[1])
      if (end === -1) return { keys, rest: left }
      // A newline that is pasted was not pressed.
      keys.push({ text: left.slice(PASTE[0].length, end).replace(/\s+/g, ' ') })
      left = left.slice(end + PASTE[1].length)
    } else if (left.startsWith('\u001b')) {
      const sequence = SEQUENCE.exec(left)?.[0]
      if (sequence === undefined) return { keys, rest: left }
      const name = Object.hasOwn(SEQUENCES, sequence) ? SEQUENCES[sequence as keyof typeof SEQUENCES] : undefined
      if (name !== undefined) keys.push({ name })
      left = left.slice(sequence.length)
    } else {
      const text = TEXT.exec(left)?.[0]
      const control = left.charAt(0)
      // One by one: each may mean something of its own.
      if (text !== undefined) keys.push(...[...text].map((one) => ({ text: one })))
      else if (Object.hasOwn(CONTROLS, control)) keys.push({ name: CONTROLS[control as keyof typeof CONTROLS] })
      left = left.slice(text?.length ?? 1)
    }
  }
  return { keys, rest: '' }
}
