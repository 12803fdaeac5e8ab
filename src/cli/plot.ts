import { grouped } from '../model/text.ts'

const LEVELS = '▁▂▃▄▅▆▇█'
const EIGHTHS = ' ▏▎▍▌▋▊▉'

/** One character a value; a gap where there is nothing. Longer rows are summed up to fit `width`. */
export function sparkline(values: readonly number[], width = values.length): string {
  const fitted = fit(values, width)
  const most = Math.max(0, ...fitted)
  return fitted
    .map((value) => (value <= 0 || most === 0 ? ' ' : (LEVELS[Math.ceil((value / most) * LEVELS.length) - 1] ?? ' ')))
    .join('')
}

/** A bar of at most `width` characters; something is never shown as nothing. */
export function bar(value: number, most: number, width: number): string {
  if (value <= 0 || most <= 0) return ''
  const eighths = Math.max(1, Math.round((Math.min(value, most) / most) * width * 8))
  return `${'█'.repeat(Math.floor(eighths / 8))}${eighths % 8 === 0 ? '' : EIGHTHS[eighths % 8]}`
}

function fit(values: readonly number[], width: number): number[] {
  if (values.length <= width) return [...values]
  const fitted = Array.from<number>({ length: width }).fill(0)
  for (const [i, value] of values.entries()) {
    const at = Math.floor((i * width) / values.length)
    fitted[at] = (fitted[at] ?? 0) + value
  }
  return fitted
}

/** Money as people read it: cents, or more digits of what is less than one. */
export function money(usd: number): string {
  if (usd !== 0 && Math.abs(usd) < 1e-6) return '<$0.000001'
  if (usd !== 0 && Math.abs(usd) < 0.01) return `$${usd.toPrecision(2)}`
  return `$${grouped(usd, 2)}`
}

/** 1.2M, 340K: for where exact numbers would only be in the way. */
export function short(count: number): string {
  for (const [size, unit] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ] as const) {
    if (count >= size) return `${(count / size).toFixed(count < 10 * size ? 1 : 0)}${unit}`
  }
  return String(count)
}
