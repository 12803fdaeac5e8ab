/** What a digest says that people may search for, by field of the index. */
export interface DigestText {
  readonly prompt: string
  readonly answer: string
  readonly command: string
  readonly other: string
}

export function digestText(json: string, title: string | null): DigestText {
  const digest = JSON.parse(json) as Record<string, unknown>
  const text = (name: string) => (typeof digest[name] === 'string' ? digest[name] : '')
  const lines = (list: string, name: string) => {
    const values: readonly unknown[] = Array.isArray(digest[list]) ? digest[list] : []
    return values.map((value) => String((value as Record<string, unknown> | null)?.[name] ?? '')).join('\n')
  }
  return {
    prompt: [title ?? '', text('first_prompt')].filter((part) => part !== '').join('\n'),
    answer: text('last_assistant'),
    command: `${lines('files', 'path')}\n${lines('commands', 'command')}`.trim(),
    other: lines('error_snippets', 'sample'),
  }
}

export function digestLines(json: string, title: string | null): string {
  const { prompt, answer, command, other } = digestText(json, title)
  return [prompt, answer, other, command].filter((part) => part !== '').join('\n')
}
