import path from 'node:path'
import { UserError } from '../model/errors.ts'

export type Env = Readonly<Record<string, string | undefined>>

type Kind = 'path' | 'paths'

/** One thing that can be set: in the config file, by environment, by flag; in that order of rank, lowest first. */
export interface Setting {
  /** Dotted name in the config file. `*` stands for the name of a source. */
  readonly key: string
  readonly kind: Kind
  /** Environment variables, strongest first. */
  readonly env: readonly string[]
  readonly flag?: string
  readonly default: string
  readonly help: string
}

/** THE table of settings. The config file, the environment, the flags and docs/settings.md follow from it. */
export const SETTINGS: readonly Setting[] = [
  {
    key: 'store.db_path',
    kind: 'path',
    env: ['HELIX_STORE_DB', 'RECALL_STORE'],
    flag: '--store',
    default: '$XDG_DATA_HOME/recall/recall.db',
    help: 'The database. Tool outputs (`blobs/`) and the lock lie beside it.',
  },
  {
    key: 'sources.*.roots',
    kind: 'paths',
    env: [],
    default: 'where the agent keeps its sessions',
    help: 'Directories to look in for sessions of one agent, instead of its own. An empty list means: read nothing of it.',
  },
]

export interface Settings {
  readonly storePath: string
  /** Configured roots by source name; absent where the agent's own apply. */
  readonly roots: ReadonlyMap<string, readonly string[]>
  readonly configPath: string
  readonly dataDir: string
}

export interface SettingsInput {
  readonly env: Env
  /** Parsed config file, or null if there is none. */
  readonly config: unknown
  readonly configPath: string
  readonly sourceNames: readonly string[]
  readonly storeFlag?: string
}

export function configPathOf(env: Env): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(homeOf(env), '.config'), 'recall', 'config.toml')
}

export function dataDirOf(env: Env): string {
  return path.join(env['XDG_DATA_HOME'] || path.join(homeOf(env), '.local', 'share'), 'recall')
}

function homeOf(env: Env): string {
  return env['HOME'] || env['USERPROFILE'] || path.parse(process.cwd()).root
}

/** Settings from all their sources. A key that means nothing is an error that names it. */
export function resolveSettings(input: SettingsInput): Settings {
  const { env, configPath, sourceNames } = input
  const values = flatten(input.config, '')
  const known = SETTINGS.flatMap((setting) =>
    setting.key.includes('*') ? sourceNames.map((name) => setting.key.replace('*', name)) : [setting.key],
  )
  for (const key of values.keys()) if (!known.includes(key)) throw unknownKey(key, known, configPath)
  const dataDir = dataDirOf(env)
  const configured = values.get('store.db_path')
  const fromEnv = SETTINGS[0]?.env.map((name) => env[name]).find((value) => value)
  const chosen =
    input.storeFlag ??
    fromEnv ??
    (configured === undefined ? undefined : asPath(configured, 'store.db_path', configPath))
  const roots = new Map<string, string[]>()
  for (const name of sourceNames) {
    const value = values.get(`sources.${name}.roots`)
    if (value !== undefined)
      roots.set(
        name,
        asPaths(value, `sources.${name}.roots`, configPath).map((dir) => expand(dir, env)),
      )
  }
  const storePath = chosen === undefined ? path.join(dataDir, 'recall.db') : expand(chosen, env)
  return { storePath, roots, configPath, dataDir }
}

/** Leaves of the config by dotted name; a list is a leaf. */
function flatten(value: unknown, prefix: string): Map<string, unknown> {
  const leaves = new Map<string, unknown>()
  if (typeof value !== 'object' || value === null) return leaves
  for (const [name, inner] of Object.entries(value)) {
    const key = prefix === '' ? name : `${prefix}.${name}`
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      for (const [leaf, leafValue] of flatten(inner, key)) leaves.set(leaf, leafValue)
    } else leaves.set(key, inner)
  }
  return leaves
}

function unknownKey(key: string, known: readonly string[], configPath: string): UserError {
  const last = key.split('.').at(-1) ?? key
  const near =
    known.find((name) => name.endsWith(`.${last}`)) ?? known.find((name) => name.split('.')[0] === key.split('.')[0])
  const hint = near ? `did you mean ${near}? \`docs/settings.md\` lists them all` : `settings are: ${known.join(', ')}`
  return new UserError('BAD_CONFIG', `unknown setting ${key} in ${configPath}`, hint)
}

function asPath(value: unknown, key: string, configPath: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new UserError('BAD_CONFIG', `${key} in ${configPath} must be a path`, `write ${key.split('.').at(-1)} = "…"`)
}

function asPaths(value: unknown, key: string, configPath: string): string[] {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value
  throw new UserError(
    'BAD_CONFIG',
    `${key} in ${configPath} must be a list of paths`,
    `write ${key.split('.').at(-1)} = ["…"]`,
  )
}

function expand(value: string, env: Env): string {
  return path.resolve(value.replace(/^~(?=$|[\\/])/, homeOf(env)))
}
