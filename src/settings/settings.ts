import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { TEXT_FIELDS, type TextField } from '../model/search-text.ts'
import {
  bytes,
  directories,
  directory,
  file,
  homeOf,
  number,
  numbersByName,
  oneOf,
  someOf,
  share,
  text,
  textByName,
  texts,
  type Env,
  type Kind,
} from './kinds.ts'

export type { Env } from './kinds.ts'

/** One thing that can be set: in the config file, by environment, by flag; in that order of rank, lowest first. */
export interface Setting<T> {
  /** Dotted name in the config file. A last `*` stands for names: of sources, or the user's own. */
  readonly key: string
  readonly kind: Kind<T>
  /** Environment variables, strongest first. */
  readonly env?: readonly string[]
  readonly flag?: string
  /** In words or as it would be written in the config file. */
  readonly default: string
  readonly fallback: (env: Env) => T
  readonly help: string
}

function setting<T>(row: Setting<T>): Setting<T> {
  return row
}

/** One of the knobs of the bounded tier; written in the config as it is here. */
function retention(name: string, kind: Kind<number>, written: string, help: string): Setting<number> {
  const shown = kind === bytes ? `"${written}"` : written
  return {
    key: `session_memory.retention.${name}`,
    kind,
    default: `\`${shown}\``,
    fallback: (env) => kind.read(written, env) ?? 0,
    help,
  }
}

/** THE table of settings. The config file, the environment, the flags and docs/settings.md follow from it. */
export const SETTINGS = {
  storePath: setting({
    key: 'store.db_path',
    kind: file,
    env: ['HELIX_STORE_DB', 'RECALL_STORE'],
    flag: '--store',
    default: '`$XDG_DATA_HOME/recall/recall.db`',
    fallback: (env) => path.join(dataDirOf(env), 'recall.db'),
    help: 'The database. Tool outputs (`blobs/`) and the lock lie beside it.',
  }),
  pager: setting({
    key: 'terminal.pager',
    kind: text,
    env: ['RECALL_PAGER'],
    default: '`$PAGER`, else `"less -FRX"`',
    fallback: (env) => env['PAGER'] ?? 'less -FRX',
    help: 'What long answers are read in on a terminal; `"off"` for nothing.',
  }),
  rawSoftCapBytes: retention(
    'raw_soft_cap_bytes',
    bytes,
    '4GiB',
    'Above this much raw text a sweep evicts sessions that have a digest, oldest first.',
  ),
  rawHardCapBytes: retention(
    'raw_hard_cap_bytes',
    bytes,
    '6GiB',
    'Raw text never takes more, a single session larger than this while it is read excepted. If nothing analysed is left to evict, a sweep analyses first, then drops the oldest and reports the loss.',
  ),
  rawMaxAgeDays: retention(
    'raw_max_age_days',
    number,
    '45',
    'Raw text that was read longer ago, and has a digest, is evicted whatever the space.',
  ),
  distilledCapBytes: retention(
    'distilled_cap_bytes',
    bytes,
    '1GiB',
    'Above this much of digests and signals `recall status` says so; none is ever dropped.',
  ),
  cadence: setting({
    key: 'session_memory.retention.cadence',
    kind: oneOf('daily', 'weekly', 'on-hook'),
    default: '`"daily"`',
    fallback: () => 'daily' as const,
    help: 'When sweeps run: by `recall schedule`, or started by the hooks of the agents.',
  }),
  restMinutes: setting({
    key: 'session_memory.analysis.rest_minutes',
    kind: number,
    default: '`10`',
    fallback: () => 10,
    help: 'A session is analysed when nothing was added to it for so long.',
  }),
  infraTools: setting({
    key: 'session_memory.analysis.infra_tools',
    kind: texts,
    default: 'MCP servers, to-do lists, plans',
    fallback: () => [] as readonly string[],
    help: 'Tools that count as overhead in `infra_overhead_share`. `*` stands for anything.',
  }),
  taskRefs: setting({
    key: 'session_memory.analysis.task_refs',
    kind: texts,
    default: 'keys such as `ABC-123`',
    fallback: () => [] as readonly string[],
    help: 'Regular expressions that find the task a session works on, in its branch, its first prompt and its directory.',
  }),
  hubUrl: setting<string | null>({
    key: 'hub.url',
    kind: text,
    default: 'none',
    fallback: () => null,
    help: 'A server that notes, digests and decisions are posted to as they are written to `hub/`: `<url>/notes`, `/digests`, `/decisions`.',
  }),
  plugins: setting({
    key: 'sources.plugins',
    kind: textByName,
    default: 'none',
    fallback: () => new Map() as ReadonlyMap<string, string>,
    help: 'Other agents: `[sources.plugins]`, then `name = "~/my-source.mjs"`, a module that reads them: docs/adding.md.',
  }),
  redactionRules: setting({
    key: 'redaction.rules',
    kind: textByName,
    default: 'none',
    fallback: () => new Map() as ReadonlyMap<string, string>,
    help: 'Secrets of your own: `[redaction.rules]`, then `name = "regular expression"`. It must begin with at least three plain characters.',
  }),
  redactionAllow: setting({
    key: 'redaction.allow',
    kind: texts,
    default: '`[]`',
    fallback: () => [] as readonly string[],
    help: 'Texts that look like secrets and are none.',
  }),
  searchMode: setting({
    key: 'search.mode',
    kind: oneOf('keyword', 'hybrid'),
    env: ['RECALL_SEARCH_MODE'],
    default: '`"keyword"`',
    fallback: () => 'keyword' as const,
    help: 'What `recall search` does without `--mode`. `hybrid` also looks for the meaning, where there are vectors: see docs/semantic.md.',
  }),
  searchAlpha: setting({
    key: 'search.alpha',
    kind: share,
    env: ['RECALL_SEARCH_ALPHA'],
    default: '`0.7`',
    fallback: () => 0.7,
    help: 'How much meaning weighs in a hybrid search where words find next to nothing; elsewhere it weighs the rest.',
  }),
  embedProvider: setting({
    key: 'embed.provider',
    kind: oneOf('auto', 'use-lite', 'onnx', 'http'),
    env: ['RECALL_EMBED_PROVIDER'],
    default: '`"auto"`',
    fallback: () => 'auto' as const,
    help: 'Where vectors come from. `auto` takes `http` if a url is set, else `onnx` if a model is there, else `use-lite` if it is installed.',
  }),
  embedModel: setting<string | null>({
    key: 'embed.model',
    kind: text,
    env: ['RECALL_EMBED_MODEL'],
    default: '`all-MiniLM-L6-v2` for `onnx`',
    fallback: () => null,
    help: 'For `onnx`: a directory, by its path or its name in `models/` in the data directory. For `http`: the name to ask for.',
  }),
  embedUrl: setting<string | null>({
    key: 'embed.url',
    kind: text,
    env: ['RECALL_EMBED_URL'],
    default: 'none',
    fallback: () => null,
    help: 'A server that answers `POST /v1/embeddings`. Nothing is sent anywhere unless this is set; then texts are, as they are stored: redacted.',
  }),
  embedKey: setting<string | null>({
    key: 'embed.key',
    kind: text,
    env: ['RECALL_EMBED_KEY'],
    default: 'none',
    fallback: () => null,
    help: 'A key for that server. Better in the environment than in a file.',
  }),
  ftsFields: setting({
    key: 'fts.fields',
    kind: someOf(...TEXT_FIELDS),
    env: ['RECALL_FTS_FIELDS'],
    default: '`["content", "thinking", "bash"]`',
    fallback: () => TEXT_FIELDS as readonly TextField[],
    help: 'What search finds, beside titles: prompts, answers and errors; thinking; commands and the files they name. After a change the next `recall index` makes what is stored findable anew.',
  }),
  journalDir: setting<string | null>({
    key: 'time.journal_dir',
    kind: directory,
    default: '`time-metrics` beside the store',
    fallback: () => null,
    help: 'Where the journals of sessions, tasks and claims are kept, e.g. `"~/.claude/memory/time-metrics"`.',
  }),
  groupsRoot: setting({
    key: 'groups.root',
    kind: directory,
    default: 'the data directory',
    fallback: (env) => dataDirOf(env),
    help: 'Where groups live: `data/sessions/`, `data/ipc/` and `groups/` in it. See docs/groups.md.',
  }),
  groupsDb: setting({
    key: 'groups.db_path',
    kind: file,
    default: '`$XDG_DATA_HOME/recall/groups.db`',
    fallback: (env) => path.join(dataDirOf(env), 'groups.db'),
    help: 'The database with the tables `sessions` and `session_history` of all groups.',
  }),
  assistantName: setting({
    key: 'groups.assistant_name',
    kind: text,
    default: '`"G2"`',
    fallback: () => 'G2',
    help: 'What the agent is called in the archives of groups.',
  }),
  prices: setting({
    key: 'prices',
    kind: numbersByName,
    default: 'the list that comes with the program',
    fallback: () => new Map() as ReadonlyMap<string, Readonly<Record<string, number>>>,
    help: 'Prices of your own, USD for a million tokens: `[prices."model-name"]`, then `input`, `output`, and if they differ `cache_read`, `cache_write_5m`, `cache_write_1h`.',
  }),
  domains: setting({
    key: 'domains',
    kind: textByName,
    default: 'none',
    fallback: () => new Map(),
    help: 'Which domain a session belongs to, by the name of its repository or by a part of its path: `[domains]`, then `name = "domain"`.',
  }),
} as const

/** Settings that each source has: `[sources.<name>]`. */
export const SOURCE_SETTINGS = {
  roots: setting<readonly string[] | null>({
    key: 'sources.*.roots',
    kind: directories,
    default: 'where the agent keeps its sessions',
    fallback: () => null,
    help: 'Directories to look in for sessions of one agent, instead of its own. An empty list means: read nothing of it.',
  }),
} as const

type Table = typeof SETTINGS
type Values = { readonly [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never }

export interface Settings extends Values {
  /** Configured roots by source name; absent where the agent's own apply. */
  readonly roots: ReadonlyMap<string, readonly string[]>
  readonly configPath: string
  readonly dataDir: string
  /** Whose memory this is, if it is a group's. */
  readonly group?: string
}

export interface SettingsInput {
  readonly env: Env
  /** Parsed config file, or null if there is none. */
  readonly config: unknown
  readonly configPath: string
  readonly sourceNames: readonly string[]
  /** Flags that were given, as typed, e.g. `--store`. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

export function configPathOf(env: Env): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(homeOf(env), '.config'), 'recall', 'config.toml')
}

export function dataDirOf(env: Env): string {
  return path.join(env['XDG_DATA_HOME'] || path.join(homeOf(env), '.local', 'share'), 'recall')
}

/** Settings from all their sources. A key that means nothing is an error that names it. */
export function resolveSettings(input: SettingsInput): Settings {
  const { env, configPath, sourceNames } = input
  const named = [...sourceNames, ...pluginNames(input)]
  const sourceKeys = named.map((name) => SOURCE_SETTINGS.roots.key.replace('*', name))
  const known = [...Object.values(SETTINGS).map((row) => row.key), ...sourceKeys]
  const values = leaves(input.config, '', new Set(known))
  const strange = [...values.keys()].filter((key) => !known.includes(key))
  if (strange.length > 0) throw unknownKeys(strange, known, configPath)
  const roots = new Map<string, readonly string[]>()
  for (const name of named) {
    const key = SOURCE_SETTINGS.roots.key.replace('*', name)
    const given = values.get(key)
    if (given !== undefined)
      roots.set(name, readValue({ ...SOURCE_SETTINGS.roots, key }, given, input, configPath) ?? [])
  }
  const resolved = Object.entries(SETTINGS).map(([name, row]) => [
    name,
    resolve(row as Setting<unknown>, values, input),
  ])
  const settings = Object.fromEntries(resolved) as Values
  const isSoftGiven = values.has(SETTINGS.rawSoftCapBytes.key)
  if (isSoftGiven && settings.rawSoftCapBytes > settings.rawHardCapBytes) {
    const message = `raw_soft_cap_bytes is above raw_hard_cap_bytes in ${configPath}`
    throw new UserError('BAD_CONFIG', message, 'the hard cap is the ceiling: lower the one or raise the other')
  }
  const rawSoftCapBytes = Math.min(settings.rawSoftCapBytes, settings.rawHardCapBytes)
  return { ...settings, rawSoftCapBytes, roots, configPath, dataDir: dataDirOf(env) }
}

/** Plugins have settings of a source, too. One that takes the name of an agent is an error. */
function pluginNames({ config, sourceNames, configPath }: SettingsInput): string[] {
  const given = leavesOf(config).get(SETTINGS.plugins.key)
  const names = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : []
  const wrong = names.find(
    (name) => sourceNames.includes(name) || name === 'plugins' || !/^[a-z][a-z0-9_-]{0,39}$/.test(name),
  )
  if (wrong === undefined) return names
  const hint = 'small letters, digits, - and _, and not the name of an agent'
  throw new UserError('BAD_CONFIG', `no plugin can be called ${JSON.stringify(wrong)} in ${configPath}`, hint)
}

function resolve<T>(row: Setting<T>, values: ReadonlyMap<string, unknown>, input: SettingsInput): T {
  const flag = row.flag === undefined ? undefined : input.flags[row.flag]
  if (row.flag !== undefined && flag !== undefined) return readValue(row, flag, input, row.flag)
  for (const name of row.env ?? []) if (input.env[name]) return readValue(row, input.env[name], input, name)
  const given = values.get(row.key)
  return given === undefined ? row.fallback(input.env) : readValue(row, given, input, input.configPath)
}

function readValue<T>(row: Setting<T>, given: unknown, input: SettingsInput, where: string): T {
  const value = row.kind.read(given, input.env)
  if (value !== undefined) return value
  const message = `${row.key} in ${where} must be ${row.kind.expected}`
  throw new UserError('BAD_CONFIG', message, `write ${row.key.split('.').at(-1)} = ${row.kind.example}`)
}

/** What a parsed config file says, by the names of settings. */
export function leavesOf(config: unknown): Map<string, unknown> {
  return leaves(config, '', new Set(Object.values(SETTINGS).map((row) => row.key)))
}

/** Leaves of the config by dotted name. A list is a leaf, and so is whatever stands under a known name. */
function leaves(value: unknown, prefix: string, known: ReadonlySet<string>): Map<string, unknown> {
  const found = new Map<string, unknown>()
  if (typeof value !== 'object' || value === null) return found
  for (const [name, inner] of Object.entries(value)) {
    const key = prefix === '' ? name : `${prefix}.${name}`
    const isTable = typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !known.has(key)
    if (!isTable) found.set(key, inner)
    else for (const [leaf, leafValue] of leaves(inner, key, known)) found.set(leaf, leafValue)
  }
  return found
}

function unknownKeys(keys: readonly string[], known: readonly string[], configPath: string): UserError {
  const key = keys[0] ?? ''
  const last = key.split('.').at(-1) ?? key
  const near =
    known.find((name) => name.endsWith(`.${last}`)) ?? known.find((name) => name.split('.')[0] === key.split('.')[0])
  const hint = near ? `did you mean ${near}? \`docs/settings.md\` lists them all` : `settings are: ${known.join(', ')}`
  const what = keys.length === 1 ? `unknown setting ${key}` : `unknown settings ${keys.join(', ')}`
  return new UserError('BAD_CONFIG', `${what} in ${configPath}`, hint)
}
