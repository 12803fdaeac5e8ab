import { shortHash } from '../model/ids.ts'
import { withoutColours } from './colours.ts'

const LOOKED_AT = 4096
const MAX_LINES = 80
const MAX_LINE = 400
const SHAPE_LENGTH = 200

/** Lines that clients and runners put around an error. */
const FRAME =
  /^(?:$|Exit code|Chunk ID|Wall time|Process exited|Original token count|Total output lines|Output:|Command:|> |npm (?:ERR!|error) (?:A complete log|code 1$|path |errno )|\s*at |-+$|=+$|\[[\w:-]{1,60}\] (?:\$ |ERROR task failed))/
const NAMED =
  /^(?:[\w.]*(?:Error|Exception|Failure|Warning)\b|(?:\S{1,200}: )?(?:fatal |compile )?(?:error|fatal|panic)\b(?:\[\w+\]| \w+)?) ?[:!]|^(?:FAIL(?:ED)?[ \t:]+|--- FAIL: |E {3})\S|npm (?:ERR!|error) code |\S\(\d+,\d+\): error /i
const HINTED =
  /error|fail|cannot|can't|could not|couldn't|not found|denied|unable|invalid|missing|no such|unexpected|refused|time[ds]? ?out|rejected|undefined|unknown|not allowed|conflict/i

/** A line of a program that a linter or a compiler quotes: `error` is a type there. */
const CODE =
  /(?:^|\] )\s*(?:export |async |pub |public |private |static )*(?:func|def|fn|function|class|return|if|for|while|const|let|var|throw|raise|case)\b.*[{;]\s*$/

/** What a sandbox says before what the command itself printed. */
const SANDBOX =
  /^failed in sandbox \w{1,40} with execution error: sandbox denied exec error, exit code: -?\d+, stdout: /
/** The border of a box, and what stands before and after the words in it. */
const BORDER = /^[\s\u2500-\u259f|]+|[\s\u2500-\u259f|]+$/g

/** The lines at the beginning of an error message, without colours, markup and the borders of boxes. */
function linesOf(text: string, most = LOOKED_AT): string[] {
  const head = withoutColours(text.slice(0, most))
    .replace(/<\/?(?:tool_use_error|error|stderr|stdout)>/g, '')
    .replace(SANDBOX, '')
    .replace(/(^|\n|, )stderr: /, '\n')
  return head
    .split(/\r?\n|\r/, Math.ceil((most * MAX_LINES) / LOOKED_AT))
    .map((line) => line.slice(0, MAX_LINE).replace(BORDER, ''))
}

/** The lines of an error message that are its own: not what clients and runners put around it, not what has no letters. */
export function specificLines(text: string, most = LOOKED_AT): string[] {
  return linesOf(text, most).filter(isSpecific)
}

function isSpecific(line: string): boolean {
  return !FRAME.test(line) && /\p{L}{2}/u.test(line)
}

/** The line of an error message that says what went wrong, without colours and markup; empty if there is none. */
export function errorLine(text: string): string {
  const lines = linesOf(text)
  const specificLines = lines.filter(isSpecific)
  const trace = specificLines.findIndex((line) => line.startsWith('Traceback (most recent'))
  const named = trace === -1 ? specificLines.find(isNamed) : specificLines.slice(trace).findLast(isNamed)
  return (
    named ??
    specificLines.find((line) => HINTED.test(line) && !CODE.test(line)) ??
    specificLines[0] ??
    lines.find((line) => line !== '') ??
    ''
  )
}

function isNamed(line: string): boolean {
  return NAMED.test(line)
}

/** That line with all that differs from case to case taken out: times, ids, paths, quotations, numbers. */
export function errorShape(text: string): string {
  return errorLine(text)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<time>')
    .replace(/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\b/g, '<time>')
    .replace(/\bhttps?:\/\/[^\s"'<>)]{1,400}/g, '<url>')
    .replace(/"[^"]{0,300}"|`[^`]{0,300}`|(?<!\w)'[^']{0,300}'(?!\w)|[“‘][^”’]{0,300}[”’]/g, '<text>')
    .replace(/(?<![\w<])(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@+$%-]{1,100}){1,40}[\\/]?(?::\d+){0,2}/g, '<path>')
    .replace(/(?<![\w<./\\-])[\w.@-]{1,100}(?:\/[\w.@+-]{1,100}){1,40}(?::\d+){0,2}/g, '<path>')
    .replace(/(?<![\w./\\-])[\w.-]{1,100}\.[A-Za-z]{1,5}(?::\d+){1,2}/g, '<path>')
    .replace(/\b0x[0-9a-f]{1,40}\b|\b(?=[a-f]{0,12}\d)[0-9a-f]{7,64}\b/gi, '<hex>')
    .replace(/\d+(?:[.,]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .slice(0, SHAPE_LENGTH)
}

/** Equal for two messages about the same error. 16 hex digits; linear in the first 4 KB of the text. */
export function errorFingerprint(text: string): string {
  return shortHash(`error\0${errorShape(text)}`)
}
