import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../model/errors.ts'
import { fetchModel } from './download.ts'
import { hasPackage, installHint, loadPackage } from './packages.ts'
import type { EmbedConfig, Embedder, Provider } from './provider.ts'
import { tokenIds, vocabularyOfJson, vocabularyOfLines, type WordPiece } from './wordpiece.ts'

const RUNTIME = 'onnxruntime-node'
const DEFAULT_MODEL = 'all-MiniLM-L6-v2'
const MOST_TOKENS = 256

interface Tensor {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}
interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>>
  release?(): Promise<void>
}
interface Runtime {
  readonly InferenceSession: { create(file: string): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

/** A BERT-like sentence model in a directory: `model.onnx` and `vocab.txt` or `tokenizer.json`. Mean of the tokens. */
export const onnx: Provider = {
  name: 'onnx',
  remote: false,
  missing(config) {
    const files = missingFiles(modelDir(config))
    const canFetch = config.allowDownload && isDefault(config)
    if (files !== null && !canFetch) return files
    return hasPackage(config.modelsDir, RUNTIME) ? null : `not installed: ${RUNTIME}`
  },
  hint(config) {
    const install = `ONNXRUNTIME_NODE_INSTALL=skip ${installHint(config.modelsDir, [RUNTIME])}`
    const files = `put model.onnx and vocab.txt into ${modelDir(config)}, or let --allow-download fetch them (90 MB)`
    return `${install}; ${files}`
  },
  async open(config): Promise<Embedder> {
    const dir = modelDir(config)
    if (missingFiles(dir) !== null && config.allowDownload && isDefault(config)) await fetchModel(dir, config.onNote)
    const vocabulary = readVocabulary(dir)
    const runtime = loadPackage(config.modelsDir, RUNTIME) as unknown as Runtime
    const session = await runtime.InferenceSession.create(path.join(dir, 'model.onnx'))
    let dimensions: number | null = null
    return {
      model: path.basename(dir),
      get dimensions() {
        return dimensions
      },
      batch: 16,
      async embed(texts) {
        const vectors = await run(
          runtime,
          session,
          texts.map((text) => tokenIds(vocabulary, text, MOST_TOKENS)),
        )
        dimensions ??= vectors[0]?.length ?? null
        return vectors
      },
      close: async () => session.release?.(),
    }
  },
}

function modelDir({ model, modelsDir }: EmbedConfig): string {
  return path.resolve(modelsDir, model ?? DEFAULT_MODEL)
}

function isDefault({ model }: EmbedConfig): boolean {
  return model === null || model === DEFAULT_MODEL
}

function missingFiles(dir: string): string | null {
  const has = (name: string) => existsSync(path.join(dir, name))
  if (!has('model.onnx')) return `no model.onnx in ${dir}`
  return has('vocab.txt') || has('tokenizer.json') ? null : `no vocab.txt or tokenizer.json in ${dir}`
}

function readVocabulary(dir: string): WordPiece {
  const json = path.join(dir, 'tokenizer.json')
  const known = existsSync(json) ? vocabularyOfJson(readFileSync(json, 'utf8')) : null
  if (known !== null) return known
  const lines = path.join(dir, 'vocab.txt')
  if (existsSync(lines)) return vocabularyOfLines(readFileSync(lines, 'utf8'))
  throw new UserError(
    'NO_MODEL',
    `${json} is not a WordPiece tokenizer`,
    'use a BERT-like model, or put its vocab.txt there',
  )
}

async function run(runtime: Runtime, session: Session, ids: readonly (readonly number[])[]): Promise<Float32Array[]> {
  const width = Math.max(...ids.map((row) => row.length))
  const dims = [ids.length, width]
  const tensor = (value: (row: readonly number[], i: number) => number) =>
    new runtime.Tensor(
      'int64',
      BigInt64Array.from(ids.flatMap((row) => Array.from({ length: width }, (_, i) => BigInt(value(row, i))))),
      dims,
    )
  const feeds: Record<string, unknown> = {
    input_ids: tensor((row, i) => row[i] ?? 0),
    attention_mask: tensor((row, i) => (i < row.length ? 1 : 0)),
    token_type_ids: tensor(() => 0),
  }
  const asked = Object.fromEntries(session.inputNames.map((name) => [name, feeds[name]]))
  const results = await session.run(asked)
  const name = session.outputNames.find((output) => output === 'sentence_embedding') ?? session.outputNames[0] ?? ''
  const output = results[name]
  if (output === undefined) throw new Error('the model gave nothing')
  return ids.map((row, i) => vectorOf(output, i, row.length))
}

/** The mean over the tokens of one text, or what the model gives for the text as a whole; made unit length. */
function vectorOf({ data, dims }: Tensor, text: number, tokens: number): Float32Array {
  const size = dims.at(-1) ?? 0
  const width = dims.length === 3 ? (dims[1] ?? 1) : 1
  const sum = new Float64Array(size)
  for (let token = 0; token < (dims.length === 3 ? tokens : 1); token++) {
    const from = (text * width + token) * size
    for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + (data[from + i] ?? 0)
  }
  const length = Math.hypot(...sum) || 1
  return Float32Array.from(sum, (value) => value / length)
}
