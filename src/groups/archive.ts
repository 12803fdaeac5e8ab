import type { ArchivedMessage } from '../model/group-agent.ts'
import { inert, inertLine } from '../model/inert.ts'
import type { Directory } from './directory.ts'

const LONGEST_MESSAGE = 2000
/** So much of a message is looked at for secrets: more than is kept, or half of one would be left at its end. */
const LOOKED_AT = 4096
const LONGEST_NAME = 200
const LONGEST_SLUG = 50
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export interface Archive {
  readonly name: string
  /** When it was archived. */
  readonly at: number
  readonly messages: readonly ArchivedMessage[]
  readonly assistantName: string
  readonly redact: (text: string) => string
}

/** A conversation as people and agents read it: the same bytes whenever it is written again. */
export function archiveText({ name, at, messages, assistantName, redact }: Archive): string {
  const paragraphs = messages.map(({ speaker, text }) => {
    const who = speaker === 'user' ? 'User' : inertLine(assistantName)
    return `**${who}**: ${shortened(inert(redact(text.slice(0, LOOKED_AT))), text.length > LOOKED_AT)}\n`
  })
  return [`# ${name}\n`, `Archived: ${spelled(at)}\n`, '---\n', ...paragraphs].join('\n')
}

function shortened(text: string, isMore: boolean): string {
  if (text.length <= LONGEST_MESSAGE && !isMore) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(LONGEST_MESSAGE - 1)) ? LONGEST_MESSAGE - 1 : LONGEST_MESSAGE
  return `${text.slice(0, end)}...`
}

/** What somebody calls a session, as it is kept: one line without secrets. Empty if nothing is left of it. */
export function cleanName(name: string, redact: (text: string) => string): string {
  return inertLine(redact(name.slice(0, LOOKED_AT)).replace(/\s+/g, ' '))
    .trim()
    .slice(0, LONGEST_NAME)
    .trim()
}

/** `Feb 21, 3:39 AM`, where the program runs. */
function spelled(at: number): string {
  const time = new Date(at)
  const hour = time.getHours()
  const minute = String(time.getMinutes()).padStart(2, '0')
  return `${MONTHS[time.getMonth()]} ${time.getDate()}, ${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** What a conversation that nobody named is called. */
export function fallbackName(at: number): string {
  const time = new Date(at)
  return `conversation-${two(time.getHours())}${two(time.getMinutes())}`
}

/** `2026-02-21-travel-planning`; a name that has no letter of that kind goes by `otherwise`. */
export function archiveName(name: string, at: number, otherwise: string): string {
  const time = new Date(at)
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${date}-${slug(name) || slug(otherwise) || 'conversation'}`
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
  ı: 'i',
}

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæøœđłþðı]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '')
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/**
 * Puts an archive into a directory, once: one that says the same, or the beginning of it, is replaced; any other
 * conversation of that name and day stays, and this one gets a number. Returns the name of the file.
 */
export function keepArchive(dir: Directory, stem: string, text: string): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.md`
    const before = dir.has(name) ? dir.text(name, MAX_ARCHIVE_BYTES) : undefined
    if (before === text) return name
    if (before === undefined || (before !== null && goesOn(text, before))) {
      dir.write(name, text)
      return name
    }
  }
}

/** True if a text is another with more at its end, whenever either was archived. */
function goesOn(text: string, before: string): boolean {
  const timeless = (archive: string) => archive.replace(/^Archived: .*$/m, '')
  return timeless(text).startsWith(timeless(before))
}
