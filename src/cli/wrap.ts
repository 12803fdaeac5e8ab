import { displayWidth } from './table.ts'

/** Our own styles, as `Terminal.cell` leaves them: what others wrote holds no escape any more. */
// oxlint-disable-next-line no-control-regex -- it is what styles are marked with
const UNIT = /\u001b[0-9a-z]*:\d+m|./gsu

/**
 * A line that `Terminal.cell` made, as lines of at most `width` columns: broken at spaces, within words only where one
 * alone is too long, and anywhere between characters of scripts without spaces. Nothing of it is lost but the spaces at breaks.
 */
export function wrap(line: string, width: number): string[] {
  if (line.length <= width && displayWidth(line) <= width) return [line]
  const lines: string[] = []
  let [shown, used] = ['', 0]
  /** Where the line may be broken: what stands before, and behind. */
  let [end, rest, restUsed] = ['', '', 0]
  let isBreakable = false
  for (const [unit] of line.matchAll(UNIT)) {
    const size = unit.startsWith('\u001b') ? 0 : displayWidth(unit)
    while (used > 0 && used + (unit === ' ' ? 0 : size) > width) {
      lines.push(isBreakable ? end : shown)
      ;[shown, used] = isBreakable ? [rest, restUsed] : ['', 0]
      isBreakable = false
    }
    if (unit === ' ' || size === 2) {
      if (size === 2) [shown, used] = [shown + unit, used + size]
      if (used <= width && shown.trim() !== '') [isBreakable, end, rest, restUsed] = [true, shown, '', 0]
      if (unit === ' ' && used < width) [shown, used] = [shown + unit, used + 1]
      continue
    }
    ;[shown, used] = [shown + unit, used + size]
    if (isBreakable) [rest, restUsed] = [rest + unit, restUsed + size]
  }
  return [...lines, shown]
}
