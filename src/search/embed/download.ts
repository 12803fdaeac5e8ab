import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { UserError } from '../../model/errors.ts'
import { humanBytes } from '../../model/text.ts'

const FROM = 'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main'
const FILES = { 'vocab.txt': `${FROM}/vocab.txt`, 'model.onnx': `${FROM}/onnx/model.onnx` } as const
const TIMEOUT_MS = 30 * 60_000

/** Fetches all-MiniLM-L6-v2 (about 90 MB). A file appears under its name only when it is whole. */
export async function fetchModel(dir: string, onNote: (text: string) => void = () => {}): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  for (const [name, url] of Object.entries(FILES)) await fetchFile(url, path.join(dir, name), onNote)
}

async function fetchFile(url: string, file: string, onNote: (text: string) => void): Promise<void> {
  const partial = `${file}.part`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok || response.body === null) throw new Error(`it answered ${response.status}`)
    const bytes = Number(response.headers.get('content-length') ?? 0)
    onNote(`fetching ${url}${bytes > 0 ? ` (${humanBytes(bytes)})` : ''}`)
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), createWriteStream(partial))
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
    const hint = `fetch it elsewhere and put it at ${file}; search by words is complete without`
    throw new UserError('NO_MODEL', `cannot fetch ${url} (${reason})`, hint, error)
  }
}
