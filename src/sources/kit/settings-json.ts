import type { UserError } from '../../model/errors.ts'
import { isObject, type Json } from './json.ts'

/** Says why a file of settings cannot be used, in the words of whoever wanted to. */
export type Refusal = (why: string) => UserError

const MARK = '\uFEFF'
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^\s]/g

/** An agent's settings; none for a file that is empty or not there. */
export function readSettings(text: string | null, refuse: Refusal): Json {
  if (isEmpty(text)) return {}
  const value = parse(text, refuse)
  if (!isObject(value)) throw refuse('its outermost value is no object')
  return value
}

/** What goes into the file: everything in its order, with the indentation and the ends of lines of what was there. */
export function writeSettings(settings: Json, before: string | null, refuse: Refusal): string {
  if (!isEmpty(before) && !survives(before, refuse))
    throw refuse('it has a name twice, or a number with too many digits, that writing it anew would lose')
  const indent = /\n([ \t]+)"/.exec(before ?? '')?.[1] ?? '  '
  const end = isEmpty(before) || before.endsWith('\n') ? '\n' : ''
  const text = (before?.startsWith(MARK) === true ? MARK : '') + JSON.stringify(settings, null, indent) + end
  return before?.includes('\r\n') === true ? text.replaceAll('\n', '\r\n') : text
}

function isEmpty(text: string | null): text is null | '' {
  return text === null || text.trim() === ''
}

function parse(text: string, refuse: Refusal): unknown {
  try {
    return JSON.parse(text.replace(MARK, ''))
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(`it is not JSON: ${error.message}`)
    throw error
  }
}

/** True if reading and writing a text changes no more than its spelling. */
function survives(text: string, refuse: Refusal): boolean {
  const spelt = (text.replace(MARK, '').match(TOKEN) ?? []).map((token) => {
    if (token.startsWith('"')) return JSON.stringify(parse(token, refuse))
    return /^-?\d+$/.test(token) ? BigInt(token) : /^-?\d/.test(token) ? Number(token) : token
  })
  return spelt.join('') === JSON.stringify(parse(text, refuse))
}
