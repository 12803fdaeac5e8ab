import { createGates, type Gates } from './redact-gates.ts'
import { holdsSecrets, NAMES, withoutHeld, type Cell, type Held } from './redact-held.ts'
import type { Rule } from './redact-rule.ts'

const MAX_NAME = 40
const MAX_ITEMS = 10_000
/** `passwords:` and what follows up to the first item: dashes below it, or behind it where lines were joined; a bracket. */
const OPENING = /[\w.-]{0,32}\\{0,6}["']?\s{0,4}[:=][ \t]{0,4}(?:(\[)|\r?\n|(?=-[ \t]))/y
const DASHED =
  /[ \t]{0,40}(?:#[^\n]{0,200}\r?\n|-[ \t]{1,8}(["']?)([^\s"'#,{}[\]:][^\s"',{}[\]]{0,500})\1[ \t]{0,8}(?:#[^\n]{0,200})?(?:\r?\n|$|(?=[ \t]-[ \t])|(?<=[ \t]))|\r?\n)/y
const BRACKETED = /\s{0,40}(?:\\{0,6}["'`]([^\s"'`\\]{1,500})\\{0,6}["'`]|([^\s"'`\\,[\]{}]{1,500}))\s{0,40}(,|\])/y

/** Secrets listed below the name that says what they are: `passwords:`, `"tokens": […]`. */
export function listRules(gates: Gates = createGates()): Rule[] {
  const name = 'listed-secret'
  return [
    codes(),
    {
      name,
      starts: NAMES,
      back: 0,
      pattern: OPENING,
      gate: gates.list,
      rewrite: (text, at, stays) => {
        const held = listAt(text, at)
        return held === null ? null : withoutHeld(text, at, { rule: name, all: [held], stays, weak: false })
      },
    },
  ]
}

/** `Recovery codes:` and what stands below. */
function codes(): Rule {
  const code = '[a-z0-9]{4,10}-[a-z0-9]{4,10}(?:-[a-z0-9]{4,10}){0,3}'
  const apart = '(?:\\s|\\\\{1,7}[nr]|[-*>#|+,"/]|\\d{1,6}[.):→|:-]|[\\w./-]{1,80}[:-]\\d{1,6}[:-]){1,24}'
  const source = `((?:recovery|backup|rescue) codes?:${apart})${code}(?:${apart}${code}){0,32}`
  const starts = ['ecovery code', 'ackup code', 'escue code']
  return { name: 'recovery-code', starts, back: 1, pattern: new RegExp(source, 'iy'), judge: ([all]) => /\d/.test(all) }
}

function isOfName(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  )
}

function listAt(text: string, at: number): Held | null {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening === null) return null
  const name = nameAround(text, at)
  if (!holdsSecrets(name)) return null
  const from = at + opening[0].length
  if (opening[1] !== undefined) return { name, cells: bracketed(text, from) }
  const cells = dashed(text, from)
  return { name, cells: cells.length > 0 ? cells : keyed(text, { at, from }) }
}

function nameAround(text: string, at: number): string {
  let [from, to] = [at, at]
  while (from > 0 && at - from < MAX_NAME && isOfName(text.charCodeAt(from - 1))) from--
  while (to - at < MAX_NAME && isOfName(text.charCodeAt(to))) to++
  return text.slice(from, to)
}

function dashed(text: string, from: number): Cell[] {
  const cells: Cell[] = []
  for (let at = from; cells.length < MAX_ITEMS && at < text.length; at = DASHED.lastIndex) {
    DASHED.lastIndex = at
    const match = DASHED.exec(text)
    if (match === null) break
    const value = match[2]
    if (value === undefined) continue
    if (value.endsWith(':')) return []
    const start = at + match[0].indexOf(value, match[0].indexOf('-') + 1)
    cells.push({ from: start, to: start + value.length })
  }
  return cells
}

const KEYED =
  /([ \t]{0,40})(-[ \t]{1,8})?[\w.@"' -]{1,64}:[ \t]{1,40}(["']?)([^\s"'#,{}[\]][^\s"',{}[\]]{0,500})\3[ \t]{0,8}(?:#[^\n]{0,200})?(?:\r?\n|$)/y

/** Names and values that stand further in than the name above them. */
function keyed(text: string, { at, from }: { readonly at: number; readonly from: number }): Cell[] {
  const lineStart = text.lastIndexOf('\n', at) + 1
  const indent = /^[ \t]{0,40}/.exec(text.slice(lineStart, lineStart + 40))?.[0].length ?? 0
  const cells: Cell[] = []
  for (let line = from; cells.length < MAX_ITEMS && line < text.length; line = KEYED.lastIndex) {
    KEYED.lastIndex = line
    const match = KEYED.exec(text)
    const [whole = '', blanks = '', dash = '', , value = ''] = match ?? []
    if (match === null || (dash === '' && blanks.length <= indent)) break
    const start = line + whole.indexOf(value, whole.indexOf(':') + 1)
    cells.push({ from: start, to: start + value.length })
  }
  return cells
}

function bracketed(text: string, from: number): Cell[] {
  const cells: Cell[] = []
  for (let at = from; cells.length < MAX_ITEMS && at < text.length; at = BRACKETED.lastIndex) {
    BRACKETED.lastIndex = at
    const match = BRACKETED.exec(text)
    if (match === null) break
    const value = match[1] ?? match[2] ?? ''
    const start = at + match[0].indexOf(value)
    cells.push({ from: start, to: start + value.length })
    if (match[3] === ']') break
  }
  return cells
}
