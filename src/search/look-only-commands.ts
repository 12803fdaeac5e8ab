import { basename, commandsIn, subcommandIndex } from '../distill/shell.ts'

/** Programs that only look, prepare or print. */
const LOOKS: ReadonlySet<string> = new Set(
  (
    'ls ll cat cd pwd echo printf head tail wc which whereis type true false sleep grep egrep rg ag find fd tree stat file ' +
    'less more nl sed awk cut sort uniq tr tee xargs export set unset source pushd popd wait clear date env whoami test [ cmp diff'
  ).split(' '),
)
const LOOKING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['status', 'diff', 'log', 'show', 'branch', 'rev-parse', 'ls-files', 'blame', 'remote', 'config'])],
])
/** Look as a rule, but can change files. */
const CHANGES: ReadonlyMap<string, RegExp> = new Map([
  ['sed', /^(?:-\w*i|--in-place)/],
  ['find', /^-(?:delete|exec)/],
])

const NOTHING: ReadonlySet<string> = new Set()

/** A command line and the simple commands in it. */
export interface CommandLine {
  readonly text: string
  readonly all: readonly (readonly string[])[]
  /** Those that do more than look; all of them if none does. */
  readonly acting: readonly (readonly string[])[]
}

export function readCommand(text: string): CommandLine {
  const all = commandsIn(text)
  const acting = all.filter((words) => !looksOnly(words, NOTHING))
  return { text, all, acting: acting.length > 0 ? acting : all }
}

/** True for a command line that only looks around, unless the words of a task name what it runs. */
export function isLookOnly({ all }: CommandLine, task: string): boolean {
  const asked = task === '' ? NOTHING : new Set(task.toLowerCase().split(/[^\p{L}\p{N}_-]+/u))
  return all.length > 0 && all.every((words) => looksOnly(words, asked))
}

function looksOnly(words: readonly string[], asked: ReadonlySet<string>): boolean {
  const name = basename(words[0] ?? '')
  const sub = words[subcommandIndex(words)] ?? ''
  const looking = LOOKING.get(name)
  if (looking !== undefined) return looking.has(sub) && !(asked.has(name) && asked.has(sub))
  if (!LOOKS.has(name) || asked.has(name)) return false
  const changes = CHANGES.get(name)
  return changes === undefined || !words.some((word) => changes.test(word))
}
