import { wordStem } from './snippet.ts'
import { STOP_WORDS } from './stop-words.ts'
import { holdsStem } from './term-weights.ts'

/** What people ask to be done, and the words of programs for it. A word may belong to several. */
const DEEDS = `
create new add make open init generate regenerate write file scaffold
delete remove rm drop clear clean prune purge uninstall destroy
list ls show
show view get display print describe inspect see status read
log logs tail follow
find search look see which where analyze
count wc
run execute start launch up serve test
stop kill down terminate disable off
enable on activate
restart reload reboot
install setup sync ci add
update upgrade bump
build compile bundle generate transpile
undo revert reset rollback
restore import load pop
copy clone rsync scp upload sync
move mv rename
backup back dump export save archive
publish push release deploy ship upload
format fmt prettify prettier
check verify validate test lint typecheck
measure profile analyze explain benchmark
convert transform make encode transcode
download fetch pull curl wget clone
fix repair correct
minify compress optimize shrink
`
/** Short and long for the same thing. */
const THINGS = `
pr pull pulls request
repo repository
gh github
db database
deps dependency dependencies
venv virtualenv virtual environment
env environment
config configuration settings
docs documentation
dir directory folder
k8s kubernetes kubectl
typecheck types tsc
postgres postgresql pg psql
lint linter eslint
fmt format formatter
prod production
dev development
container docker
version tag
img image
coverage coverprofile cover
size big large
`

/** What a word of a task may be called where it is done counts so much against the word itself. */
const OTHER_NAME = 0.8

const deeds = groupsOf(DEEDS)
const things = groupsOf(THINGS)

function groupsOf(table: string): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>()
  for (const line of table.trim().split('\n')) {
    const words = line.split(' ')
    for (const word of words) {
      const known = groups.get(word) ?? new Set()
      for (const other of words) if (other !== word) known.add(other)
      groups.set(word, known)
    }
  }
  return groups
}

/** Other words for the same deed or thing, small letters. */
export function otherNames(word: string): readonly string[] {
  return [...(deeds.get(word) ?? []), ...(things.get(word) ?? [])]
}

/** Deeds as things: `deployment`, `migration`. */
const NOUN = /(?<=[a-z]{4})(?:ments?|ations?|ions?)$/
const LONGEST_ENDING = 4

/** How far a text holds a word of a task: whole, in another form or under another name, or not at all. */
export function holdsWord(words: ReadonlySet<string>, word: { readonly text: string; readonly stem: string }): number {
  if (holdsStem(words, word.stem)) return 1
  const root = word.text.replace(NOUN, '')
  const isForm = (other: string) =>
    (root.length >= 4 && other.startsWith(root) && other.length - root.length <= LONGEST_ENDING) ||
    (word.stem.length >= 4 && other.endsWith(word.stem))
  const isOther = (name: string) => words.has(name) || (name.length > 4 && holdsStem(words, wordStem(name)))
  return [...words].some(isForm) || otherNames(word.text).some(isOther) ? OTHER_NAME : 0
}

/** The words of a text that tell something. */
export function contentWords(words: ReadonlySet<string>): string[] {
  return [...words].filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !/^\d+$/.test(word))
}

/** True for a word that says what is done. */
export function isDeed(word: string): boolean {
  return deeds.has(word)
}

/** True if two deeds may be the same. */
export function isSameDeed(one: string, other: string): boolean {
  return one === other || (deeds.get(one)?.has(other) ?? false)
}
