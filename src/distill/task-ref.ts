const LOOKED_AT = 2000
/** What looks like the key of a task and is the name of a standard, a model or a hole. */
const NO_KEYS =
  'UTF|UCS|UTC|GMT|ISO|IEC|IEEE|RFC|PEP|SHA|MD|AES|RSA|DES|HMAC|CRC|BASE|CVE|CWE|GHSA|GPT|CLAUDE|GROK|LLAMA|HTTP|TLS|SSL|' +
  'IPV|TCP|UDP|ES|ECMA|CP|LATIN|WINDOWS|ASCII|COVID|MP|H|X|ARM|AMD|INTEL|TOP|PHASE|STEP|PART|LEVEL|Q|V'

/** Keys such as `ABC-123` and `TEAM-WP-0002-T01`. */
export const TASK_REFS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![A-Za-z0-9-])(?!(?:${NO_KEYS})-\d)[A-Z][A-Z0-9]{1,30}(?:-[A-Z0-9]{1,30}){0,4}-\d{1,9}(?:-T\d{1,6})?(?![A-Za-z0-9])`,
  ),
]

export interface TaskClues {
  readonly branch: string | null
  readonly prompt: string | null
  readonly cwd: string | null
}

/**
 * The task a session was about: what the first pattern finds in its branch, its first prompt or its directory, in
 * this order. A pattern's first group is the key if it has one. Only the first 2,000 characters are looked at.
 */
export function taskRefOf(clues: TaskClues, patterns: readonly RegExp[] = TASK_REFS): string | null {
  for (const clue of [clues.branch, clues.prompt, clues.cwd]) {
    if (clue === null) continue
    for (const pattern of patterns) {
      const found = clue.slice(0, LOOKED_AT).match(pattern)
      if (found) return (pattern.global ? null : found[1]) ?? found[0]
    }
  }
  return null
}
