import type { Doc } from './api.ts'
import { useAsked, type Asked } from './asked.ts'
import { DayChart } from './charts.tsx'
import { Answer, Bars, Card, Empty, More, N, Tile } from './figures.tsx'
import { away, lastParts, when } from './format.ts'
import { useRange } from './home.tsx'
import { useList, type Listing } from './listing.ts'
import { Page } from './page.tsx'
import { Permissions } from './permissions.tsx'
import { Evidence, evidenceAddress } from './evidence.tsx'
import { Retro } from './retro.tsx'
import { to } from './router.ts'
import { Table, type Column } from './tables.tsx'

const TABS = [
  ['tools', 'Tools'],
  ['commands', 'Commands'],
  ['permissions', 'Permissions'],
  ['cost', 'Cost'],
  ['time', 'Time'],
  ['patterns', 'Patterns'],
  ['retro', 'Retro'],
] as const

/** Rows that are asked for at once. */
const STEP = 50
/** No chart has more days. */
const MOST_DAYS = 500

type Since = { readonly since?: string }

export function Insights({ tab }: { tab: string }) {
  const [range, ranges] = useRange()
  const since: Since = range === undefined ? {} : { since: range }
  const isTimed = !['permissions', 'retro'].includes(tab)
  return (
    <Page title={TABS.find(([name]) => name === tab)?.[1] ?? 'Insights'} aside={isTimed ? ranges : undefined}>
      <nav class="tabs" aria-label="insights">
        {TABS.map(([name, title]) => (
          <a key={name} href={to(`/insights/${name}`)} aria-current={name === tab ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {tab === 'tools' ? <Tools since={since} /> : null}
      {tab === 'commands' ? <Commands since={since} /> : null}
      {tab === 'permissions' ? <Permissions /> : null}
      {tab === 'cost' ? <Cost since={since} /> : null}
      {tab === 'time' ? <Time since={since} /> : null}
      {tab === 'patterns' ? <Patterns since={since} /> : null}
      {tab === 'retro' ? <Retro /> : null}
    </Page>
  )
}

interface RowsProps<Row, D> {
  readonly label: string
  readonly of: Listing<D>
  readonly rows: (doc: D) => readonly Row[]
  readonly columns: readonly Column<Row, D>[]
  readonly none: preact.ComponentChildren
}

/** A table that goes on as somebody scrolls. */
function Rows<Row, D>({ label, of, rows, columns, none }: RowsProps<Row, D>) {
  return (
    <Answer to={of}>
      {({ doc }) =>
        rows(doc).length === 0 ? (
          none
        ) : (
          <>
            <Table label={label} of={of.pages} rows={rows} columns={columns} />
            <More of={of} />
          </>
        )
      }
    </Answer>
  )
}

const NOTHING = <Empty>Nothing was called in this time.</Empty>

function Tools({ since }: { since: Since }) {
  const tools = useList('stats.tools', since, STEP)
  const errors = useList('stats.errors', since, STEP)
  return (
    <div class="grid">
      <Card title="What was called" wide>
        <Rows
          label="tools"
          of={tools}
          rows={(doc) => doc.rows}
          none={NOTHING}
          columns={[
            {
              title: 'tool',
              cell: ({ tool }) => <a href={to('/search', { tool: tool ?? undefined })}>{tool ?? '(none)'}</a>,
            },
            { title: 'calls', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.count`} /> },
            { title: 'failed', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.errors`} /> },
            { title: 'sessions', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.sessions`} /> },
          ]}
        />
      </Card>
      <Card title="What failed" wide>
        <Rows
          label="errors"
          of={errors}
          rows={(doc) => doc.rows}
          none={<Empty command="recall analyze">No failure is known; sessions are looked through by</Empty>}
          columns={[
            {
              title: 'failure',
              cell: ({ summary, evidence }) =>
                evidence === null ? summary : <a href={evidenceAddress(evidence)}>{summary}</a>,
            },
            { title: 'tool', cell: ({ tool }) => tool },
            { title: 'times', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.count`} /> },
            { title: 'sessions', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.sessions`} /> },
            { title: 'last', right: true, cell: ({ last_at: at }) => <time title={when(at)}>{away(at)}</time> },
          ]}
        />
      </Card>
    </div>
  )
}

function Commands({ since }: { since: Since }) {
  const bash = useList('stats.bash', since, STEP)
  return (
    <Card title="Shell commands" wide>
      <Rows
        label="commands"
        of={bash}
        rows={(doc) => doc.rows}
        none={NOTHING}
        columns={[
          {
            title: 'command',
            cell: ({ bash_base: base, bash_sub: sub }) => (
              <code>
                {base} {sub}
              </code>
            ),
          },
          { title: 'times', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.count`} /> },
          { title: 'compound', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.compound`} /> },
          { title: 'inside others', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.inner`} /> },
          { title: 'failed', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.errors`} /> },
        ]}
      />
    </Card>
  )
}

function Cost({ since }: { since: Since }) {
  const days = useAsked('cost', { ...since, by: 'day', limit: MOST_DAYS })
  const models = useAsked('cost', { ...since, by: 'model', limit: 30 })
  const projects = useAsked('cost', { ...since, by: 'project', limit: 15 })
  const sessions = useList('cost', { ...since, by: 'session' }, 15)
  return (
    <>
      <Answer to={days}>
        {(asked) => (
          <div class="tiles">
            <Tile label="Cost" note={`prices of ${asked.doc.prices_dated}`}>
              <N of={asked} at="total_usd" as="usd" />
            </Tile>
            <Tile label="Responses">
              <N of={asked} at="totals.responses" />
            </Tile>
            <Tile label="Fresh input">
              <N of={asked} at="totals.input" as="short" />
            </Tile>
            <Tile label="Output">
              <N of={asked} at="totals.output" as="short" />
            </Tile>
            <Tile label="From the cache">
              <N of={asked} at="totals.cache_read" as="short" />
            </Tile>
          </div>
        )}
      </Answer>
      <div class="grid">
        <Card title="By day" wide>
          <Answer to={days}>{({ doc }) => <DayCost doc={doc} />}</Answer>
        </Card>
        <Card title="By model">
          <Answer to={models}>
            {(asked) => <CostBars asked={asked} name={(key) => key} link={(key) => to('/sessions', { model: key })} />}
          </Answer>
        </Card>
        <Card title="By project">
          <Answer to={projects}>
            {(asked) => (
              <CostBars
                asked={asked}
                name={(key) => lastParts(key)}
                link={(key) => to('/sessions', { project: key })}
              />
            )}
          </Answer>
        </Card>
        <Card title="The dearest sessions" wide>
          <Rows
            label="sessions by cost"
            of={sessions}
            rows={(doc) => doc.rows}
            none={<Empty>Nothing was billed in this time.</Empty>}
            columns={[
              {
                title: 'session',
                cell: ({ key, title }) => <a href={to(`/session/${key ?? ''}`)}>{title ?? key ?? 'unknown'}</a>,
              },
              { title: 'cost', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.usd`} as="usd" /> },
              {
                title: 'output',
                right: true,
                cell: (_, i, asked) => <N of={asked} at={`rows.${i}.output`} as="short" />,
              },
              { title: 'responses', right: true, cell: (_, i, asked) => <N of={asked} at={`rows.${i}.responses`} /> },
            ]}
          />
        </Card>
      </div>
    </>
  )
}

function DayCost({ doc }: { doc: Doc<'cost'> }) {
  const rows = doc.rows.filter(({ key }) => key !== null)
  if (rows.length === 0) return <Empty>Nothing was billed in this time.</Empty>
  const series = [{ label: 'cost', values: rows.map(({ usd }) => usd), as: 'usd', colour: '--accent' } as const]
  return <DayChart label="cost by day" days={rows.map(({ key }) => key ?? '')} series={series} />
}

interface CostBarsProps {
  readonly asked: { readonly address: string; readonly doc: Doc<'cost'> }
  readonly name: (key: string) => string
  readonly link: (key: string) => string
}

function CostBars({ asked, name, link }: CostBarsProps) {
  if (asked.doc.rows.length === 0) return <Empty>Nothing was billed in this time.</Empty>
  return (
    <Bars
      rows={asked.doc.rows.map(({ key, usd }, i) => ({
        label: key === null ? 'unknown' : name(key),
        title: key ?? '',
        ...(key === null ? {} : { href: link(key) }),
        value: usd,
        shown: <N of={asked} at={`rows.${i}.usd`} as="usd" />,
        note: (
          <>
            <N of={asked} at={`rows.${i}.output`} as="short" /> out
          </>
        ),
      }))}
    />
  )
}

const TIMES = [
  ['active_s', 'you', '--accent'],
  ['agent_s', 'agent at work', '--bar-2'],
  ['waiting_s', 'waiting for you', '--bar-3'],
] as const

function Time({ since }: { since: Since }) {
  const time = useList('time', since, STEP)
  return (
    <Answer to={time}>
      {(asked) => (
        <>
          <div class="tiles">
            {TIMES.map(([name, label]) => (
              <Tile key={name} label={label}>
                <N of={asked} at={name} as="seconds" />
              </Tile>
            ))}
            <Tile label="idle">
              <N of={asked} at="idle_s" as="seconds" />
            </Tile>
            <Tile label="side by side" note="counted once">
              <N of={asked} at="overlap_s" as="seconds" />
            </Tile>
          </div>
          <div class="grid">
            <Card title="By day" wide>
              {asked.doc.by_day.length === 0 ? (
                <Empty>Nobody was at work in this time.</Empty>
              ) : (
                <DayChart
                  label="time by day"
                  days={asked.doc.by_day.map(({ day }) => day)}
                  series={TIMES.map(([name, label, colour]) => ({
                    label,
                    colour,
                    as: 'seconds',
                    values: asked.doc.by_day.map((row) => row[name]),
                  }))}
                />
              )}
            </Card>
            <Card title="By project" wide>
              <Table
                label="time by project"
                of={time.pages}
                rows={(doc) => doc.by_project}
                columns={[
                  { title: 'project', cell: ({ project }) => <span title={project ?? ''}>{lastParts(project)}</span> },
                  ...TIMES.map(([name, label]) => ({
                    title: label as string,
                    right: true,
                    cell: (_: unknown, i: number, page: Asked) => (
                      <N of={page} at={`by_project.${i}.${name}`} as="seconds" />
                    ),
                  })),
                  {
                    title: 'sessions',
                    right: true,
                    cell: (_, i, page) => <N of={page} at={`by_project.${i}.sessions`} />,
                  },
                ]}
              />
              <More of={time} />
            </Card>
          </div>
        </>
      )}
    </Answer>
  )
}

function Patterns({ since }: { since: Since }) {
  const patterns = useList('patterns', since, STEP)
  return (
    <Card title="What recurs across sessions" wide>
      <Rows
        label="patterns"
        of={patterns}
        rows={(doc) => doc.patterns}
        none={<Empty command="recall analyze">Nothing recurs; sessions are looked through by</Empty>}
        columns={[
          { title: 'what', cell: ({ summary }) => summary },
          { title: 'kind', cell: ({ kind }) => <span class="tag">{kind.replaceAll('_', ' ')}</span> },
          { title: 'times', right: true, cell: (_, i, asked) => <N of={asked} at={`patterns.${i}.count`} /> },
          { title: 'sessions', right: true, cell: (_, i, asked) => <N of={asked} at={`patterns.${i}.sessions`} /> },
          { title: 'evidence', cell: ({ evidence }) => <Evidence places={evidence} /> },
        ]}
      />
    </Card>
  )
}
