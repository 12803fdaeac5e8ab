import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { FORMATS, type Format } from './format.ts'

export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly as: Format
  /** A variable of the style sheet. */
  readonly colour: string
}

interface DayChartProps {
  readonly label: string
  /** Days as `2026-01-31`, in order. */
  readonly days: readonly string[]
  /** Stacked in this order. */
  readonly series: readonly Series[]
}

/** Bars by day, one over the other. The same figures stand in a table for who cannot see them. */
export function DayChart({ label, days, series }: DayChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const key = JSON.stringify([days, series])
  useEffect(() => {
    const element = place.current
    if (element === null || days.length === 0) return
    let plot: uPlot | null = null
    let isGone = false
    const draw = async () => {
      const { default: Plot } = await import('uplot')
      if (isGone) return
      plot?.destroy()
      plot = new Plot(optionsFor(Plot, element, series), dataFor(days, series), element)
    }
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }))
    sizes.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    void draw()
    return () => {
      isGone = true
      sizes.disconnect()
      scheme.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [key])
  return (
    <figure class="chart" aria-label={label}>
      <div ref={place} class="plot" aria-hidden="true" />
      {series.length === 1 ? null : (
        <figcaption>
          {series.map(({ label: name, colour }) => (
            <span key={name} class="key">
              <i style={{ background: `var(${colour})` }} />
              {name}
            </span>
          ))}
        </figcaption>
      )}
      <table class="unseen">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">day</th>
            {series.map(({ label: name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, i) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map(({ label: name, values, as }) => (
                <td key={name}>{FORMATS[as](values[i] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

const HEIGHT = 180
const DAY_S = 86_400
/** Steps of the axes that somebody would choose. */
const DAYS = [1, 2, 7, 14, 28, 56, 91, 182, 364]
const SECONDS = [1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 432_000]

/** The first series lies on the sum of those behind it. */
function dataFor(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  const sums = days.map(() => 0)
  const stacked = series.map(({ values }) => values.map((value, i) => (sums[i] = (sums[i] ?? 0) + (value ?? 0))))
  return [days.map((day) => Date.parse(day) / 1000 / DAY_S), ...stacked.toReversed()]
}

function optionsFor(Plot: typeof uPlot, element: HTMLElement, series: readonly Series[]): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const drawn = series.toReversed()
  const first = series[0]
  const axis = { stroke: colour('--dim'), ticks: { show: false }, font: '11px system-ui, sans-serif' }
  const bars = Plot.paths.bars?.({ size: [0.7, 28], radius: 0.15 })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { y: false, points: { show: false } },
    legend: { show: false },
    padding: [8, 16, 0, 0],
    scales: {
      x: { time: false, range: (_plot, min, max) => [min - 0.6, max + 0.6] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        space: 64,
        incrs: DAYS,
        values: (_plot, marks) => marks.map(dayLabel),
      },
      {
        ...axis,
        size: 58,
        ...(first?.as === 'seconds' ? { incrs: SECONDS } : {}),
        grid: { stroke: colour('--line'), width: 1 },
        values: (_plot, marks) => marks.map((mark) => FORMATS[first?.as ?? 'count'](mark)),
      },
    ],
    series: [
      {},
      ...drawn.map(({ label, colour: name }) => ({
        label,
        fill: colour(name),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
    plugins: [tooltip(series)],
  }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function dayLabel(day: number): string {
  return dayFormat.format(new Date(day * DAY_S * 1000))
}

function tooltip(series: readonly Series[]): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'tooltip'
  return {
    hooks: {
      init: (plot) => void plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = 0 } = plot.cursor
        const at = idx === null || idx === undefined ? undefined : plot.data[0][idx]
        box.hidden = at === undefined || left < 0
        if (at === undefined || idx === null || idx === undefined) return
        const stacked = plot.data.slice(1).toReversed()
        const lines = series.map(({ label, as }, i) => {
          const value = (stacked[i]?.[idx] ?? 0) - (stacked[i - 1]?.[idx] ?? 0)
          return `${label} ${FORMATS[as](Math.max(0, value))}`
        })
        box.textContent = [dayLabel(at), ...lines].join('\n')
        box.style.left = `${Math.min(left, plot.over.clientWidth - 130)}px`
      },
    },
  }
}

interface HeatmapProps {
  readonly days: readonly { readonly day: string | null; readonly value: number; readonly href: string }[]
  readonly what: (n: number) => string
}

const WEEKS = 53
const DAY_MS = 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A year of days, a column a week, from Monday on. */
export function Heatmap({ days, what }: HeatmapProps) {
  const known = new Map(days.map((one) => [one.day, one]))
  const most = Math.max(...days.map(({ value }) => value), 1)
  const today = new Date()
  today.setHours(12, 0, 0, 0)
  const monday = today.getTime() - ((today.getDay() + 6) % 7) * DAY_MS - (WEEKS - 1) * 7 * DAY_MS
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollTo(place.current.scrollWidth, 0), [])
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const links = [...(place.current?.querySelectorAll<HTMLElement>('a.cell') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    event.preventDefault()
    links[at === -1 ? links.length - 1 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
  }
  const weeks = Array.from({ length: WEEKS }, (_, week) => new Date(monday + week * 7 * DAY_MS))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div
      class="heatmap"
      ref={place}
      tabIndex={0}
      role="group"
      aria-label="sessions by day, the last year; arrows go from day to day"
      onKeyDown={walk}
    >
      <div class="months" aria-hidden="true">
        {weeks.map((week, i) => (
          <span key={i}>{week.getDate() <= 7 ? MONTHS[week.getMonth()] : ''}</span>
        ))}
      </div>
      <div class="cells">
        {weeks.flatMap((week) =>
          Array.from({ length: 7 }, (_, i) => {
            const date = new Date(week.getTime() + i * DAY_MS)
            const name = dayName(date)
            const one = known.get(name)
            if (date > today) return <span key={name} class="cell none" />
            const level = one === undefined || one.value === 0 ? 0 : Math.ceil((4 * one.value) / most)
            const title = `${name}: ${what(one?.value ?? 0)}`
            return level === 0 || one === undefined ? (
              <span key={name} class="cell l0" title={title} />
            ) : (
              <a key={name} class={`cell l${level}`} title={title} aria-label={title} href={one.href} tabIndex={-1} />
            )
          }),
        )}
      </div>
      <p class="scale" aria-hidden="true">
        <span>fewer</span>
        {[0, 1, 2, 3, 4].map((level) => (
          <i key={level} class={`cell l${level}`} />
        ))}
        <span>more</span>
      </p>
    </div>
  )
}

function dayName(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
