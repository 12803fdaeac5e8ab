import type { Doc } from './api.ts'
import { useAsked, type Asked } from './asked.ts'
import { DayChart, Heatmap } from './charts.tsx'
import { away, lastParts, plural, when } from './format.ts'
import { Answer, Bars, Card, Command, Empty, Fold, N, Tile, valueAt } from './figures.tsx'
import { Page } from './page.tsx'
import { to, useParam } from './router.ts'
import { SessionRow } from './session-row.tsx'

const RANGES = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', 'a year'],
  ['', 'all'],
] as const

/** Chooses since when; in the address. */
export function useRange(): readonly [string | undefined, preact.JSX.Element] {
  const [range, setRange] = useParam('range', '30d')
  const since = range === 'all' ? undefined : range
  const bar = (
    <div class="ranges" role="group" aria-label="range of time">
      {RANGES.map(([value, name]) => (
        <button
          key={value}
          type="button"
          aria-pressed={(value || 'all') === range}
          onClick={() => setRange(value || 'all')}
        >
          {name}
        </button>
      ))}
    </div>
  )
  return [since, bar]
}

export function Home() {
  const [since, ranges] = useRange()
  const stats = useAsked('stats', since === undefined ? {} : { since })
  const year = useAsked('stats', { since: '371d' })
  const recent = useAsked('list', { limit: 8 })
  const isQuiet = stats.asked?.doc.sessions === 0 && since !== undefined && recent.asked?.doc.total !== 0
  return (
    <Page title="Home" aside={ranges}>
      {isQuiet ? (
        <p class="note" role="status">
          No session in this time. <a href={to('/', { range: 'all' })}>Show all</a>
        </p>
      ) : null}
      <Answer to={stats}>{(asked) => <Tiles asked={asked} />}</Answer>
      <div class="grid">
        <Card title="Activity" wide>
          <Answer to={year}>
            {({ doc }) => (
              <Heatmap
                days={doc.days.map(({ day, sessions }) => ({
                  day,
                  value: sessions,
                  href: to('/sessions', { since: day ?? '', before: nextDay(day ?? '') }),
                }))}
                what={(n) => plural(n, 'session')}
              />
            )}
          </Answer>
        </Card>
        <Card title="Recent sessions" aside={<a href={to('/sessions')}>all</a>} wide>
          <Answer to={recent}>
            {({ doc }) =>
              doc.sessions.length === 0 ? (
                <Empty command="recall index">Nothing has been read yet.</Empty>
              ) : (
                <ul class="sessions">
                  {doc.sessions.map((session) => (
                    <SessionRow key={session.session_uid} session={session} />
                  ))}
                </ul>
              )
            }
          </Answer>
        </Card>
        <Card title="Cost by day">
          <Answer to={stats}>{({ doc }) => <CostChart doc={doc} />}</Answer>
        </Card>
        <Card title="Projects">
          <Answer to={stats}>{(asked) => <Projects asked={asked} />}</Answer>
        </Card>
        <Tools since={since} />
        <Models since={since} />
        <Storage />
        <RescueClock />
        <Problems />
      </div>
    </Page>
  )
}

export function nextDay(day: string): string {
  if (day === '') return ''
  return new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

const OUTCOMES = ['success', 'fail', 'abandoned', 'unknown'] as const

function Tiles({ asked }: { asked: Asked<Doc<'stats'>> }) {
  const tokens = asked.doc.tokens
  return (
    <div class="tiles">
      <Tile label="Sessions" note={<Outcomes asked={asked} />}>
        <N of={asked} at="sessions" />
      </Tile>
      <Tile
        label="Prompts"
        note={
          <>
            <N of={asked} at="tool_calls" /> tool calls
          </>
        }
      >
        <N of={asked} at="exchanges" />
      </Tile>
      <Tile
        label="Output tokens"
        note={
          <>
            <N of={asked} at="tokens.input" as="short" /> fresh input,{' '}
            <N of={asked} at="tokens.cache_read" as="short" /> from the cache
          </>
        }
      >
        <N of={asked} at="tokens.output" as="short" />
      </Tile>
      <Tile
        label="Cost"
        note={tokens.unknown > 0 ? <span>{plural(tokens.unknown, 'session')} told no tokens</span> : 'by list price'}
      >
        <N of={asked} at="cost.usd" as="usd" />
      </Tile>
      <Tile
        label="Your time"
        note={
          <>
            agents <N of={asked} at="time.agent_s" as="seconds" />
          </>
        }
      >
        <N of={asked} at="time.active_s" as="seconds" />
      </Tile>
    </div>
  )
}

function Outcomes({ asked }: { asked: Asked<Doc<'stats'>> }) {
  const known = OUTCOMES.filter((outcome) => Number(valueAt(asked.doc, `outcomes.${outcome}`) ?? 0) > 0)
  return (
    <span class="outcomes">
      {known.map((outcome) => (
        <a key={outcome} href={to('/sessions', { outcome })} class={`outcome ${outcome}`}>
          <N of={asked} at={`outcomes.${outcome}`} /> {outcome}
        </a>
      ))}
    </span>
  )
}

function CostChart({ doc }: { doc: Doc<'stats'> }) {
  const days = doc.days.filter(({ day }) => day !== null)
  if (days.length === 0) return <Empty>No session in this time.</Empty>
  const series = [{ label: 'cost', values: days.map(({ usd }) => usd), as: 'usd', colour: '--accent' } as const]
  return <DayChart label="cost by day" days={days.map(({ day }) => day ?? '')} series={series} />
}

function Projects({ asked }: { asked: Asked<Doc<'stats'>> }) {
  const rows = asked.doc.projects.slice(0, 8)
  if (rows.length === 0) return <Empty>No session in this time.</Empty>
  return (
    <Bars
      rows={rows.map(({ project, sessions }, i) => ({
        label: lastParts(project),
        title: project ?? '',
        href: to('/sessions', { project: project ?? undefined }),
        value: sessions,
        shown: <N of={asked} at={`projects.${i}.sessions`} />,
        note: <N of={asked} at={`projects.${i}.usd`} as="usd" />,
      }))}
    />
  )
}

function Tools({ since }: { since: string | undefined }) {
  const tools = useAsked('stats.tools', { limit: 8, ...(since === undefined ? {} : { since }) })
  return (
    <Card title="Tools" aside={<a href={to('/insights/tools')}>more</a>}>
      <Answer to={tools}>
        {(asked) =>
          asked.doc.rows.length === 0 ? (
            <Empty>Nothing was called in this time.</Empty>
          ) : (
            <Bars
              rows={asked.doc.rows.map(({ tool, count, errors }, i) => ({
                label: tool ?? '(none)',
                href: to('/search', { tool: tool ?? undefined }),
                value: count,
                shown: <N of={asked} at={`rows.${i}.count`} />,
                note:
                  errors === 0 ? undefined : (
                    <span class="bad">
                      <N of={asked} at={`rows.${i}.errors`} /> failed
                    </span>
                  ),
              }))}
            />
          )
        }
      </Answer>
    </Card>
  )
}

function Models({ since }: { since: string | undefined }) {
  const models = useAsked('stats.models', { limit: 8, ...(since === undefined ? {} : { since }) })
  return (
    <Card title="Models" aside={<a href={to('/insights/cost')}>more</a>}>
      <Answer to={models}>
        {(asked) =>
          asked.doc.rows.length === 0 ? (
            <Empty>No model answered in this time.</Empty>
          ) : (
            <Bars
              rows={asked.doc.rows.map(({ model, usd }, i) => ({
                label: model ?? '(not told)',
                href: to('/sessions', { model: model ?? undefined }),
                value: usd,
                shown: <N of={asked} at={`rows.${i}.usd`} as="usd" />,
                note: (
                  <>
                    <N of={asked} at={`rows.${i}.responses`} /> responses
                  </>
                ),
              }))}
            />
          )
        }
      </Answer>
    </Card>
  )
}

function Storage() {
  const budget = useAsked('budget', { limit: 5 })
  return (
    <Card title="Storage">
      <Answer to={budget}>
        {(asked) => {
          const { tier1, tier2, next, full_at: fullAt } = asked.doc
          return (
            <>
              <Gauge label="Raw text" share={tier1.bytes / tier1.soft}>
                <N of={asked} at="tier1.bytes" as="bytes" /> of <N of={asked} at="tier1.soft" as="bytes" />
              </Gauge>
              <Gauge label="Digests, kept for good" share={tier2.bytes / tier2.cap}>
                <N of={asked} at="tier2.bytes" as="bytes" /> of <N of={asked} at="tier2.cap" as="bytes" />
              </Gauge>
              <p class="dim">
                {fullAt === null
                  ? 'At this pace it will not fill up.'
                  : `Full ${away(fullAt)}; then the oldest raw text goes, its digest stays.`}
              </p>
              {next.length === 0 ? null : (
                <Fold name="next" summary="What goes next">
                  <ol class="plain">
                    {next.map((one, i) => (
                      <li key={one.session_uid}>
                        <a href={to(`/session/${one.session_uid}`)}>
                          {one.title ?? `${one.session_uid.slice(0, 20)}…`}
                        </a>{' '}
                        <N of={asked} at={`next.${i}.bytes`} as="bytes" />{' '}
                        <span class="dim">{one.due ? 'due' : one.reason}</span>
                      </li>
                    ))}
                  </ol>
                </Fold>
              )}
            </>
          )
        }}
      </Answer>
    </Card>
  )
}

export function Gauge({
  label,
  share,
  children,
}: {
  label: string
  share: number
  children: preact.ComponentChildren
}) {
  const percent = Math.min(100, Math.max(0, share * 100))
  return (
    <div class="gauge">
      <div>
        <span>{label}</span>
        <span>{children}</span>
      </div>
      <span class="bar-track" aria-hidden="true">
        <span class={share > 0.9 ? 'bar full' : 'bar'} style={{ width: `${percent}%` }} />
      </span>
    </div>
  )
}

function RescueClock() {
  const rescue = useAsked('rescue', { within: '7d', limit: 1 })
  return (
    <Card title="Rescue clock">
      <Answer to={rescue}>
        {(asked) => {
          const { sessions, total, not_held: lost } = asked.doc
          const first = sessions[0]?.deleted_at ?? null
          if (sessions.length === 0)
            return <Empty>No transcript will be deleted by its agent in the next 7 days.</Empty>
          return (
            <>
              <p>
                <strong>
                  <N of={asked} at="total" /> {total === 1 ? 'transcript' : 'transcripts'}
                </strong>{' '}
                will be deleted by their agents within 7 days,{' '}
                {lost === 0 ? (
                  'and recall has them all.'
                ) : (
                  <span class="bad">
                    <N of={asked} at="not_held" /> of them recall does not hold.
                  </span>
                )}
              </p>
              <p class="dim">
                {first !== null && Date.parse(first) < Date.now()
                  ? 'Overdue: they go when their agent next starts.'
                  : `The next: ${when(first)}.`}
              </p>
              {lost === 0 ? null : <Command line="recall index" />}
            </>
          )
        }}
      </Answer>
    </Card>
  )
}

function Problems() {
  const status = useAsked('status', {})
  return (
    <Card title="Problems and debts" wide aside={<a href={to('/sources')}>sources</a>}>
      <Answer to={status}>
        {(asked) => {
          const { problems, debts, notices, last_index: last } = asked.doc
          const all = problems.reduce((sum, one) => sum + one.count, 0)
          return (
            <>
              {all === 0 ? (
                <p>Every record was understood.</p>
              ) : (
                <ul class="plain">
                  {problems.slice(0, 4).map((one, i) => (
                    <li key={`${one.source} ${one.type}`}>
                      <N of={asked} at={`problems.${i}.count`} /> {one.type} <span class="dim">{one.source}</span>
                    </li>
                  ))}
                </ul>
              )}
              {debts.map(({ message, since }) => (
                <p key={message} class="bad">
                  {message} <span class="dim">since {when(since)}</span>
                </p>
              ))}
              {notices.map(({ message }) => (
                <p key={message} class="bad">
                  {message}
                </p>
              ))}
              {debts.length === 0 && notices.length === 0 ? <p>Nothing is left undone.</p> : null}
              <p class="dim">Read last {away(last)}.</p>
            </>
          )
        }}
      </Answer>
    </Card>
  )
}
