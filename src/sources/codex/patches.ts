import { asObject, asString, isObject, type Json } from '../kit/json.ts'

const WORD: Readonly<Record<string, string>> = { add: 'Add', update: 'Update', delete: 'Delete' }

/** The changes that an event lists, as the patch that an agent would write for them. */
export function patchOf(changes: unknown): { input: string } | { changes: unknown } {
  const files = Object.entries(asObject(changes) ?? {}).map(([path, change]) => fileOf(path, asObject(change) ?? {}))
  if (files.length === 0 || files.includes(null)) return { changes: changes ?? null }
  return { input: ['*** Begin Patch', ...files, '*** End Patch'].join('\n') }
}

function fileOf(path: string, change: Json): string | null {
  const type = asString(change['type']) ?? Object.keys(change)[0] ?? ''
  const word = Object.hasOwn(WORD, type) ? WORD[type] : undefined
  if (word === undefined) return null
  const said = isObject(change[type]) ? change[type] : change
  const moved = asString(said['move_path'])
  const content = asString(said['content']) ?? ''
  const lines = type === 'add' ? content.replace(/\n$/, '').replace(/^/gm, '+') : (asString(said['unified_diff']) ?? '')
  return [`*** ${word} File: ${path}`, ...(moved === null ? [] : [`*** Move to: ${moved}`]), lines.trimEnd()]
    .filter((line) => line !== '')
    .join('\n')
}
