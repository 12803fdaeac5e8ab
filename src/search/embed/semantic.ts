import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Store } from '../../store/store.ts'
import { embedMissing, type EmbedProgress, type EmbedReport } from './embed.ts'
import type { EmbedConfig, Embedder, Provider } from './provider.ts'
import { chooseProvider } from './providers.ts'

export interface SemanticParts {
  readonly settings: Settings
  readonly reading: () => Store
  readonly now: () => number
  readonly redact: (text: string) => Promise<string>
}

export interface EmbedOptions extends EmbedProgress {
  /** A model that is not there may be fetched. */
  readonly allowDownload?: boolean
  readonly onNote?: (text: string) => void
}

/** Search by meaning: making vectors, and asking with them. Loads a model when it is first needed, and once. */
export interface Semantic {
  embed(options: EmbedOptions): Promise<EmbedReport>
  /** What a text means, if vectors are kept to compare it with; else null, or NO_MODEL if it `must`. */
  meaning(text: string, must: boolean): Promise<{ model: string; vector: Float32Array } | null>
  close(): Promise<void>
}

export function createSemantic(parts: SemanticParts): Semantic {
  let opened: Promise<Embedder> | null = null

  function open(provider: Provider, config: EmbedConfig): Promise<Embedder> {
    return (opened ??= provider.open(config))
  }

  async function vectorOf(provider: Provider, text: string): Promise<{ model: string; vector: Float32Array } | null> {
    const embedder = await open(provider, configOf(parts.settings, {}))
    if (!(await parts.reading().vectors.has(embedder.model))) return null
    const [vector] = await embedder.embed([provider.remote ? await parts.redact(text) : text])
    return vector === undefined ? null : { model: embedder.model, vector }
  }

  return {
    async embed(options) {
      const config = configOf(parts.settings, options)
      const provider = chooseProvider(config)
      if (provider instanceof UserError) throw provider
      return embedMissing(parts.reading().vectors, await open(provider, config), { ...options, now: parts.now })
    },
    async meaning(text, must) {
      const provider = chooseProvider(configOf(parts.settings, {}))
      if (!(provider instanceof UserError)) {
        const meaning = text.trim() === '' ? null : await vectorOf(provider, text.trim())
        if (meaning !== null || !must) return meaning
        const hint = 'run `recall index --embed`, or leave out --mode: search by words is complete'
        throw new UserError('NO_MODEL', `no vectors of ${(await opened)?.model ?? provider.name} are kept yet`, hint)
      }
      if (must) throw provider
      return null
    },
    async close() {
      await (await opened)?.close()
      opened = null
    },
  }
}

function configOf(settings: Settings, { allowDownload = false, onNote }: EmbedOptions): EmbedConfig {
  return {
    provider: settings.embedProvider,
    model: settings.embedModel,
    url: settings.embedUrl,
    key: settings.embedKey,
    modelsDir: path.join(settings.dataDir, 'models'),
    allowDownload,
    ...(onNote === undefined ? {} : { onNote }),
  }
}
