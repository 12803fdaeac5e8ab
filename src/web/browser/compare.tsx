import { useState } from 'preact/hooks'
import type { Doc as Api } from './api.ts'
import { useAsked } from './asked.ts'
import { Answer, Card, Empty, More, N } from './figures.tsx'
import { away, plural, type Format } from './format.ts'
import { rowsIn, useList } from './listing.ts'
import { Page } from './page.tsx'
import { useParam } from './router.ts'
import { Facts, Outcome, sessionAddress, titleOf } from './session-row.tsx'

const MEASURES: readonly (readonly [string, string, Format])[] = [
  ['cost', 'usd', 'usd'],
  ['prompts', 'digest.cost.turns', 'count'],
  ['output tokens', 'digest.cost.output_tokens', 'short'],
  ['cached tokens', 'digest.cost.cache_tokens', 'short'],
  ['from begin to end', 'digest.cost.wall_clock_s', 'seconds'],
  ['you', 'digest.time.active_s', 'seconds'],
  ['agent', 'digest.time.agent_s', 'seconds'],
  ['waiting for you', 'digest.time.waiting_s', 'seconds'],
  ['errors', 'digest.markers.errors', 'count'],
  ['retries', 'digest.markers.retries', 'count'],
  ['interventions', 'digest.markers.interventions', 'count'],
  ['test runs', 'digest.markers.test_runs', 'count'],
  ['edits', 'digest.markers.edits', 'count'],
  ['compactions', 'digest.markers.compactions', 'count'],
  ['events', 'digest.event_count', 'count'],
]

const SIDES = [
  ['a', 'first'],
  ['b', 'second'],
] as const
const STEP = 50

/** Two sessions side by side, and where they part. */
export function Compare() {
  const [a, setA] = useParam('a', '')
  const [b, setB] = useParam('b', '')
  return (
    <Page title="Two sessions side by side">
      <div class="pair">
        <Choose label="The first" uid={a} onChoose={setA} />
        <Choose label="The second" uid={b} onChoose={setB} />
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
          <div class="chosen card">
            <div>
              <a href={sessionAddress(uid)}>{titleOf(doc.session)}</a>
              <Facts session={doc.session} />
            </div>
            <button type="button" onClick={() => onChoose('')}>
              another
            </button>
          </div>
        )}
      </Answer>
    )
  return (
    <div class="card chooser">
      <h2>{label}</h2>
      <input
        type="search"
        aria-label={`find ${label.toLowerCase()} session`}
        placeholder="find it by words"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul class="plain">
        {listed.slice(0, 8).map((session) => (
          <li key={session.session_uid}>
            <button type="button" onClick={() => onChoose(session.session_uid)}>
              {titleOf(session)} <span class="dim">{away(session.started_at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Doc = Api<'diff'>

function Differences({ a, b }: { a: string; b: string }) {
  const asked = useList('diff', { a, b }, STEP)
  return (
    <Answer to={asked}>
      {(answer) => {
        const { doc } = answer
        const tools = rowsIn(asked.pages, (page) => page.tools)
        const files = rowsIn(asked.pages, (page) => page.files)
        return (
          <div class="grid">
            <Card title="What each took" wide>
              <Parting of={doc} />
              <Pairs of={doc} label="what each took">
                <tr>
                  <th scope="row">outcome</th>
                  {[doc.a, doc.b].map(({ digest, session }) => (
                    <td key={session.session_uid} class="right">
                      <Outcome outcome={digest?.outcome ?? session.outcome} />
                    </td>
                  ))}
                </tr>
                {MEASURES.map(([name, at, as]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {SIDES.map(([side]) => (
                      <td key={side} class="right">
                        <N of={answer} at={`${side}.${at}`} as={as} />
                      </td>
                    ))}
                  </tr>
                ))}
              </Pairs>
            </Card>
            <Card title={`What was asked${since(doc)}`} wide>
              <div class="pair">
                <Prompts of={doc.a} />
                <Prompts of={doc.b} />
              </div>
            </Card>
            <Card title={`Tools${since(doc)}`} wide>
              <Rows
                of={doc}
                label="tools"
                rows={tools.map(({ row: { tool, a: left, b: right } }) => [tool, left, right])}
              />
            </Card>
            <Card title={`Files${since(doc)}: how often edited or read`} wide>
              <Rows
                of={doc}
                label="files"
                rows={files.map(({ row: { path, a: left, b: right } }) => [path, times(left), times(right)])}
              />
            </Card>
            <More of={asked} />
          </div>
        )
      }}
    </Answer>
  )
}

/** A table of both, under their names. */
function Pairs({ of, label, children }: { of: Doc; label: string; children: preact.ComponentChildren }) {
  return (
    <table class="pairs" aria-label={label}>
      <thead>
        <tr>
          <td />
          {[of.a, of.b].map(({ session }, i) => (
            <th key={i} scope="col" class="right">
              {titleOf(session)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

function since({ common }: Doc): string {
  return common === null ? '' : ' since they parted'
}

function times(file: Doc['files'][number]['a']): number {
  return file === null ? 0 : file.edits + file.reads
}

/** Where they part, with links to what came next; what is only known from a digest. */
function Parting({ of: { common, a, b } }: { of: Doc }) {
  const isGone = a.text === 'gone' || b.text === 'gone'
  if (common === null)
    return (
      <p class="dim">
        {isGone ? 'The raw text of one has gone: it is told from its digest.' : 'They have nothing in common.'}
      </p>
    )
  return (
    <p>
      They begin with the same {plural(common.events, 'event')}
      {[a, b].map(({ session, parts_at: at }, i) =>
        at === null ? (
          <span key={session.session_uid}>; the {SIDES[i]?.[1]} ends there</span>
        ) : (
          <span key={session.session_uid}>
            ; the {SIDES[i]?.[1]} goes on at <a href={sessionAddress(session.session_uid, at)}>{at}</a>
          </span>
        ),
      )}
      . What a fork copied is counted where it was said.
    </p>
  )
}

function Prompts({ of: { session, prompts, text } }: { of: Doc['a'] }) {
  if (prompts.length === 0) return <p class="dim">Nothing.</p>
  return (
    <ol class="said">
      {prompts.map(({ seq, pointer, text: words }) => (
        <li key={seq}>
          <span>{words}</span>{' '}
          {text === 'gone' ? null : <a href={sessionAddress(session.session_uid, pointer)}>{pointer}</a>}
        </li>
      ))}
    </ol>
  )
}

function Rows({ of, label, rows }: { of: Doc; label: string; rows: readonly (readonly [string, number, number])[] }) {
  if (rows.length === 0) return <p class="dim">None.</p>
  return (
    <Pairs of={of} label={label}>
      {rows.map(([name, left, right]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="right">{left === 0 ? <span class="dim">–</span> : left}</td>
          <td class="right">{right === 0 ? <span class="dim">–</span> : right}</td>
        </tr>
      ))}
    </Pairs>
  )
}
