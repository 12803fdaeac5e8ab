import path from 'node:path'
import type { Parts } from './parts.ts'
import type { PluginFile } from './plugins/described.ts'
import type { LoadedPlugins } from './plugins/load.ts'
import type { TriedCheck } from './plugins/trial.ts'
import type { Settings } from './settings/settings.ts'
import type { Env } from './sources/source.ts'
import type { Finding } from './store/store.ts'

export interface AddedSources {
  /** The plugins that the settings name; null if there are none. */
  loaded(): Promise<LoadedPlugins | null>
  /** Tries a module as a source; in words, why it cannot be tried. */
  try(file: string): Promise<readonly TriedCheck[] | string>
  findings(): Promise<readonly Finding[]>
}

export function addedSources(parts: Parts): AddedSources {
  return {
    loaded: () => pluginsOf(parts),
    try: (file) => trySource(parts, file),
    findings: () => pluginFindings(parts),
  }
}

/** The plugins that the settings name, loaded; none in a group, whose files are somebody else's. */
export async function pluginsOf({ settings, env, pluginThread }: Parts): Promise<LoadedPlugins | null> {
  if (settings.plugins.size === 0 || settings.group !== undefined || pluginThread === undefined) return null
  const { loadPlugins } = await import('./plugins/load.ts')
  const files = pluginFiles(settings, env)
  return loadPlugins(files, { entry: pluginThread, env, rootsFor: (name) => settings.roots.get(name) ?? null })
}

/** Tries a module as a source; in words, why it cannot be tried. */
async function trySource({ pluginThread: entry, env }: Parts, file: string): Promise<readonly TriedCheck[] | string> {
  if (entry === undefined) throw new Error('this product was made without plugins')
  const { testPlugin } = await import('./plugins/load.ts')
  return testPlugin(file, { entry, env, rootsFor: () => null })
}

async function pluginFindings(parts: Parts): Promise<Finding[]> {
  return ((await pluginsOf(parts))?.failed ?? []).map(({ name, file, message }) => ({
    id: 'plugin',
    level: 'warn',
    message: `the plugin ${name} cannot be used: ${message}`,
    remedy: `\`recall source test ${file}\` tries it`,
  }))
}

/** Paths are meant from where the config file lies. */
function pluginFiles({ plugins, configPath }: Settings, env: Env): PluginFile[] {
  return [...plugins].map(([name, file]) => ({
    name,
    file: path.resolve(path.dirname(configPath), file.replace(/^~(?=[\\/])/, env['HOME'] ?? '~')),
  }))
}
