type Fields = Readonly<Record<string, unknown>>

/** What one call changes in one file, line by line. */
export interface Change {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** It writes the whole file: what it holds may have been there before. */
  readonly whole: boolean
}

/** What one call changes in one file; `path` is null where its arguments do not say. */
export interface FileEdits {
  readonly path: string | null
  readonly changes: readonly Change[]
}

const MAX_DEPTH = 4
const OLD = ['old_string', 'old_str', 'oldString', 'oldText']
const NEW = ['new_string', 'new_str', 'newString', 'newText', 'insert_text', 'new_source']
const CONTENT = ['content', 'contents', 'file_text']
const PATH = ['file_path', 'path', 'filePath', 'notebook_path', 'target_file']

/** What the arguments of a call change, file by file; none where they are no edit. */
export function editsIn(input: unknown): FileEdits[] {
  const patches = patchesIn(input, 0)
  if (patches.length > 0) return patches.flatMap(filesOfPatch)
  const fields = fieldsOf(input)
  const changes = changesOfFields(fields)
  return changes.length === 0 ? [] : [{ path: firstText(fields, PATH), changes }]
}

/** The changes that the arguments of a call make to the file that `names` recognizes by its path. */
export function changesIn(input: unknown, names: (path: string) => boolean): Change[] {
  const patches = patchesIn(input, 0)
  if (patches.length === 0) return changesOfFields(fieldsOf(input))
  const files = patches.flatMap(filesOfPatch).filter(({ path }) => path !== null && names(path))
  return files.flatMap(({ changes }) => changes)
}

function changesOfFields(fields: Fields): Change[] {
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

function filesOfPatch(patch: string): FileEdits[] {
  const files: { path: string; changes: { removed: string[]; added: string[]; whole: boolean }[] }[] = []
  for (const line of patch.split('\n')) {
    const [, verb, path = ''] = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line) ?? []
    const isWhole = verb === 'Add'
    if (verb !== undefined) files.push({ path: path.trim(), changes: [{ removed: [], added: [], whole: isWhole }] })
    else if (line.startsWith('@@')) files.at(-1)?.changes.push({ removed: [], added: [], whole: false })
    else if (line.startsWith('+')) files.at(-1)?.changes.at(-1)?.added.push(line.slice(1))
    else if (line.startsWith('-')) files.at(-1)?.changes.at(-1)?.removed.push(line.slice(1))
  }
  return files.map(({ path, changes }) => ({
    path,
    changes: changes.filter(({ removed, added, whole }) => whole || removed.length + added.length > 0),
  }))
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
