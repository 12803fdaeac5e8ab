const HEADER_BYTES = 100
const INTERIOR_TABLE = 5
const LEAF_TABLE = 13

/** The pages that a database's first page says the rest of its schema is on. */
export function schemaPages(first: Buffer): number[] {
  if (first[HEADER_BYTES] !== INTERIOR_TABLE) return []
  const cells = cellsOf(first, HEADER_BYTES, 12)
  const children = cells.filter((at) => at + 4 <= first.length).map((at) => first.readUInt32BE(at))
  return [...children, first.readUInt32BE(HEADER_BYTES + 8)]
}

/** The row ids on a page of a table, as far as they can be read; in the order of its cells. */
export function rowIdsOn(page: Buffer, isFirst = false): number[] {
  const start = isFirst ? HEADER_BYTES : 0
  if (page[start] !== LEAF_TABLE) return []
  return cellsOf(page, start, 8).flatMap((at) => {
    const size = varint(page, at)
    const id = size === null ? null : varint(page, size.next)
    return id === null ? [] : [id.value]
  })
}

function cellsOf(page: Buffer, start: number, headerBytes: number): number[] {
  const count = page.readUInt16BE(start + 3)
  const cells: number[] = []
  for (let i = 0; i < count; i++) {
    const at = start + headerBytes + i * 2
    if (at + 2 > page.length) break
    cells.push(page.readUInt16BE(at))
  }
  return cells
}

function varint(page: Buffer, at: number): { value: number; next: number } | null {
  let value = 0
  for (let i = 0; i < 9; i++) {
    const byte = page[at + i]
    if (byte === undefined) return null
    if (i === 8) return { value: value * 256 + byte, next: at + 9 }
    value = value * 128 + (byte & 127)
    if (byte < 128) return { value, next: at + i + 1 }
  }
  return null
}
