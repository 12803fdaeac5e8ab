type Fields = Readonly<Record<string, unknown>>

/** What one call changes in one file, line by line. */
export interface Change {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** It writes the whole file: what it holds may have been there before. */
  readonly whole: boolean
}

const MAX_DEPTH = 4
const OLD = ['old_string', 'old_str', 'oldString', 'oldText']
const NEW = ['new_string', 'new_str', 'newString', 'newText', 'insert_text', 'new_source']
const CONTENT = ['content', 'contents', 'file_text']

/** The changes that the arguments of a call make to the file that `names` recognizes by its path. */
export function changesIn(input: unknown, names: (path: string) => boolean): Change[] {
  const patches = patchesIn(input, 0)
  if (patches.length > 0) return patches.flatMap((patch) => changesOfPatch(patch, names))
  const fields = fieldsOf(input)
  if (Array.isArray(fields['edits'])) return fields['edits'].flatMap((edit: unknown) => replacement(fieldsOf(edit)))
  const replaced = replacement(fields)
  if (replaced.length > 0) return replaced
  const content = firstText(fields, CONTENT)
  return content === null ? [] : [{ removed: [], added: linesOf(content), whole: true }]
}

function replacement(fields: Fields): Change[] {
  const before = firstText(fields, OLD)
  const after = firstText(fields, NEW)
  if (before === null && after === null) return []
  return [{ removed: linesOf(before ?? ''), added: linesOf(after ?? ''), whole: false }]
}

function patchesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value.includes('*** Begin Patch') ? [value] : []
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner: unknown) => patchesIn(inner, depth + 1))
}

function changesOfPatch(patch: string, names: (path: string) => boolean): Change[] {
  const changes: Change[] = []
  let current: { removed: string[]; added: string[]; whole: boolean } | null = null
  for (const line of patch.split('\n')) {
    const header = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line)
    if (header) {
      const [, verb, file = ''] = header
      current = names(file.trim()) ? { removed: [], added: [], whole: verb === 'Add' } : null
      if (current) changes.push(current)
    } else if (line.startsWith('+')) current?.added.push(line.slice(1))
    else if (line.startsWith('-')) current?.removed.push(line.slice(1))
  }
  return changes
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/)
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : null
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
