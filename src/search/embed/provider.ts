/** What the user has set about models, and where models and their packages lie. */
export interface EmbedConfig {
  readonly provider: string
  readonly model: string | null
  readonly url: string | null
  readonly key: string | null
  /** `<data>/models`: directories of models, and packages in `node_modules`. */
  readonly modelsDir: string
  /** A model whose files are not there may be fetched. */
  readonly allowDownload: boolean
  readonly onNote?: (text: string) => void
}

/** A model that is ready. Equal texts give equal vectors. */
export interface Embedder {
  /** What its vectors are kept under: vectors of different models are never compared. */
  readonly model: string
  /** Null until it has been asked for the first time. */
  readonly dimensions: number | null
  /** How many texts are best given at once. */
  readonly batch: number
  /** `hurried`: somebody waits who can do without; what fails is not tried again. */
  embed(texts: readonly string[], hurried?: boolean): Promise<Float32Array[]>
  close(): Promise<void>
}

/** A way to turn texts into vectors. */
export interface Provider {
  readonly name: string
  /** What it is asked goes over a network. */
  readonly remote: boolean
  /** Null if it can be opened; else what is missing. Looks, and loads nothing. */
  missing(config: EmbedConfig): string | null
  /** How to get what is missing. */
  hint(config: EmbedConfig): string
  open(config: EmbedConfig): Promise<Embedder>
}
