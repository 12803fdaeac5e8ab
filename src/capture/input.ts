import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'

const SILENCE_MS = 200
const PATIENCE_MS = 1000
const NAP_MS = 5
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Standard input, without ever waiting for long: until it ends, until what came is a whole document (some agents never
 * close it), or until nothing more comes. Node's own stream is loaded only for what cannot be read without it.
 */
export async function readInput(stdin: () => Readable): Promise<string> {
  const kind = fstatSync(0)
  if (kind.isCharacterDevice()) return ''
  if (kind.isFile()) return kind.size > MAX_BYTES ? '' : readFileSync(0, 'utf8')
  const pipe = kind.isFIFO() ? openPipe() : null
  return pipe === null ? readStream(stdin()) : readPipe(pipe)
}

/** The pipe once more, in a way that reading it does not block; null where the system has no such way. */
function openPipe(): number | null {
  try {
    return openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

function readPipe(pipe: number): string {
  const chunk = Buffer.alloc(65_536)
  const chunks: Buffer[] = []
  const clock = new Int32Array(new SharedArrayBuffer(4))
  let size = 0
  let silence = 0
  let patience = 0
  while (silence < SILENCE_MS && patience < PATIENCE_MS && size <= MAX_BYTES) {
    const count = readSome(pipe, chunk)
    if (count === 0) break
    if (count === null) {
      Atomics.wait(clock, 0, 0, NAP_MS)
      silence += NAP_MS
      patience += NAP_MS
      continue
    }
    chunks.push(Buffer.from(chunk.subarray(0, count)))
    size += count
    silence = 0
    if (count < chunk.length && isWhole(Buffer.concat(chunks).toString())) break
  }
  closeSync(pipe)
  return Buffer.concat(chunks).toString()
}

/** Null if there is nothing yet. */
function readSome(pipe: number, chunk: Buffer): number | null {
  try {
    return readSync(pipe, chunk)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return null
    throw error
  }
}

function readStream(stdin: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const finish = () => {
      clearTimeout(patience)
      clearTimeout(silence)
      stdin.destroy()
      resolve(text)
    }
    const patience = setTimeout(finish, PATIENCE_MS)
    let silence = setTimeout(finish, SILENCE_MS)
    stdin.setEncoding('utf8')
    stdin.on('data', (chunk: string) => {
      text += chunk
      if (text.length > MAX_BYTES || isWhole(text)) return finish()
      clearTimeout(silence)
      silence = setTimeout(finish, SILENCE_MS)
    })
    stdin.on('end', finish)
    stdin.on('error', finish)
  })
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
