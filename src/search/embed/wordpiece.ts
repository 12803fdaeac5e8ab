import { isRecord } from './record.ts'

export interface WordPiece {
  readonly ids: ReadonlyMap<string, number>
  readonly lowercase: boolean
}

const LONGEST_WORD = 100
const ALONE = /[\p{P}\p{S}\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u
const PIECES = new RegExp(`${ALONE.source}|(?:(?!${ALONE.source})\\S)+`, 'gu')

/** From a `vocab.txt`: a word piece a line. */
export function vocabularyOfLines(text: string): WordPiece {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return { ids: new Map(lines.map((line, i) => [line, i])), lowercase: true }
}

/** From a `tokenizer.json`; null if it is not of the kind that BERT's models have. */
export function vocabularyOfJson(text: string): WordPiece | null {
  const json: unknown = JSON.parse(text)
  const model = isRecord(json) && isRecord(json['model']) ? json['model'] : {}
  if (!isRecord(model['vocab'])) return null
  const ids = new Map(Object.entries(model['vocab']).map(([piece, id]) => [piece, Number(id)]))
  const normalizer = isRecord(json) && isRecord(json['normalizer']) ? json['normalizer'] : {}
  return ids.has('[UNK]') ? { ids, lowercase: normalizer['lowercase'] !== false } : null
}

/** The numbers of a text's pieces between `[CLS]` and `[SEP]`, at most `most` of them. */
export function tokenIds(vocabulary: WordPiece, text: string, most: number): number[] {
  const { ids, lowercase } = vocabulary
  const plain = lowercase
    ? text
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
    : text
  const found: number[] = []
  for (const [word] of plain.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => (/\s/.test(sign) ? ' ' : '')).matchAll(PIECES)) {
    found.push(...pieces(ids, word))
    if (found.length >= most - 2) break
  }
  const special = (name: string) => ids.get(name) ?? 0
  return [special('[CLS]'), ...found.slice(0, most - 2), special('[SEP]')]
}

/** The longest piece that fits, again and again; the sign for the unknown if a rest fits none. */
function pieces(ids: ReadonlyMap<string, number>, word: string): number[] {
  const unknown = [ids.get('[UNK]') ?? 0]
  const chars = [...word]
  if (chars.length > LONGEST_WORD) return unknown
  const found: number[] = []
  let start = 0
  while (start < chars.length) {
    let end = chars.length
    let id: number | undefined
    for (; end > start; end--) {
      id = ids.get(`${start > 0 ? '##' : ''}${chars.slice(start, end).join('')}`)
      if (id !== undefined) break
    }
    if (id === undefined) return unknown
    found.push(id)
    start = end
  }
  return found
}
