import { readFileSync } from 'node:fs'
import { UserError } from '../model/errors.ts'
import { configPathOf, resolveSettings, type Env, type Settings, type SettingsInput } from './settings.ts'

/** Reads the config file, if there is one, and resolves all settings. */
export async function loadSettings(
  env: Env,
  sourceNames: readonly string[],
  flags: SettingsInput['flags'],
): Promise<Settings> {
  const configPath = configPathOf(env)
  const config = await readConfig(configPath)
  return resolveSettings({ env, config, configPath, sourceNames, flags })
}

async function readConfig(file: string): Promise<unknown> {
  const text = configText(file)
  return text === null ? null : parseConfig(await import('smol-toml'), text, file)
}

/** Null if there is none. */
export function configText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('BAD_CONFIG', `cannot read ${file} (${reason})`, 'make it readable or move it away', error)
  }
}

/** With the parser at hand. */
export function parseConfig({ parse, TomlError }: typeof import('smol-toml'), text: string, file: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const message = `${file}, line ${error.line}: ${error.message.split('\n')[0]}`
    throw new UserError('BAD_CONFIG', message, 'it must be TOML: https://toml.io', error)
  }
}
