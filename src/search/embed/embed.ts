import { setImmediate } from 'node:timers/promises'
import type { VectorStatus, Vectors } from '../../store/vectors.ts'
import type { Embedder } from './provider.ts'

/** Texts that are looked up at once; they are embedded and kept a batch at a time. */
const PAGE = 512

export interface EmbedProgress {
  readonly onEmbedded?: (done: number, total: number) => void
}

export interface EmbedReport extends VectorStatus {
  /** Texts that got their vector in this run. */
  readonly added: number
  readonly seconds: number
}

/**
 * Gives every text a vector that has none yet of this model. Each batch is kept by itself: cut short, the next run goes
 * on. Holds no lock and no transaction while it computes; signals and timers have their turn between batches.
 */
export async function embedMissing(
  vectors: Vectors,
  embedder: Embedder,
  progress: EmbedProgress & { readonly now: () => number },
): Promise<EmbedReport> {
  const from = progress.now()
  await vectors.plan(embedder.model)
  const total = (await vectors.status()).left
  let added = 0
  const tried = new Set<string>()
  for (;;) {
    const page = (await vectors.missing(embedder.model, PAGE)).filter(({ hash }) => !tried.has(hash))
    if (page.length === 0) break
    for (let at = 0; at < page.length; at += embedder.batch) {
      const texts = page.slice(at, at + embedder.batch)
      const made = await embedder.embed(texts.map(({ text }) => text))
      await vectors.save(
        embedder.model,
        texts.flatMap(({ hash }, i) => (made[i] === undefined ? [] : [{ hash, vector: made[i] }])),
      )
      for (const { hash } of texts) tried.add(hash)
      added += texts.length
      progress.onEmbedded?.(added, Math.max(total, added))
      await setImmediate()
    }
  }
  await vectors.settle(embedder.model)
  return { ...(await vectors.status()), added, seconds: (progress.now() - from) / 1000 }
}
