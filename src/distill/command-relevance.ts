import type { DigestEvent } from '../model/digest.ts'
import { basename, commandsIn, subcommandIndex } from './shell.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Programs that look, wait or tidy up: that one of them failed is an answer, or does not matter. */
const LOOKS = words(
  'grep egrep fgrep rg ag ack find fd ls tree cat bat head tail less sed awk cut sort uniq wc tr jq yq test [ [[ true ' +
    'false which whereis command type stat file diff cmp ps pgrep pkill kill killall lsof ss netstat du df env printenv ' +
    'pwd cd echo printf sleep wait date id whoami uname ping dig nslookup host rm mkdir touch chmod xargs tee read',
)
/** What other programs are told to do when they are only to look or to tidy up. */
const LOOKING = words(
  'view list ls ps logs log inspect images describe status show info search outdated diff blame grep rev-parse ' +
    'ls-files ls-remote remote branch audit whoami stop down rm kill prune help history top events explain --version --help version',
)

const LISTS = '--(?:list|show|print|query|status|version|help)\\b'
const MAY_LOOK = new RegExp(`\\s(?:(?:${[...LOOKING].join('|')}|get)(?:\\s|$)|${LISTS})`)
const LISTS_FIRST = new RegExp(`^${LISTS}`)
/** Tools that are told the matter first and then what to do with it. */
const NOUN_FIRST = words('gh glab tea az gcloud aws fly flyctl heroku docker podman')

/** True if it tells something of the work that this command failed or did not. */
export function isRelevant({ base, sub, text }: DigestEvent): boolean {
  if (base === null || text === null) return false
  const single = LOOKS.has(base) && !/[|;&\n(`]/.test(text)
  if (single || (!LOOKS.has(base) && !MAY_LOOK.test(text))) return !single
  const parsed = commandsIn(text)
  const first = sub === null ? [base] : [base, sub]
  return (parsed.length > 0 ? parsed : [first]).some((command) => !looks(command))
}

/** True if it tells something of the work how this line ended. */
export function isRelevantLine(command: string): boolean {
  return commandsIn(command).some((line) => !looks(line))
}

/** The name of the program and what it is told, past the options that come first. */
export function nameAndArguments(command: readonly string[]): readonly [name: string, ...args: string[]] {
  return [basename(command[0] ?? ''), ...command.slice(Math.max(1, subcommandIndex(command)))]
}

function looks(command: readonly string[]): boolean {
  const [name, ...args] = nameAndArguments(command)
  if (LOOKS.has(name) || (name === 'kubectl' && args[0] === 'get')) return true
  if (LISTS_FIRST.test(command[1] ?? '')) return true
  return (NOUN_FIRST.has(name) ? nouns(args) : args.slice(0, 1)).some((word) => LOOKING.has(word))
}

/** The first two words that are neither options nor, as far as one can tell, values of them. */
function nouns(args: readonly string[]): string[] {
  return args.filter((word, i) => !word.startsWith('-') && !/^--?[\w-]+$/.test(args[i - 1] ?? '')).slice(0, 2)
}

/** True for a command that brings work to where others see it: if it fails, all that was good before is of no use. */
export function delivers(command: string): boolean {
  return /(?<![\w-])(?:commit|push|publish|deploy|release|apply|upload|merge|rebase|submit|(?:pr|mr) create)(?![\w-])/.test(
    command,
  )
}

/** True if a prompt asks for this command by name: `push it`, and it is `git push`. */
export function isNamed(prompt: string, command: string): boolean {
  const asked = new Set(prompt.toLowerCase().split(/[^\p{L}\p{N}-]+/u))
  return commandsIn(command).some((line) =>
    nameAndArguments(line)
      .slice(0, 2)
      .some((word) => asked.has(basename(word))),
  )
}

const UNDOES =
  /\s--(?:abort|rollback|undo)\b|\bgit (?:reset --hard|checkout (?:(?:-- )?\.(?:\s|$)|-- \S)|restore (?:--\S+ )*\.(?:\s|$))|\b(?:rollout undo|rollback)\b/

/** True for a command that takes work back. */
export function undoes(command: string): boolean {
  return UNDOES.test(command)
}

/** The files or directories that a command brings back as they were committed. */
export function restoredBy(command: string): readonly string[] {
  if (!/\bgit (?:checkout|restore)\b/.test(command)) return []
  return commandsIn(command).flatMap((line) => {
    const [name, verb = '', ...args] = nameAndArguments(line)
    if (name !== 'git' || !/^(?:checkout|restore)$/.test(verb) || args.includes('-b') || args.includes('--staged'))
      return []
    return args.filter((word) => !word.startsWith('-')).map((word) => word.replace(/^\.\/|\/$/g, ''))
  })
}

const MERGES = /\bgit\b.*\b(?:merge|rebase|cherry-pick|pull|revert|am|stash (?:pop|apply))\b/s
const CONFLICTS = /^CONFLICT \(|Automatic merge failed|could not apply [0-9a-f]{5,}|^Patch failed at /m

/** A merge, a rebase or the like stopped in the middle. */
export function leavesConflict(command: string, failure: string): boolean {
  return MERGES.test(command) && CONFLICTS.test(failure)
}

/** What ends one, either way. */
export function endsMerge(command: string): boolean {
  return /\bgit\b.*(?:\bcommit\b|--(?:continue|abort|skip|quit)\b|\breset\b|\bstash drop\b)/s.test(command)
}

/** The program is not there: nothing ran. */
export function isMissing(failure: string): boolean {
  return /command not found|: not found\s*$|is not recognized as|executable file not found/im.test(
    failure.slice(0, 400),
  )
}

/** Codes of a command that a limit of time or a signal broke off. */
const BROKEN_OFF: ReadonlySet<number | undefined> = new Set([124, 130, 137, 143])

/** A failure that says nothing of the work: broken off, or there was nothing to do: what was to be made exists. */
export function isNoVerdict(failure: string, exitCode: number | undefined): boolean {
  return (
    BROKEN_OFF.has(exitCode) || /nothing to commit|working tree clean|\balready exists\b/.test(failure.slice(0, 400))
  )
}

/** A text for people, which no test and no build reads. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc)$|(?:^|\/)(?:changelog|readme|license|notice|authors)$/i.test(path)
}
