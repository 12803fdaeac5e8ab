/** True for the name of a command to the client alone, `/compact`: with more behind it, it is something that was said. */
export function isBareCommand(text: string): boolean {
  return /^\/[^\s/]+$/.test(text.trim())
}

/**
 * A prompt without the notes that a client put around it. A note stands before, after or between lines; in the middle of
 * a line it is what the person wrote.
 */
export function withoutNotes(text: string, notes: RegExp): string {
  if (!text.includes('<')) return text.trim()
  return text
    .replace(notes, (...match) => {
      const note = match[0] as string
      const start = match.find((part) => typeof part === 'number') as number
      return standsApart(text, start, start + note.length) ? '' : note
    })
    .trim()
}

function standsApart(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trimEnd()
  if (start === 0 || before === '' || before.endsWith('>')) return true
  const line = text.indexOf('\n', end)
  const after = text.slice(end, line === -1 ? text.length : line).trimStart()
  return after === '' || after.startsWith('<')
}
