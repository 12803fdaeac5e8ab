import type { DigestEvent } from '../model/digest.ts'
import { basename, commandsIn } from './shell.ts'

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
    'ls-files ls-remote remote branch audit whoami stop down rm kill prune help --version --help version',
)

/** True if it tells something of the work that this command failed or did not. */
export function isTelling({ base, sub, text }: DigestEvent): boolean {
  if (base === null || text === null) return false
  const parsed = commandsIn(text)
  const commands = parsed.length > 0 ? parsed : [sub === null ? [base] : [base, sub]]
  return commands.some(([name = '', ...args]) => {
    if (LOOKS.has(basename(name))) return false
    return !args.slice(0, 2).some((arg) => LOOKING.has(arg))
  })
}

const UNDOES =
  /\s--(?:abort|rollback|undo)\b|\bgit (?:reset --hard|checkout (?:-- )?\.(?:\s|$)|restore (?:--\S+ )*\.(?:\s|$))|\b(?:rollout undo|rollback)\b/

/** True for a command that takes work back. */
export function undoes(command: string): boolean {
  return UNDOES.test(command)
}

/** The program is not there: nothing ran. */
export function isMissing(failure: string): boolean {
  return /command not found|: not found\s*$|is not recognized as|executable file not found/im.test(
    failure.slice(0, 400),
  )
}

/** Broken off from outside, by a limit of time or a signal, which says nothing of the work. */
export function isKilled(failure: string): boolean {
  return /^(?:exit(?: code)?:? )?(?:124|130|137|143)\b/im.test(failure.slice(0, 200))
}

/** A text for people, which no test and no build reads. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc)$|(?:^|\/)(?:changelog|readme|license|notice|authors)$/i.test(path)
}
