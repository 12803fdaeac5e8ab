import { scriptOf } from '../kit/script.ts'

// How Codex compares rules with a command that is to run outside its sandbox, as the real one did:
// test/fixtures/rule-cases.json.

const JOINTS: ReadonlySet<string> = new Set(['&&', '||', ';', '|'])
const QUOTED: ReadonlySet<string> = new Set(['SingleQuoted', 'DoubleQuoted'])
/** Where a rule for a name is bound to its usual paths. */
const USUAL_DIRS = /^(?:\/usr)?\/bin\//

/** True if these rules let all of the command run unasked: plain words alone, each command by a rule. */
export function codexAdmits(rules: readonly string[], command: string): boolean {
  const script = scriptOf(command)
  if (script === null || script.comment || /[\r~]/.test(command)) return false
  if ([...script.joints].some((joint) => !JOINTS.has(joint))) return false
  const prefixes = rules.flatMap((rule) => {
    const list = /^prefix_rule\(\s*pattern\s*=\s*(\[.*\])\s*,\s*decision\s*=\s*"allow"\s*,?\s*\)$/.exec(rule)?.[1]
    return list === undefined ? [] : [wordsOf(list)]
  })
  return (
    script.segments.length > 0 &&
    script.segments.every(({ words, redirects, assigns }) => {
      if (redirects.length > 0 || assigns.length > 0 || words.length === 0) return false
      if (words.some(({ parts }, i) => [...parts].some((part) => i === 0 || !QUOTED.has(part)))) return false
      const values = words.map(({ value }, i) => (i === 0 ? value.replace(USUAL_DIRS, '') : value))
      return prefixes.some(
        (prefix) => prefix.length > 0 && prefix.every((options, i) => options.includes(values[i] ?? '')),
      )
    })
  )
}

/** Each word, or the words that may stand in its place. */
function wordsOf(list: string): string[][] {
  try {
    const words: unknown = JSON.parse(list.replace(/,\s*\]/g, ']'))
    return Array.isArray(words) ? words.map((word) => (Array.isArray(word) ? word : [word]).map(String)) : []
  } catch {
    return []
  }
}
