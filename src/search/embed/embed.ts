import { setImmediate } from 'node:timers/promises'
import { piecesOf } from '../../model/embeddable.ts'
import type { Unembedded, VectorStatus, Vectors } from '../../store/vectors.ts'
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
    for (const texts of batchesOf(page, embedder.batch)) {
      const pieces = texts.map(({ text }) => piecesOf(text))
      const made = await embedder.embed(pieces.flat())
      let at = 0
      const embedded = texts.map(({ hash }, i) => {
        return { hash, vectors: made.slice(at, (at += pieces[i]?.length ?? 0)) }
      })
      await vectors.save(
        embedder.model,
        embedded.filter(({ vectors: own }, i) => own.length === pieces[i]?.length),
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

/** Texts that together have about so many pieces. */
function* batchesOf(page: readonly Unembedded[], most: number): Generator<Unembedded[]> {
  let batch: Unembedded[] = []
  let pieces = 0
  for (const text of page) {
    batch.push(text)
    pieces += piecesOf(text.text).length
    if (pieces < most) continue
    yield batch
    batch = []
    pieces = 0
  }
  if (batch.length > 0) yield batch
}
