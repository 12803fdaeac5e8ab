export interface DiffLine {
  readonly sign: '+' | '-' | ' '
  readonly text: string
}

const CONTEXT = 2

/** What changes between two short texts, line by line, with a little of what stays around it. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = linesOf(before)
  const b = linesOf(after)
  const common = commonLengths(a, b)
  const all: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      all.push({ sign: ' ', text: a[i]! })
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(common, i + 1, j) >= at(common, i, j + 1)))
      all.push({ sign: '-', text: a[i++]! })
    else all.push({ sign: '+', text: b[j++]! })
  }
  const isNear = (index: number) =>
    all.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => line.sign !== ' ')
  return all.filter((_, index) => isNear(index))
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Length of the longest common run of lines from each pair of places on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array.from<number>({ length: b.length + 1 }).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i]![j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
  return table
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0
}
