import { configText, parseConfig } from './load.ts'
import { leavesOf, SETTINGS, type Env, type Setting, type Settings } from './settings.ts'

export interface SettingInForce {
  readonly key: string
  /** As it would be read by a person; hidden where it is a secret. */
  readonly value: string
  readonly from: 'default' | 'config' | 'environment' | 'flag'
  /** The file or the variable that says so. */
  readonly where: string | null
  readonly help: string
}

/** Values that nobody is shown. */
const SECRET: ReadonlySet<string> = new Set([SETTINGS.embedKey.key])

/** What is in force, setting by setting, and who said so. */
export async function settingsInForce(settings: Settings, env: Env): Promise<SettingInForce[]> {
  const text = configText(settings.configPath)
  const config = text === null ? null : parseConfig(await import('smol-toml'), text, settings.configPath)
  const values = leavesOf(config)
  const rows = Object.entries(SETTINGS).map(([name, row]) => {
    const value: unknown = settings[name as keyof typeof SETTINGS]
    const shown = SECRET.has(row.key) && value !== '' ? '(hidden)' : wordsOf(value)
    return {
      key: row.key,
      value: shown,
      ...originOf(row as Setting<unknown>, value, { settings, env, values }),
      help: row.help,
    }
  })
  const roots = [...settings.roots].map(([source, dirs]) => ({
    key: `sources.${source}.roots`,
    value: dirs.join(', '),
    from: 'config' as const,
    where: settings.configPath,
    help: 'Directories to look in for its sessions.',
  }))
  return [...rows, ...roots]
}

interface Origins {
  readonly settings: Settings
  readonly env: Env
  readonly values: ReadonlyMap<string, unknown>
}

function originOf(
  row: Setting<unknown>,
  value: unknown,
  { settings, env, values }: Origins,
): Pick<SettingInForce, 'from' | 'where'> {
  const isIt = (given: unknown) => wordsOf(row.kind.read(given, env)) === wordsOf(value)
  const variable = row.env?.find((name) => env[name])
  if (variable !== undefined && isIt(env[variable])) return { from: 'environment', where: variable }
  if (variable === undefined && values.has(row.key)) return { from: 'config', where: settings.configPath }
  if (variable === undefined && wordsOf(row.fallback(env)) === wordsOf(value)) return { from: 'default', where: null }
  return { from: 'flag', where: row.flag ?? null }
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Map) return [...value].map(([name, inner]) => `${name} = ${wordsOf(inner)}`).join(', ')
  if (Array.isArray(value)) return value.map(wordsOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
