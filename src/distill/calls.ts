import { shortHash } from '../model/ids.ts'
import { oneLine } from '../model/text.ts'
import { basename, commandsIn, subcommandIndex } from './shell.ts'

type Family = 'shell' | 'edit' | 'write' | 'read' | 'search' | 'list' | 'fetch' | 'web' | 'agent' | 'plan' | 'todos'
type Fields = Readonly<Record<string, unknown>>

/** What the tools of all agents do, by their names in small letters without signs. */
const FAMILIES: readonly (readonly [Family, names: string])[] = [
  ['shell', 'bash shell shellcommand execcommand localshell localshellcall unifiedexec containerexec'],
  ['shell', 'runterminalcmd runterminalcommand runshellcommand executecommand'],
  ['edit', 'edit multiedit notebookedit editnotebook editfile applypatch searchreplace replace replaceinfile'],
  ['edit', 'strreplace strreplaceeditor strreplacebasededittool insertcontent deletefile'],
  ['write', 'write writefile createfile writetofile'],
  ['read', 'read readfile readmanyfiles notebookread view viewfile viewimage'],
  ['search', 'grep grepsearch search searchfiles searchfilecontent codebasesearch ripgrep'],
  ['list', 'glob ls listdir listdirectory listfiles findfiles globfilesearch filesearch'],
  ['fetch', 'webfetch fetch fetchurl'],
  ['web', 'websearch websearchcall googlewebsearch'],
  ['agent', 'task agent spawnagent spawnsubagent subagent'],
  ['plan', 'updateplan exitplanmode'],
  ['todos', 'todo todowrite todoread writetodos taskcreate taskupdate'],
]
const FAMILY_OF: ReadonlyMap<string, Family> = new Map(
  FAMILIES.flatMap(([family, names]) => names.split(' ').map((name) => [name, family])),
)
const PATH_KEYS = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file', 'relative_workspace_path', 'file']
const TELLING_KEYS = [
  'description',
  'query',
  'question',
  'prompt',
  'subject',
  'title',
  'name',
  'url',
  'pattern',
  'message',
]
const SUMMARY_LENGTH = 120
const MAX_DEPTH = 100

const OWN_TOOLS: ReadonlySet<Family | undefined> = new Set(['edit', 'write', 'read', 'search', 'list', 'plan', 'todos'])

/** True for what an agent looks and edits with: that such a call failed is the agent's business, as a rule. */
export function isOwnTool(tool: string): boolean {
  return OWN_TOOLS.has(FAMILY_OF.get(plainName(tool)))
}

/** The command line that a call of a shell tool runs; null if the tool is another. */
export function shellCommandOf(tool: string, input: unknown): string | null {
  const fields = fieldsOf(input)
  if (familyOf(tool, fields) !== 'shell') return null
  if (typeof input === 'string') return input
  const command = fields['command'] ?? fields['cmd'] ?? fieldsOf(fields['action'])['command']
  if (typeof command === 'string') return command
  const argv = stringsIn(command)
  if (argv.length === 0) return null
  const [shell = '', flag = '', script = ''] = argv
  const runsScript = argv.length === 3 && /(?:^|\/)(?:ba|z|da|k)?sh$/.test(shell) && /^-[a-z]*c$/.test(flag)
  return runsScript ? script : argv.map(quoted).join(' ')
}

/** Kind of a call by itself. Whether it is a retry shows only beside the calls before it. */
export function classifyCall(tool: string, input: unknown, command: string | null): 'edit' | 'test_run' | 'tool_call' {
  const commands = command === null ? [] : commandsIn(command)
  if (commands.some(runsTests)) return 'test_run'
  const family = familyOf(tool, fieldsOf(input))
  if (family === 'edit' || family === 'write') return 'edit'
  const patches = commands.some(([name = '']) => /^apply_?patch$/.test(basename(name)))
  const longPatch = command !== null && /^\s*apply_?patch\s/.test(command)
  return patches || longPatch ? 'edit' : 'tool_call'
}

/** What the call did, for people: one line of at most 120 characters. */
export function summarizeCall(tool: string, input: unknown, command: string | null): string {
  return oneLine(sentence(tool, input, command) || `${tool} ${mostTellingText(input, 0) ?? ''}`, SUMMARY_LENGTH)
}

/** The files that a call names in its arguments, each once. A directory to look in is none. */
export function filesOf(tool: string, input: unknown): string[] {
  const fields = fieldsOf(input)
  const family = familyOf(tool, fields)
  if (family === 'shell') return filesOfPatch(shellCommandOf(tool, input) ?? '')
  if (plainName(tool) === 'applypatch') {
    const patches = stringsIn([
      input,
      fields['input'],
      fields['patch'],
      fields['command'],
      ...listOf(fields['command']),
    ])
    return distinct(patches.flatMap(patchedPaths))
  }
  const named = [...PATH_KEYS.map((key) => fields[key]), ...listOf(fields['files']), ...listOf(fields['paths'])]
  const paths = stringsIn(named.map((value) => fieldsOf(value)['path'] ?? value)).filter((path) => path !== '')
  const looksAround = family === 'search' || family === 'list'
  return distinct(looksAround ? paths.filter((path) => /\.\w+$/.test(basename(path))) : paths)
}

/** Equal for two calls that do the same: the same command, or the same arguments in any order, to the same tool. */
export function callFingerprint(tool: string, input: unknown, command: string | null): string {
  const what = command === null ? canonical(input, 0) : command.trim().replace(/\s+/g, ' ')
  return shortHash(`${plainName(tool)}\0${what}`).slice(0, 12)
}

/** The arguments that sentences are made of, whatever each agent calls them. */
interface Said {
  readonly files: string | undefined
  readonly path: string | undefined
  readonly pattern: string | undefined
  readonly query: string | undefined
  readonly url: string | undefined
  readonly task: string | undefined
}

const SENTENCES: Readonly<Record<Exclude<Family, 'shell'>, (said: Said) => string | undefined>> = {
  edit: ({ files }) => files && `edited ${files}`,
  write: ({ files }) => files && `wrote ${files}`,
  read: ({ files }) => files && `read ${files}`,
  search: ({ pattern, path }) => pattern && `searched "${pattern}"${path ? ` in ${path}` : ''}`,
  list: ({ pattern, path }) => (pattern ? `listed ${pattern}${path ? ` in ${path}` : ''}` : `listed ${path ?? '.'}`),
  fetch: ({ url }) => url && `fetched ${url}`,
  web: ({ query, url }) => (query ? `web search "${query}"` : url && `fetched ${url}`),
  agent: ({ task }) => task && `asked subagent: ${task}`,
  plan: () => 'updated the plan',
  todos: () => 'updated the todos',
}

function sentence(tool: string, input: unknown, command: string | null): string | undefined {
  if (command !== null) {
    const patched = filesOfPatch(command)
    return patched.length > 0 ? `edited ${patched.join(', ')}` : `ran ${command}`
  }
  const server = /^(?:mcp__)?([^_].*?)__(.+)$/s.exec(tool)
  if (server !== null) return `mcp ${server[1]}/${server[2]}`
  const fields = fieldsOf(input)
  const family = familyOf(tool, fields)
  if (family === null || family === 'shell') return undefined
  const action = fieldsOf(fields['action'])
  const one = (...values: unknown[]): string | undefined => stringsIn(values)[0]
  return SENTENCES[family]({
    files: filesOf(tool, input).join(', '),
    path: one(...PATH_KEYS.map((key) => fields[key]), fields['dir_path'], fields['target_directory']),
    pattern: one(fields['pattern'], fields['glob_pattern'], fields['regex'], fields['query']),
    query: one(fields['query'], fields['q'], action['query']),
    url: one(fields['url'], action['url']),
    task: one(fields['description'], fields['prompt'], fields['message'], fields['task']),
  })
}

/** The string that says most about arguments of any shape. */
function mostTellingText(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (depth === 4) return null
  const fields = fieldsOf(value)
  const first = stringsIn([...TELLING_KEYS, ...PATH_KEYS].map((key) => fields[key]))
  for (const item of [...first, ...Object.values(fields), ...listOf(value)]) {
    const found = mostTellingText(item, depth + 1)
    if (found !== null) return found
  }
  return null
}

function filesOfPatch(command: string): string[] {
  return /apply_?patch/.test(command) ? distinct(patchedPaths(command)) : []
}

function patchedPaths(patch: string): string[] {
  const headers = patch.matchAll(/^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$/gm)
  return Array.from(headers, ([, path = '']) => path.trim())
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Programs that run tests and little else. */
const TEST_RUNNERS = words(
  'pytest py.test unittest nose nose2 nosetests tox nox behave vitest jest mocha ava tap jasmine karma wtr bats ' +
    'rspec phpunit pest paratest ctest gotestsum ginkgo cargo-nextest busted prove',
)
/** A tool and the subcommand that makes it run tests. */
const TEST_SUBCOMMANDS = new Set(
  (
    'go cargo dotnet mix swift flutter dart stack cabal bazel bazelisk buck2 meson ember ng forge hardhat truffle ' +
    'anchor terraform helm playwright react-scripts pants'
  )
    .split(' ')
    .map((tool) => `${tool} test`)
    .concat('cargo t', 'cargo nextest', 'cargo tarpaulin', 'cargo llvm-cov', 'dotnet vstest', 'cypress run'),
)
/** Tools that are told names of tasks. */
const TASK_RUNNERS = words(
  'make gmake just task rake rails invoke inv ant sbt lein turbo nx lerna mise moon poe hatch composer zig ' +
    'xcodebuild gradle gradlew mvn mvnw artisan manage.py',
)
const PACKAGE_MANAGERS = words('npm yarn pnpm bun deno')
const INTERPRETERS = /^(?:python[\d.]*|py|pypy3?|coverage|node|tsx|ts-node|ruby|perl|php)$/
/** Flags that make a test tool do something else. */
const NO_RUN = words('--help -h --version --collect-only --co --listTests --list-tests --no-run -DskipTests --dry-run')
const NOT_A_TASK = words('-C -f --file --directory -x --exclude-task -p -pl --projects -D')
const TEST_FILE =
  /^(?:run[-_]?)?tests?(?:\.|$)|^tests?_.*\.(?:py|rb)$|[-_.](?:test|spec)\.(?:py|rb|php|[cm]?[jt]sx?)$|\.test$/i

/** True if these words of one simple command run tests: not if they install, find or print what does. */
function runsTests([path = '', ...args]: readonly string[]): boolean {
  const file = basename(path)
  const name = file.replace(/(?!^)@[^@]*$|\.(?:[mc]?js|phar|exe|cmd)$/, '')
  if (args.some((arg) => NO_RUN.has(arg))) return false
  if (TEST_RUNNERS.has(name)) return true
  if (/[./]|^run/.test(path) && TEST_FILE.test(file) && !/^(?:\/usr)?\/bin\//.test(path)) return true
  const at = subcommandIndex([name, ...args])
  const verb = args[at - 1] ?? ''
  if (TEST_SUBCOMMANDS.has(`${name} ${verb}`)) return true
  if (TASK_RUNNERS.has(name)) return tasksIn(args).some((task) => namesTests(task) || isCheck(name, task))
  if (PACKAGE_MANAGERS.has(name)) return verb !== '' && packageManagerTests(name, verb, args.slice(at))
  return INTERPRETERS.test(name) && scriptTests(args)
}

function tasksIn(args: readonly string[]): string[] {
  return args.filter((arg, i) => !/^-|=|\//.test(arg) && !NOT_A_TASK.has(args[i - 1] ?? ''))
}

/** Names such as test, unit-test, test:ci, testDebug and integrationTest. */
function namesTests(task: string): boolean {
  if (task.length > 100 || /^(?:build|lint|fmt|format|clean|install|compile|setup|db)[-_:.]/.test(task)) return false
  return /(?:^|[-_:.])(?:tests?|e2e|spec)(?:[-_:.]|$)|(?:^|:)(?:test[A-Z]\w*|\w+Test)$/.test(task)
}

function isCheck(runner: string, task: string): boolean {
  return task === (runner.startsWith('mvn') ? 'verify' : 'check') && /make$|^gradle|^mvn/.test(runner)
}

function packageManagerTests(manager: string, verb: string, rest: readonly string[]): boolean {
  if (/^(?:t|tst|test(?:[-_:].*)?)$/.test(verb)) return true
  if (verb === 'workspace') return runsTests([manager, ...rest.slice(1)])
  if (!/^(?:run|run-script|task)$/.test(verb)) return manager !== 'npm' && runsTests([verb, ...rest])
  const at = subcommandIndex([manager, ...rest])
  const script = rest[at - 1] ?? ''
  return namesTests(script) || (script.includes('.') && runsTests([script]))
}

/** `node --test`, `python -m pytest`, and programs that an interpreter is given. */
function scriptTests(args: readonly string[]): boolean {
  if (args.includes('--test')) return true
  const at = args.findIndex((arg) => !arg.startsWith('-') || /^-[mcer]$/.test(arg))
  if (args[at] === '-m') return runsTests(args.slice(at + 1))
  if (args[at] === 'run') return scriptTests(args.slice(at + 1)) // coverage run
  const script = args[at] ?? ''
  return !script.startsWith('-') && /[./]|^artisan$/.test(script) && runsTests([script, ...args.slice(at + 1)])
}

function familyOf(tool: string, fields: Fields): Family | null {
  const name = plainName(tool)
  if (name.startsWith('strreplace') && fields['command'] === 'view') return 'read'
  if (name.startsWith('strreplace') && fields['command'] === 'create') return 'write'
  return FAMILY_OF.get(name) ?? null
}

/** Models make up ends of names, such as `shell<|channel|>`. */
function plainName(tool: string): string {
  return tool
    .replace(/<\|.*$/s, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function canonical(value: unknown, depth: number): string {
  if (depth === MAX_DEPTH) return '…'
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonical(item, depth + 1)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = fieldsOf(value)
  const pairs = Object.keys(fields)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(fields[key], depth + 1)}`)
  return `{${pairs.join()}}`
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function stringsIn(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
