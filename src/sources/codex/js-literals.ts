export interface Parsed {
  readonly value: unknown
  /** False if there is no value to speak of, because only running the program gives it. */
  readonly known: boolean
  /** False if a part of the value is missing for the same reason. */
  readonly whole: boolean
  /** True if a bracket closes where a value could have stood. */
  readonly empty: boolean
  readonly end: number
}

interface Token {
  readonly end: number
  /** False for strings, comments, regular expressions and the like. */
  readonly code: boolean
}

const WORD = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\n[]){1,200}\/[a-z]*/y
const CONSTANTS: ReadonlyMap<string, unknown> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }
const MAX_DEPTH = 32

/** Reads the literals of a program without running it. Never throws; what it cannot read it steps over. */
export class JsLiterals {
  readonly #text: string
  #nesting = 0
  #commentsEnd = true

  constructor(text: string) {
    this.#text = text
  }

  /** The token at `at`; one character at least. */
  skipToken(at: number): Token {
    const c = this.#text[at]
    if (c === '"' || c === "'" || c === '`') return { end: this.#string(at).end, code: false }
    const end = this.#space(at)
    if (end > at) return { end, code: false }
    if (c === '/' && this.#mayBeRegex(at)) {
      const regex = this.#match(REGEX, at)
      if (regex > at) return { end: regex, code: false }
    }
    const word = this.#match(WORD, at)
    return { end: word > at ? word : at + 1, code: true }
  }

  /** The next character that is neither space nor comment. */
  next(at: number): string {
    return this.#text[this.#space(at)] ?? ''
  }

  /** The value that begins at `at`, up to the comma or bracket that ends it. */
  value(at: number, depth = 0): Parsed {
    const start = this.#space(at)
    const c = this.#text[start]
    if (c === undefined || c === ')' || c === ']' || c === '}') return this.#nothing(start, true)
    const literal = depth > MAX_DEPTH ? null : this.#literal(start, depth)
    if (literal === null) return this.#nothing(this.#expressionEnd(start), false)
    const after = this.next(literal.end)
    if (after === ',' || after === ')' || after === ']' || after === '}' || after === '') return literal
    return this.#joined(literal, depth) ?? this.#nothing(this.#expressionEnd(literal.end), false)
  }

  /** `'a' + 'b'`, as long as all parts are strings. */
  #joined(left: Parsed, depth: number): Parsed | null {
    const plus = this.#space(left.end)
    if (this.#text[plus] !== '+' || typeof left.value !== 'string') return null
    const right = this.value(plus + 1, depth + 1)
    if (!right.known || typeof right.value !== 'string') return null
    return { ...right, value: left.value + right.value }
  }

  #literal(at: number, depth: number): Parsed | null {
    const c = this.#text[at] ?? ''
    if (c === '{') return this.#object(at, depth)
    if (c === '[') return this.#array(at, depth)
    if (c === '"' || c === "'" || c === '`') {
      const { value, end } = this.#string(at)
      return value === null ? null : this.#known(value, end)
    }
    const number = this.#match(NUMBER, at)
    if (number > at) return this.#known(Number(this.#text.slice(at, number).replaceAll('_', '')), number)
    const end = this.#match(WORD, at)
    const word = this.#text.slice(at, end)
    if (word === 'String' && this.#text.startsWith('.raw`', end)) return this.#rawString(end + 4)
    return CONSTANTS.has(word) ? this.#known(CONSTANTS.get(word), end) : null
  }

  #object(at: number, depth: number): Parsed {
    const value: Record<string, unknown> = {}
    let whole = true
    let i = at + 1
    for (;;) {
      i = this.#space(i)
      const c = this.#text[i]
      if (c === undefined || c === '}') return { value, known: true, whole, empty: false, end: i + 1 }
      if (c === ',') {
        i++
        continue
      }
      const key = this.#key(i)
      if (key === null || this.next(key.end) !== ':') {
        whole = false
        i = Math.max(i + 1, this.#expressionEnd(i))
        continue
      }
      const inner = this.value(this.#space(key.end) + 1, depth + 1)
      if (inner.known) Object.defineProperty(value, key.name, { value: inner.value, enumerable: true, writable: true })
      whole &&= inner.known && inner.whole
      i = Math.max(inner.end, key.end + 1)
    }
  }

  #array(at: number, depth: number): Parsed {
    const value: unknown[] = []
    let whole = true
    let i = at + 1
    for (;;) {
      i = this.#space(i)
      const c = this.#text[i]
      if (c === undefined || c === ']') return { value, known: true, whole, empty: false, end: i + 1 }
      if (c === ',') {
        i++
        continue
      }
      const inner = this.value(i, depth + 1)
      if (inner.known) value.push(inner.value)
      whole &&= inner.known && inner.whole
      i = Math.max(inner.end, i + 1)
    }
  }

  #key(at: number): { name: string; end: number } | null {
    const c = this.#text[at]
    if (c === '"' || c === "'") {
      const { value, end } = this.#string(at)
      return value === null ? null : { name: value, end }
    }
    const end = Math.max(this.#match(WORD, at), this.#match(NUMBER, at))
    return end > at ? { name: this.#text.slice(at, end), end } : null
  }

  /** A string; its value is null if the program fills in a part of it. */
  #string(at: number): { value: string | null; end: number } {
    if (this.#nesting > MAX_DEPTH) return { value: null, end: this.#text.length }
    const quote = this.#text[at]
    let value = ''
    let filled = false
    let i = at + 1
    while (i < this.#text.length && this.#text[i] !== quote) {
      if (this.#text[i] === '\\') {
        const escape = this.#escape(i + 1)
        value += escape.value
        i = escape.end
      } else if (quote === '`' && this.#text.startsWith('${', i)) {
        filled = true
        this.#nesting++
        i = this.#bracketEnd(i + 2)
        this.#nesting--
      } else value += this.#text[i++]
    }
    return { value: filled ? null : value, end: Math.min(i + 1, this.#text.length) }
  }

  #rawString(at: number): Parsed | null {
    const end = this.#text.indexOf('`', at + 1)
    const value = end === -1 ? null : this.#text.slice(at + 1, end)
    return value === null || value.includes('${') || value.endsWith('\\') ? null : this.#known(value, end + 1)
  }

  #escape(at: number): { value: string; end: number } {
    const c = this.#text[at] ?? ''
    const hex = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\})/.exec(this.#text.slice(at, at + 9))
    if (hex) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16)
      return { value: code > 0x10ffff ? '' : String.fromCodePoint(code), end: at + hex[0].length }
    }
    return { value: c === '\n' ? '' : (ESCAPES[c] ?? c), end: at + 1 }
  }

  /** Where the expression at `at` ends: at a comma or a bracket that closes around it. */
  #expressionEnd(at: number): number {
    let depth = 0
    let i = at
    while (i < this.#text.length) {
      const token = this.skipToken(i)
      const c = token.code ? this.#text[i] : ''
      if (c === '(' || c === '[' || c === '{') depth++
      else if ((c === ')' || c === ']' || c === '}') && depth-- === 0) return i
      else if (c === ',' && depth === 0) return i
      i = token.end
    }
    return i
  }

  /** Where the part of a template that opened before `at` is over. */
  #bracketEnd(at: number): number {
    let i = at
    while (i < this.#text.length) {
      i = this.#expressionEnd(i)
      const c = this.#text[i++]
      if (c === '}') break
    }
    return i
  }

  #mayBeRegex(at: number): boolean {
    const before =
      this.#text
        .slice(Math.max(0, at - 32), at)
        .trimEnd()
        .at(-1) ?? '('
    return '(,=:[!&|?{};+'.includes(before)
  }

  /** Where space and comments that begin at `at` are over. */
  #space(at: number): number {
    let i = at
    for (;;) {
      const c = this.#text.charCodeAt(i)
      if (c === 32 || (c >= 9 && c <= 13) || c === 0xa0 || c === 0xfeff) i++
      else if (c === 47 && this.#text[i + 1] === '/') i = this.#after('\n', i)
      else if (c === 47 && this.#text[i + 1] === '*' && this.#commentsEnd) i = this.#after('*/', i + 2)
      else return i
    }
  }

  #after(mark: string, at: number): number {
    const found = this.#text.indexOf(mark, at)
    if (found === -1) this.#commentsEnd = false
    return found === -1 ? this.#text.length : found + mark.length
  }

  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    return pattern.test(this.#text) ? pattern.lastIndex : at
  }

  #known(value: unknown, end: number): Parsed {
    return { value, known: true, whole: true, empty: false, end }
  }

  #nothing(end: number, empty: boolean): Parsed {
    return { value: undefined, known: false, whole: false, empty, end }
  }
}
