let zlib: typeof import('node:zlib') | null = null

/** CRC-32: of eight kilobytes every changed bit, and almost every other change. Loads what it needs when it is first asked. */
export function checksum(data: Uint8Array, before = 0): number {
  return (zlib ??= process.getBuiltinModule('node:zlib')).crc32(data, before)
}
