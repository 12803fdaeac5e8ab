import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Store } from '../../store/store.ts'
import { otherLength } from '../../store/vectors.ts'
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

/** What a text means to a model. */
interface Meaning {
  readonly model: string
  readonly vector: Float32Array
}

/** Search by meaning: making vectors, and asking with them. Loads a model when it is first needed, and once. */
export interface Semantic {
  embed(options: EmbedOptions): Promise<EmbedReport>
  /**
   * What a text means, if vectors are kept to compare it with; else null, or NO_MODEL if it `must`. Null if there is no
   * text. A model that fails is an error only if it `must`, else a note.
   */
  meaning(text: string, must: boolean, onNote?: (text: string) => void): Promise<Meaning | null>
  close(): Promise<void>
}

export function createSemantic(parts: SemanticParts): Semantic {
  let opened: Promise<Embedder> | null = null

  function open(provider: Provider, config: EmbedConfig): Promise<Embedder> {
    opened ??= provider.open(config).catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }

  async function vectorOf(provider: Provider, text: string, hurried: boolean): Promise<Meaning | null> {
    const { vectors } = parts.reading()
    const embedder = await open(provider, configOf(parts.settings, {}))
    const kept = await vectors.dimensions(embedder.model)
    if (kept === null) return null
    const [vector] = await embedder.embed([provider.remote ? await parts.redact(text) : text], hurried)
    if (vector === undefined) return null
    if (vector.length !== kept) throw otherLength(embedder.model, kept, vector.length)
    return { model: embedder.model, vector }
  }

  return {
    async embed(options) {
      const config = configOf(parts.settings, options)
      const provider = chooseProvider(config)
      if (provider instanceof UserError) throw provider
      return embedMissing(parts.reading().vectors, await open(provider, config), { ...options, now: parts.now })
    },
    async meaning(text, must, onNote) {
      const asked = text.trim()
      if (asked === '') return null
      const provider = chooseProvider(configOf(parts.settings, {}))
      if (provider instanceof UserError) {
        if (must) throw provider
        return null
      }
      try {
        const meaning = await vectorOf(provider, asked, !must)
        if (meaning !== null || !must) return meaning
      } catch (error) {
        if (must || (error instanceof UserError && error.code !== 'NO_MODEL')) throw error
        onNote?.(`searched by words alone: ${error instanceof Error ? error.message : String(error)}`)
        return null
      }
      const hint = 'run `recall index --embed`, or leave out --mode: search by words is complete'
      throw new UserError('NO_MODEL', `no vectors of ${(await opened)?.model ?? provider.name} are kept yet`, hint)
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
