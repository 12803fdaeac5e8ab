/**
 * Whether two errors are the same, judged without anything of `src/`: by the lines that few errors have, and by the names
 * of what is missing, undefined or wrong.
 */

/** A line that so large a share of all errors has says nothing about any of them. */
const COMMON = 0.04
const NAMES = [
  /(?:No module named|cannot find module|module not found[^'"]*|could not resolve|unable to resolve)[ :]*['"`]?([^\s'"`,;)]+)/gi,
  /cannot import name ['"]?(\w+)/gi,
  /(?:undefined: |undefined symbol:? |undeclared name: )['"`]?([\w.]+)/gi,
  /(?:name|variable|module|symbol) ['"`](\w+)['"`] (?:is not defined|is not exported|has no)/gi,
  /(\w+) is not defined/gi,
  /(?:KeyError|NameError|AttributeError): (.{1,120})/g,
  /(?:bash|sh|zsh)?[^:\n]*: (?:line #: )?([\w./-]+): command not found/gi,
  /command not found: ([\w./-]+)/gi,
  /unknown (?:flag|option|command|shorthand flag)[: ]+['"`]?([\w-]+)/gi,
  /\berror (TS#?\d+|E\d{4})/g,
  /--- FAIL: (\w+)/g,
  /No such file or directory[^'"\n]*['"]([^'"\n]+)['"]/gi,
]

/** @param {string} asked @param {string} met @param {readonly string[]} all every error that is known */
export function isSameError(asked, met, all) {
  const common = commonLines(all)
  const [one, other] = [asked, met].map((text) => linesOf(text).filter((line) => !common.has(line)))
  const shared = one.filter((line) => other.includes(line) || other.some((longer) => contains(longer, line)))
  const back = other.filter((line) => one.some((longer) => contains(longer, line)))
  if (one.length > 0 && other.length > 0 && shared.length + back.length === 0) return false
  if ((one.length === 0) !== (other.length === 0)) return false
  return NAMES.every((pattern) => {
    const [names, others] = [asked, met].map(
      (text) => new Set(Array.from(plain(text).matchAll(pattern), ([, name = '']) => baseOf(name))),
    )
    return names.size === 0 || others.size === 0 || [...names].some((name) => others.has(name))
  })
}

/** @param {string} longer @param {string} line */
function contains(longer, line) {
  return line.length >= 16 && longer.includes(line)
}

/** @param {string} name */
function baseOf(name) {
  return normalised(name.replace(/['"`.]+$/, '').replace(/^.*\//, ''))
}

/** @param {string} text */
function plain(text) {
  // oxlint-disable-next-line no-control-regex -- colours of terminals
  return text.replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
}

/** Numbers, paths and hexadecimal ids taken out. @param {string} text */
function normalised(text) {
  return text
    .replace(/(?:[\w.@~-]*\/)+[\w.@+-]*/g, 'PATH')
    .replace(/\b(?:0x)?(?=[a-f]*\d)[0-9a-f]{6,}\b/gi, '0')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Lines that say something: with at least two words. @param {string} text */
function linesOf(text) {
  const lines = plain(text)
    .replace(/<\/?tool_use_error>/g, '')
    .split(/[\n\r]/)
  return [...new Set(lines.map(normalised))].filter(
    (line) => !line.startsWith('Exit code') && (line.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2,
  )
}

/** @type {{ all: readonly string[], lines: Set<string> } | null} */
let known = null

/** @param {readonly string[]} all */
function commonLines(all) {
  if (known?.all === all) return known.lines
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const text of all) for (const line of linesOf(text)) counts.set(line, (counts.get(line) ?? 0) + 1)
  const least = Math.max(3, all.length * COMMON)
  // A message that stands alone is what it says, however often.
  const alone = new Set(all.map(linesOf).flatMap((lines) => (lines.length === 1 ? lines : [])))
  const lines = new Set([...counts].flatMap(([line, count]) => (count >= least && !alone.has(line) ? [line] : [])))
  known = { all, lines }
  return lines
}
