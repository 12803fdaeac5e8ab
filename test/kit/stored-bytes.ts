import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { query } from './dump.ts'

/** Every file of the data directory as it is, and every chunk of the packs unpacked. */
export function bytesOf(store: string): Map<string, Buffer> {
  const dir = path.dirname(store)
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((file) => path.join(file.parentPath, file.name))
  const bytes = new Map(paths.map((file) => [path.relative(dir, file), readFileSync(file)]))
  for (const { id, pack, offset, length } of query(store, 'SELECT id, pack, offset, length FROM chunk')) {
    const packed = bytes.get(path.join('blobs', `${String(pack).padStart(6, '0')}.pack`))
    if (packed === undefined) throw new Error(`no pack ${pack}`)
    const chunk = packed.subarray(Number(offset), Number(offset) + Number(length))
    bytes.set(`chunk ${id}`, brotliDecompressSync(chunk))
  }
  return bytes
}

/** Stretches of a secret that no other text has: each of its lines, and the later half of a long one. */
function tracesOf(secret: string): string[] {
  const lines = secret.split(/\n|\\n/).filter((line) => line.length >= 6 && !/^\s*(?:\d+→)?-----|^Private/.test(line))
  return lines.flatMap((line) => [line, ...(line.length >= 24 ? [line.slice(line.length / 2)] : [])])
}

/** Where in the data directory something is left of these secrets. */
export function foundIn(store: string, secrets: readonly string[]): string[] {
  const places = [...bytesOf(store)]
  return secrets.flatMap((secret) =>
    tracesOf(secret).flatMap((trace) =>
      places.filter(([, bytes]) => bytes.includes(trace)).map(([name]) => `${trace} in ${name}`),
    ),
  )
}
