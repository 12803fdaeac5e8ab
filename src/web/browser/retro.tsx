import { useAsked } from './asked.ts'
import { DayChart } from './charts.tsx'
import { Evidence } from './evidence.tsx'
import { Answer, Card, Empty, N, Tile } from './figures.tsx'
import { useParam } from './router.ts'
import { Table } from './tables.tsx'

const SPANS = [
  ['', 'the last 7 full days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
] as const

/** A look back, every figure with what it was counted from. */
export function Retro() {
  const [since, setSince] = useParam('since', '')
  const retro = useAsked('retro', since === '' ? {} : { since })
  return (
    <>
      <div class="ranges" role="group" aria-label="days looked back at">
        {SPANS.map(([value, name]) => (
          <button key={value} type="button" aria-pressed={since === value} onClick={() => setSince(value)}>
            {name}
          </button>
        ))}
      </div>
      <Answer to={retro}>
        {(asked) => {
          const { doc } = asked
          if (doc.sessions.length === 0) return <Empty>No session in these days.</Empty>
          return (
            <>
              <div class="tiles">
                <Tile label="Sessions">{doc.sessions.length}</Tile>
                <Tile label="Cost">
                  <N of={asked} at="cost.usd" as="usd" />
                </Tile>
                <Tile label="You">
                  <N of={asked} at="time.active_s" as="seconds" />
                </Tile>
                <Tile label="Agents">
                  <N of={asked} at="time.agent_s" as="seconds" />
                </Tile>
                <Tile label="Waiting for you">
                  <N of={asked} at="time.waiting_s" as="seconds" />
                </Tile>
              </div>
              <div class="grid">
                <Card title="What to do better" wide>
                  {doc.suggestions.length === 0 ? (
                    <p class="dim">Nothing stands out.</p>
                  ) : (
                    <ol class="suggestions">
                      {doc.suggestions.map(({ text, evidence }) => (
                        <li key={text}>
                          {text} <Evidence places={evidence} />
                        </li>
                      ))}
                    </ol>
                  )}
                </Card>
                <Card title="Time by day" wide>
                  <DayChart
                    label="time by day"
                    days={doc.time.by_day.map(({ day }) => day)}
                    series={[
                      {
                        label: 'you',
                        as: 'seconds',
                        colour: '--accent',
                        values: doc.time.by_day.map(({ active_s: s }) => s),
                      },
                      {
                        label: 'agent at work',
                        as: 'seconds',
                        colour: '--bar-2',
                        values: doc.time.by_day.map(({ agent_s: s }) => s),
                      },
                    ]}
                  />
                </Card>
                <Card title="Compared with the days before" wide>
                  {doc.compared_with.measures.length === 0 ? (
                    <p class="dim">There is nothing before to compare with.</p>
                  ) : (
                    <Table
                      label="compared"
                      of={[asked]}
                      rows={({ compared_with: { measures } }) => measures}
                      columns={[
                        { title: 'what', cell: ({ what }) => what },
                        { title: 'before', right: true, cell: ({ before }) => before.shown },
                        { title: 'now', right: true, cell: ({ now }) => now.shown },
                        { title: '', cell: ({ verdict }) => <span class={VERDICTS[verdict] ?? 'dim'}>{verdict}</span> },
                      ]}
                    />
                  )}
                </Card>
                <Card title="Trouble" wide>
                  {doc.trouble.length === 0 ? (
                    <p class="dim">None that recurred.</p>
                  ) : (
                    <Table
                      label="trouble"
                      of={[asked]}
                      rows={({ trouble }) => trouble}
                      columns={[
                        { title: 'what', cell: ({ summary }) => summary },
                        { title: 'kind', cell: ({ kind }) => <span class="tag">{kind.replaceAll('_', ' ')}</span> },
                        { title: 'times', right: true, cell: (_, i) => <N of={asked} at={`trouble.${i}.count`} /> },
                        { title: 'evidence', cell: ({ evidence }) => <Evidence places={evidence} /> },
                      ]}
                    />
                  )}
                </Card>
              </div>
            </>
          )
        }}
      </Answer>
    </>
  )
}

const VERDICTS: Readonly<Record<string, string>> = { better: 'good', worse: 'bad' }
