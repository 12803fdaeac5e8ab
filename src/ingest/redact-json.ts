import { namesSecret } from './redact-assignments.ts'

type Redact = (value: string) => string
type Entries = readonly [string, unknown][]

/** Deeper JSON is no tool call. It goes as a whole, because what is not looked through must not be stored. */
const MAX_DEPTH = 1000
const TOO_DEEP = '[REDACTED:too-deep]'

/**
 * The same JSON with every string in it redacted, keys too; the very same reference if nothing changed. What is found
 * in it once it is written down must be found here: what rules tell from two strings of it, this tells from them, too.
 */
export function redactJson(value: unknown, text: Redact): unknown {
  return redacted(value, text, { depth: 0, holder: null })
}

interface Place {
  readonly depth: number
  /** The key that the value stands under, if that may say what it is. */
  readonly holder: string | null
}

function redacted(value: unknown, text: Redact, { depth, holder }: Place): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return TOO_DEEP
  const inside = (item: unknown, key: string | null): unknown =>
    redacted(item, text, { depth: depth + 1, holder: key !== null && namesSecret(key) ? key : null })
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, i) =>
      typeof item === 'string' ? listed(holder, argument(value[i - 1], item, text), text) : inside(item, null),
    )
    return items.every((item, i) => item === value[i]) ? value : items
  }
  return redactedObject(value as Readonly<Record<string, unknown>>, { text, inside, holder })
}

interface Looks {
  readonly text: Redact
  readonly inside: (item: unknown, key: string | null) => unknown
  readonly holder: string | null
}

/** Most objects hold nothing to take out: for those nothing is built. */
function redactedObject(value: Readonly<Record<string, unknown>>, { text, inside, holder }: Looks): unknown {
  const keys = Object.keys(value)
  const isSecret = value['kind'] === 'Secret'
  let namesOf: ReturnType<typeof namesIn> | null = null
  let after: [string, unknown][] | null = null
  for (const [i, key] of keys.entries()) {
    const item = value[key]
    let kept: [key: string, item: unknown]
    if (isSecret && isHeld(key, item)) kept = [key, '[REDACTED:kubernetes-secret]']
    else if (typeof item !== 'string') kept = [text(key), typeof item === 'object' ? inside(item, key) : item]
    else if (!mayBeNamed(key)) kept = [text(key), text(item)]
    else {
      namesOf ??= namesIn(Object.entries(value), holder)
      kept = [text(key), namesOf(key, i).reduce((read, name) => named(name, read, text), text(item))]
    }
    if (after === null) {
      if (kept[0] === key && kept[1] === item) continue
      after = keys.slice(0, i).map((one) => [one, value[one]])
    }
    after.push(kept)
  }
  return after === null ? value : Object.fromEntries(withoutClashes(after))
}

/** What a Secret of Kubernetes holds. */
function isHeld(key: string, item: unknown): boolean {
  return /^(?:data|stringData)$/.test(key) && typeof item === 'object' && item !== null && Object.keys(item).length > 0
}

const REMEMBERED_KEYS = 1024
const namedKeys = new Map<string, boolean>()

/** False for the many keys that neither say themselves nor with what stands beside them what their value is. */
function mayBeNamed(key: string): boolean {
  let may = namedKeys.get(key)
  if (may === undefined) {
    may = namesSecret(key) || /^(?:k|default|(?:parameter)?value)$/i.test(key)
    if (namedKeys.size === REMEMBERED_KEYS) namedKeys.clear()
    namedKeys.set(key, may)
  }
  return may
}

/** What a key and what stands beside it say that its value is: `{"name": "DB_PASSWORD", "value": "…"}`. */
function namesIn(entries: Entries, holder: string | null): (key: string, i: number) => string[] {
  const label = entries.find(([key, item]) => /^(?:name|key|parameterkey)$/i.test(key) && typeof item === 'string')?.[1]
  const isLogin = entries.some(([key]) => key === 'username')
  const isSymmetric = entries.some(([key, item]) => key === 'kty' && item === 'oct')
  return (key, i) => {
    if ((isLogin && key === 'key') || (isSymmetric && key === 'k')) return ['api_key']
    if (/^default$/i.test(key)) return [String(label ?? ''), holder ?? '', key].filter(namesSecret)
    if (!/^(?:parameter)?value$/i.test(key)) return [key].filter(namesSecret)
    return [String(label ?? ''), holder ?? '', endOf(entries[i - 1]?.[1])].filter(namesSecret)
  }
}

/** What is written right before a value is taken for its name. */
function endOf(item: unknown): string {
  return typeof item === 'string' ? (/[\w. -]{1,48}$/.exec(item)?.[0] ?? '') : ''
}

/** A string as it is read behind its name, which may be all that gives it away. */
function named(name: string, value: string, text: Redact): string {
  return within(`"${name}":"`, value, '"', text)
}

function listed(holder: string | null, item: string, text: Redact): string {
  if (holder === null) return item
  return /cookie/i.test(holder) ? named(holder, item, text) : within(`"${holder}":["`, item, '"]', text)
}

/** An item of a list behind another, which may be an option that it belongs to, or its name. */
function argument(previous: unknown, item: string, text: Redact): string {
  if (typeof previous !== 'string' || !/^[\w.-]{1,48}$/.test(previous) || !namesSecret(previous)) return text(item)
  const read = within(`"${previous}","`, text(item), '"', text)
  return previous.startsWith('-') ? within(`${previous} `, read, '', text) : read
}

function within(before: string, value: string, after: string, text: Redact): string {
  const whole = text(before + value + after)
  return whole.startsWith(before) && whole.endsWith(after)
    ? whole.slice(before.length, whole.length - after.length)
    : value
}

/** Two secret keys of one object must not become one key. */
function withoutClashes(entries: readonly (readonly [string, unknown])[]): [string, unknown][] {
  const taken = new Set<string>()
  return entries.map(([key, item]) => {
    let name = key
    for (let n = 2; taken.has(name); n++) name = `${key}#${n}`
    taken.add(name)
    return [name, item]
  })
}
