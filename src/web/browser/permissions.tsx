import { useState } from 'preact/hooks'
import { change, ProblemError, type Doc } from './api.ts'
import { Answer, Card, Empty, Fold, More, N, Told, Trouble } from './figures.tsx'
import { when } from './format.ts'
import { useList } from './listing.ts'
import { Table } from './tables.tsx'

type Applied = Doc<'stats.apply'>
const STEP = 50

/** Rules that could be allowed, with evidence; applied only after the change was shown. */
export function Permissions() {
  const suggested = useList('stats.suggest', {}, STEP)
  const inForce = useList('permissions.report', {}, STEP)
  const [planned, setPlanned] = useState<Applied | null>(null)
  const [done, setDone] = useState<Applied | null>(null)
  const [problem, setProblem] = useState<ProblemError | null>(null)
  const run = async (input: { readonly dry_run?: boolean; readonly yes?: boolean }, then: (doc: Applied) => void) => {
    setProblem(null)
    try {
      then(await change('stats.apply', { scope: 'user', ...input }))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error)
    }
  }
  const apply = async () => {
    await run({ yes: true }, (doc) => (setDone(doc), setPlanned(null)))
    inForce.again()
    suggested.again()
  }
  return (
    <div class="grid">
      <Card
        title="Rules that could be allowed"
        wide
        aside={
          <button type="button" onClick={() => run({ dry_run: true }, (doc) => (setDone(null), setPlanned(doc)))}>
            Show the change
          </button>
        }
      >
        {problem === null ? null : <Trouble problem={problem.problem} />}
        {planned === null ? null : <Plan planned={planned} onApply={apply} onLeave={() => setPlanned(null)} />}
        {done === null ? null : (
          <p role="status">
            Written to <code>{done.applied.file}</code>. <code>recall permissions undo</code> takes it back.
          </p>
        )}
        <Answer to={suggested}>
          {(asked) =>
            asked.doc.suggestions.length === 0 ? (
              <Empty>No command was run often enough, without harm, to suggest a rule.</Empty>
            ) : (
              <>
                <Table
                  label="suggested rules"
                  of={suggested.pages}
                  rows={(doc) => doc.suggestions}
                  columns={[
                    { title: 'rule', cell: ({ rule }) => <code class="rule">{rule}</code> },
                    {
                      title: 'sure',
                      cell: ({ confidence }) => <span class={`certainty ${SURE[confidence]}`}>{confidence}</span>,
                    },
                    {
                      title: 'times',
                      right: true,
                      cell: (_, i, page) => <N of={page} at={`suggestions.${i}.count`} />,
                    },
                    {
                      title: 'failed',
                      right: true,
                      cell: (_, i, page) => <N of={page} at={`suggestions.${i}.error_rate`} as="percent" />,
                    },
                    {
                      title: 'evidence',
                      cell: ({ rule, reason, samples, nearest_danger: danger }) => (
                        <Fold name={rule} summary={<Told>{reason}</Told>}>
                          {samples.map((sample) => (
                            <code key={sample} class="line">
                              {sample}
                            </code>
                          ))}
                          {danger === null ? null : (
                            <p class="dim">
                              Still asked about: <code>{danger}</code>
                            </p>
                          )}
                        </Fold>
                      ),
                    },
                  ]}
                />
                <More of={suggested} />
              </>
            )
          }
        </Answer>
      </Card>
      <Card title="Rules in force" wide>
        <Answer to={inForce}>
          {(asked) =>
            asked.doc.rules.length === 0 ? (
              <Empty>recall has written no rule.</Empty>
            ) : (
              <>
                <Table
                  label="rules in force"
                  of={inForce.pages}
                  rows={(doc) => doc.rules}
                  columns={[
                    { title: 'rule', cell: ({ rule }) => <code class="rule">{rule}</code> },
                    { title: 'file', cell: ({ file }) => file },
                    { title: 'matched', right: true, cell: (_, i, page) => <N of={page} at={`rules.${i}.matched`} /> },
                    { title: 'failed', right: true, cell: (_, i, page) => <N of={page} at={`rules.${i}.errors`} /> },
                    { title: 'since', cell: ({ since }) => when(since) },
                  ]}
                />
                <More of={inForce} />
              </>
            )
          }
        </Answer>
      </Card>
    </div>
  )
}

const SURE: Readonly<Record<string, string>> = { high: 'sure', medium: 'likely', low: 'guess' }

function Plan({ planned, onApply, onLeave }: { planned: Applied; onApply: () => void; onLeave: () => void }) {
  return (
    <section class="plan" aria-label="what would be written">
      <p>
        This would be written to <code>{planned.applied.file}</code>:
      </p>
      <pre class="diff-lines">
        {planned.applied.diff.map((line, i) => (
          <span key={i} class={line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : ''}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      <button type="button" class="primary" onClick={onApply}>
        Write it
      </button>{' '}
      <button type="button" onClick={onLeave}>
        Leave it
      </button>
    </section>
  )
}
