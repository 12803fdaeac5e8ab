import { Fragment } from 'preact'
import { useAsked } from './asked.ts'
import { Answer, Card, Command, Empty, More, N, Told } from './figures.tsx'
import { away, FORMATS, when } from './format.ts'
import { useList } from './listing.ts'
import { Page } from './page.tsx'
import { useParam } from './router.ts'
import { Table } from './tables.tsx'

const STEP = 50

/** Agents, what was read of them, and what could not be. */
export function Sources() {
  const status = useAsked('status', {})
  const doctor = useAsked('doctor', {})
  const hooks = useAsked('hook.status', {})
  return (
    <Page title="Sources and problems">
      <div class="grid">
        <Card title="Agents" wide>
          <Answer to={status}>
            {(asked) => (
              <Table
                label="agents"
                of={[asked]}
                rows={(doc) => doc.sources}
                columns={[
                  { title: 'agent', cell: ({ name }) => <span class={`agent ${name}`}>{name}</span> },
                  {
                    title: 'where',
                    cell: ({ roots }) =>
                      roots.map((root) => (
                        <code key={root} class="line">
                          {root}
                        </code>
                      )),
                  },
                  { title: 'files', right: true, cell: (_, i) => <N of={asked} at={`sources.${i}.files`} /> },
                  { title: 'sessions', right: true, cell: (_, i) => <N of={asked} at={`sources.${i}.sessions`} /> },
                  {
                    title: 'prompts',
                    right: true,
                    cell: (_, i) => <N of={asked} at={`sources.${i}.totals.prompts`} />,
                  },
                  { title: 'events', right: true, cell: (_, i) => <N of={asked} at={`sources.${i}.totals.events`} /> },
                ]}
              />
            )}
          </Answer>
        </Card>
        <Card title="What could not be read" wide>
          <Answer to={status}>
            {(asked) =>
              asked.doc.problems.length === 0 ? (
                <Empty>Every record was understood.</Empty>
              ) : (
                <Table
                  label="problems"
                  of={[asked]}
                  rows={(doc) => doc.problems}
                  columns={[
                    { title: 'agent', cell: ({ source }) => source },
                    { title: 'what', cell: ({ type }) => type },
                    {
                      title: 'level',
                      cell: ({ level }) => <span class={level === 'warn' ? 'bad' : 'dim'}>{level}</span>,
                    },
                    { title: 'times', right: true, cell: (_, i, page) => <N of={page} at={`problems.${i}.count`} /> },
                  ]}
                />
              )
            }
          </Answer>
        </Card>
        <Card title="Is everything in order?" wide>
          <Answer to={doctor}>
            {({ doc }) =>
              doc.findings.length === 0 ? (
                <p>Yes: nothing was found.</p>
              ) : (
                <ul class="findings">
                  {doc.findings.map(({ id, level, message, remedy }) => (
                    <li key={id + message} class={level}>
                      <strong>{message}</strong>
                      <p class="dim">{remedy}</p>
                    </li>
                  ))}
                </ul>
              )
            }
          </Answer>
        </Card>
        <Card title="How it is kept up to date">
          <Answer to={hooks}>
            {(asked) => (
              <>
                <ul class="plain">
                  {asked.doc.hooks.map((hook) => (
                    <li key={hook.agent}>
                      <span class={`agent ${hook.agent}`}>{hook.agent}</span>{' '}
                      {hook.installed ? 'tells when it has ended' : 'has no hook'}
                    </li>
                  ))}
                </ul>
                <p class="dim">
                  <N of={asked} at="queued" /> waiting to be read. To read as agents write:
                </p>
                <Command line="recall watch" />
              </>
            )}
          </Answer>
        </Card>
        <Card title="The store">
          <Answer to={status}>
            {(asked) => (
              <dl>
                <dt>file</dt>
                <dd>{asked.doc.store.path}</dd>
                <dt>size</dt>
                <dd>
                  <N of={asked} at="store.bytes" as="bytes" />
                </dd>
                <dt>events</dt>
                <dd>
                  <N of={asked} at="totals.events" />
                </dd>
                <dt>read last</dt>
                <dd>{away(asked.doc.last_index)}</dd>
              </dl>
            )}
          </Answer>
        </Card>
      </div>
    </Page>
  )
}

/** May be broken where its parts meet. */
function Key({ name }: { name: string }) {
  return (
    <code>
      {name.split(/(?<=[._])/).map((part, i) => (
        <Fragment key={i}>
          {i === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  )
}

/** Bytes as somebody says them, beside what is written in the file. */
function valueOf(key: string, value: string): string {
  return key.endsWith('_bytes') && /^\d+$/.test(value) ? `${value} (${FORMATS.bytes(Number(value))})` : value
}

/** What is in force, and who said so; changed in the config file. */
export function Settings() {
  const settings = useAsked('settings', {})
  return (
    <Page
      title="Settings"
      lead={
        <Answer to={settings}>
          {({ doc }) => <>What is in force. It is changed in {doc.config}, by the environment, or by flags.</>}
        </Answer>
      }
    >
      <Card title="In force" wide>
        <Answer to={settings}>
          {(asked) => (
            <Table
              label="settings"
              of={[asked]}
              rows={(doc) => doc.settings}
              columns={[
                { title: 'setting', cell: ({ key }) => <Key name={key} /> },
                {
                  title: 'value',
                  cell: ({ key, value }) =>
                    value === '' ? <span class="dim">none</span> : <span class="value">{valueOf(key, value)}</span>,
                },
                {
                  title: 'from',
                  cell: ({ from, where }) => (
                    <span class={from === 'default' ? 'dim' : 'tag'} title={where ?? undefined}>
                      {from}
                    </span>
                  ),
                },
                {
                  title: 'what it does',
                  cell: ({ help }) => (
                    <span class="dim help">
                      <Told>{help}</Told>
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Answer>
      </Card>
    </Page>
  )
}

/** Agents in containers, each with a memory of its own, and what it has put away. */
export function Groups() {
  const groups = useList('group.list', {}, STEP)
  const [chosen, choose] = useParam('group', '')
  return (
    <Page
      title="Groups and archives"
      lead="Agents in containers have memories of their own, with sessions and archives to switch between."
    >
      <Answer to={groups}>
        {({ doc }) =>
          doc.groups.length === 0 ? (
            <Empty command="recall group add family">There is no group yet.</Empty>
          ) : (
            <div class="grid">
              <Card title="Groups">
                <ul class="plain groups-list">
                  {groups.pages
                    .flatMap((page) => page.doc.groups)
                    .map((group) => (
                      <li key={group.name}>
                        <button
                          type="button"
                          aria-pressed={(chosen || doc.groups[0]?.name) === group.name}
                          onClick={() => choose(group.name)}
                        >
                          {group.name}
                        </button>
                      </li>
                    ))}
                </ul>
                <More of={groups} />
              </Card>
              <History key={chosen || doc.groups[0]?.name} group={chosen || (doc.groups[0]?.name ?? '')} />
            </div>
          )
        }
      </Answer>
    </Page>
  )
}

function History({ group }: { group: string }) {
  const history = useList('session.history', { group }, STEP)
  return (
    <Card title={`Put away in ${group}`} wide>
      <Answer to={history}>
        {({ doc }) => {
          const rows = doc.sessions
          return rows.length === 0 ? (
            <Empty command={`recall session archive first --group ${group}`}>Nothing has been put away.</Empty>
          ) : (
            <>
              <Table
                label="archives"
                of={history.pages}
                rows={(page) => page.sessions}
                columns={[
                  { title: 'name', cell: ({ name }) => name },
                  { title: 'begun', cell: ({ created_at: at }) => when(at) },
                  { title: 'put away', cell: ({ archived_at: at }) => when(at) },
                ]}
              />
              <More of={history} />
            </>
          )
        }}
      </Answer>
    </Card>
  )
}
