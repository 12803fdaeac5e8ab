import { useState } from 'preact/hooks'
import { useAsked } from './asked.ts'
import { Answer, Card, Empty, N } from './figures.tsx'
import type { Format } from './format.ts'
import { Page } from './page.tsx'
import { useParam } from './router.ts'
import { sessionAddress, titleOf } from './session-row.tsx'

const MEASURES: readonly (readonly [string, string, Format])[] = [
  ['prompts', 'cost.turns', 'count'],
  ['output tokens', 'cost.output_tokens', 'short'],
  ['cached tokens', 'cost.cache_tokens', 'short'],
  ['from begin to end', 'cost.wall_clock_s', 'seconds'],
  ['you', 'time.active_s', 'seconds'],
  ['agent', 'time.agent_s', 'seconds'],
  ['waiting for you', 'time.waiting_s', 'seconds'],
  ['errors', 'markers.errors', 'count'],
  ['retries', 'markers.retries', 'count'],
  ['interventions', 'markers.interventions', 'count'],
  ['test runs', 'markers.test_runs', 'count'],
  ['edits', 'markers.edits', 'count'],
  ['compactions', 'markers.compactions', 'count'],
  ['events', 'event_count', 'count'],
]

/** Two sessions side by side, by what their digests say. */
export function Compare() {
  const [a, setA] = useParam('a', '')
  const [b, setB] = useParam('b', '')
  return (
    <Page title="Two sessions side by side">
      <div class="pair">
        <Choose label="the first" uid={a} onChoose={setA} />
        <Choose label="the second" uid={b} onChoose={setB} />
      </div>
      {a === '' || b === '' ? (
        <Empty>Choose two sessions to see what each took, and where they differ.</Empty>
      ) : (
        <Differences a={a} b={b} />
      )}
    </Page>
  )
}

function Choose({ label, uid, onChoose }: { label: string; uid: string; onChoose: (uid: string) => void }) {
  const [words, setWords] = useState('')
  const chosen = useAsked('read', { id: uid, limit: 1 }, { isOff: uid === '' })
  const recent = useAsked('list', { limit: 40 })
  const found = useAsked('search', { query: words, group_by: 'session', limit: 8, live: true }, { isOff: words === '' })
  const listed =
    words === '' ? (recent.asked?.doc.sessions ?? []) : (found.asked?.doc.hits.map(({ session }) => session) ?? [])
  if (uid !== '')
    return (
      <Answer to={chosen}>
        {({ doc }) => (
          <p class="chosen">
            <a href={sessionAddress(uid)}>{titleOf(doc.session)}</a>{' '}
            <button type="button" onClick={() => onChoose('')}>
              another
            </button>
          </p>
        )}
      </Answer>
    )
  return (
    <div>
      <input
        type="search"
        aria-label={`find ${label} session`}
        placeholder={`find ${label}`}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul class="plain chooser">
        {listed.slice(0, 8).map((session) => (
          <li key={session.session_uid}>
            <button type="button" onClick={() => onChoose(session.session_uid)}>
              {titleOf(session)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Differences({ a, b }: { a: string; b: string }) {
  const first = useAsked('digest', { id: a })
  const second = useAsked('digest', { id: b })
  return (
    <Answer to={first}>
      {(left) => (
        <Answer to={second}>
          {(right) => {
            const files = new Set(left.doc.files.map(({ path }) => path))
            const shared = right.doc.files.filter(({ path }) => files.has(path))
            return (
              <div class="grid">
                <Card title="What each took" wide>
                  <table class="pairs">
                    <tbody>
                      <tr>
                        <th scope="row">outcome</th>
                        <td class="right">{left.doc.outcome}</td>
                        <td class="right">{right.doc.outcome}</td>
                      </tr>
                      {MEASURES.map(([name, at, as]) => (
                        <tr key={name}>
                          <th scope="row">{name}</th>
                          <td class="right">
                            <N of={left} at={at} as={as} />
                          </td>
                          <td class="right">
                            <N of={right} at={at} as={as} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </Card>
                <Card title="What was asked first" wide>
                  <div class="pair">
                    <p>{left.doc.first_prompt}</p>
                    <p>{right.doc.first_prompt}</p>
                  </div>
                </Card>
                <Card title="Files that both touched" wide>
                  {shared.length === 0 ? (
                    <p class="dim">None.</p>
                  ) : (
                    <ul class="plain">
                      {shared.map(({ path }) => (
                        <li key={path}>{path}</li>
                      ))}
                    </ul>
                  )}
                </Card>
              </div>
            )
          }}
        </Answer>
      )}
    </Answer>
  )
}
