/*
 * Everything that can steer a terminal, turn the direction of a text or stand in it unseen; but newline and tab. In two
 * halves, and by code units: most text is neither, and to see that must cost next to nothing.
 */
const CONTROLS = '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad]'
const HIGH_CONTROLS = '[\\x7f-\\x9f\\xad]'
const UNSEEN =
  '\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164' +
  '\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb'
const LEADS = '\\ud82f\\ud834\\udb40-\\udb43'
const ONE_UNSEEN = `[${UNSEEN}]|[${LEADS}][\\udc00-\\udfff]`
/** Flags of parts of countries are spelled in tags. */
const FLAG = '\\ud83c\\udff4(?:\\udb40[\\udc30-\\udc39\\udc61-\\udc7a]){3,6}\\udb40\\udc7f'

const HAS_CONTROLS = new RegExp(CONTROLS)
const HAS_HIGH_CONTROLS = new RegExp(HIGH_CONTROLS)
const HAS_UNSEEN = new RegExp(`[${UNSEEN}${LEADS}]`)
const EACH_CONTROL = new RegExp(`\\r\\n|${CONTROLS}`, 'g')
const EACH_UNSEEN = new RegExp(`${FLAG}|${ONE_UNSEEN}`, 'g')
const EACH_IN_JSON = new RegExp(`${HIGH_CONTROLS}|${ONE_UNSEEN}`, 'g')
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const COLOURS = /(?:\u001b\[|\u009b)[\d;:]*m/g

/**
 * Somebody's text as it may be shown anywhere. What would steer is shown for what it is (`␛`, `\u202e`), colours and
 * characters that nobody sees are left out; emoji and scripts keep the joiners and selectors they are written with.
 * Newlines and tabs stay. Half a surrogate pair stays as well: it is written as U+FFFD.
 */
export function inert(text: string): string {
  const controlled = HAS_CONTROLS.test(text) ? text.replace(COLOURS, '').replace(EACH_CONTROL, shownControl) : text
  return HAS_UNSEEN.test(controlled) ? controlled.replace(EACH_UNSEEN, shownUnseen) : controlled
}

/** The same on one line: a name that holds a newline cannot look like two lines of ours. */
export function inertLine(text: string): string {
  return inert(text).replace(/[\n\t]/g, picture)
}

/** A JSON document of the same meaning in which nothing steers. What is ASCII below a space JSON escapes itself. */
export function inertJson(json: string): string {
  const isAscii = Buffer.byteLength(json) === json.length
  const isSuspect = isAscii ? json.includes('\u007f') : HAS_HIGH_CONTROLS.test(json) || HAS_UNSEEN.test(json)
  return isSuspect ? json.replace(EACH_IN_JSON, escaped) : json
}

function shownControl(found: string): string {
  if (found.endsWith('\n')) return '\n'
  if (found === '\u00ad') return ''
  return found < '\u0080' ? picture(found) : escaped(found)
}

function shownUnseen(found: string, at: number, text: string): string {
  if (found.startsWith('🏴') || !/[\p{DI}\p{Zl}\p{Zp}\ufff9-\ufffb]/u.test(found)) return found
  if (/[\p{Zl}\p{Zp}\p{Bidi_Control}\ufff9-\ufffb]/u.test(found)) return escaped(found)
  const end = at + found.length
  return isNeeded(found, text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)) ? found : ''
}

function picture(control: string): string {
  const code = control.charCodeAt(0)
  return code === 0x7f ? '␡' : String.fromCharCode(0x2400 + code)
}

function escaped(found: string): string {
  return found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Scripts whose letters are joined, or kept apart, by characters that nobody sees. */
const JOINING =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nko}\\p{scx=Adlm}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}' +
  '\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}'

/** What is needed, behind which characters and before which. */
const NEEDED: readonly (readonly [what: RegExp, behind: RegExp, before: RegExp])[] = [
  [/[\u200c\u200d]/u, new RegExp(`[${JOINING}]$`, 'u'), new RegExp(`^[${JOINING}]`, 'u')],
  [/\u200d/u, /[\p{ExtPict}\p{EMod}\ufe0f]$/u, /^\p{ExtPict}/u],
  [/[\ufe0e\ufe0f]/u, /\p{Emoji}$/u, /^/u],
  [/[\ufe00-\ufe02]/u, /[\p{Sm}\p{sc=Han}\p{scx=Mymr}]$/u, /^/u],
  [/[\u{e0100}-\u{e01ef}]/u, /\p{sc=Han}$/u, /^/u],
  [/[\u180b-\u180f]/u, /\p{scx=Mong}$/u, /^/u],
  [/[\u115f\u1160]/u, /^|[\u1100-\u11ff]$/u, /^[\u1100-\u11ff]/u],
]

function isNeeded(found: string, left: string, right: string): boolean {
  return NEEDED.some(([what, behind, before]) => what.test(found) && behind.test(left) && before.test(right))
}
