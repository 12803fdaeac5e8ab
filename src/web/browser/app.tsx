import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { base, change, onChanges, ProblemError } from './api.ts'
import { useAsked } from './asked.ts'
import { Compare } from './compare.tsx'
import { Command, Trouble } from './figures.tsx'
import { Home } from './home.tsx'
import { Insights } from './insights.tsx'
import { useKeys } from './keys.ts'
import { Page } from './page.tsx'
import { KeysHelp, Palette } from './palette.tsx'
import { Groups, Settings, Sources } from './places.tsx'
import { followLinks, go, to, usePlace } from './router.ts'
import { Search } from './search.tsx'
import { SessionPage } from './session.tsx'
import { Sessions } from './sessions.tsx'

/** Address, name, key, and what stands before the name: lines in a square of 20. Those after a phone's have no key. */
const VIEWS = [
  ['/', 'Home', 'h', 'M3 9.5 10 3l7 6.5V17h-4.5v-4.5h-5V17H3z'],
  ['/search', 'Search', '/', 'M13 13l4.5 4.5M14.5 8.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0z'],
  ['/sessions', 'Sessions', 's', 'M3 4h14v9.5H9L5.5 17v-3.5H3z'],
  ['/insights/tools', 'Insights', 'i', 'M3 17h14M5 14V9m5 5V4m5 10V7'],
  ['/compare', 'Compare', 'c', 'M3 4h5.5v12H3zm8.5 0H17v12h-5.5z'],
  ['/groups', 'Groups', '', 'M10 2.5l7 3.7v7.6l-7 3.7-7-3.7V6.2zM3 6.2l7 3.7 7-3.7M10 9.9v7.6'],
  ['/sources', 'Sources', '', 'M3 5.5C3 2 17 2 17 5.5S3 9 3 5.5zm0 0v9c0 3.5 14 3.5 14 0v-9M3 10c0 3.5 14 3.5 14 0'],
  [
    '/settings',
    'Settings',
    '',
    'M3 6h8m4 0h2M3 14h2m4 0h8M15 6a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM9 14a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  ],
] as const
const MORE = 'M4 10h.01M10 10h.01M16 10h.01'

function App() {
  const { path } = usePlace()
  const [isAsking, setAsking] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const status = useAsked('status', {})
  const open = Object.fromEntries(
    VIEWS.filter(([, , key]) => key !== '').map(([view, , key]) => [key, () => go(to(view))]),
  )
  useKeys({ ...open, '?': () => setHelping(true) })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setAsking(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const views = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Where they do not all fit, the one that is looked at is seen.
    views.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path])
  const isFirstRun = base === '' && (status.problem?.code === 'NO_STORE' || status.asked?.doc.totals.sessions === 0)
  return (
    <>
      <a class="skip" href="#main">
        To the text
      </a>
      <nav class="shell" aria-label="views">
        <a class="brand" href={to('/')}>
          <img src="/assets/icon.svg" alt="" width="22" height="22" /> recall
        </a>
        {base === '' ? null : (
          <a class="demo-note" href="/" data-load>
            Made-up sessions: back to yours
          </a>
        )}
        <div class="views" ref={views}>
          {VIEWS.map(([view, name, , lines]) => (
            <a
              key={view}
              href={to(view)}
              class={view === '/groups' ? 'apart' : undefined}
              aria-current={isIn(path, view) ? 'page' : undefined}
            >
              <Lines of={lines} />
              {name}
            </a>
          ))}
        </div>
        <button type="button" class="palette-button" onClick={() => setAsking(true)}>
          <Lines of={MORE} />
          <span class="long">Go to…</span> <span class="short">More</span> <kbd>Ctrl K</kbd>
        </button>
        <Live />
      </nav>
      <main id="main" tabIndex={-1}>
        {status.problem !== null && !isFirstRun ? <Trouble problem={status.problem} again={status.again} /> : null}
        {isFirstRun && path === '/' ? <FirstRun onRead={status.again} /> : <View path={path} />}
      </main>
      {isAsking ? <Palette onClose={() => setAsking(false)} /> : null}
      {isHelping ? <KeysHelp onClose={() => setHelping(false)} /> : null}
    </>
  )
}

function Lines({ of }: { of: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={of} />
    </svg>
  )
}

function isIn(path: string, view: string): boolean {
  if (view === '/') return path === '/'
  if (view === '/sessions' && path.startsWith('/session/')) return true
  return path === view || (view.startsWith('/insights') && path.startsWith('/insights'))
}

function View({ path }: { path: string }) {
  const [, first = '', second = ''] = path.split('/')
  switch (first) {
    case '':
      return <Home />
    case 'search':
      return <Search />
    case 'sessions':
      return <Sessions />
    case 'session':
      return <SessionPage key={path} uid={second} />
    case 'insights':
      return <Insights key={second} tab={second || 'tools'} />
    case 'compare':
      return <Compare />
    case 'groups':
      return <Groups />
    case 'sources':
      return <Sources />
    case 'settings':
      return <Settings />
    default:
      return (
        <Page title="Nothing here">
          <p>
            There is no such view. <a href={to('/')}>Home</a> has all of them.
          </p>
        </Page>
      )
  }
}

/** Says for a moment that something came in. */
function Live() {
  const [count, setCount] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () =>
      onChanges((changes) => {
        setCount((n) => n + (changes?.length ?? 1))
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setCount(0), 4000)
      }),
    [],
  )
  return (
    <p class={count > 0 ? 'live on' : 'live'} role="status">
      <i aria-hidden="true" /> {count > 0 ? `${count} new` : 'live'}
    </p>
  )
}

/** What somebody sees who has nothing yet. */
function FirstRun({ onRead }: { onRead: () => void }) {
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState<ProblemError | null>(null)
  const read = async () => {
    setReading(true)
    setProblem(null)
    try {
      await change('index', {})
      onRead()
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error)
    }
    setReading(false)
  }
  return (
    <Page
      title="Welcome"
      lead="recall reads what your coding agents write to disk, keeps it, and gives it back. Nothing leaves this machine."
    >
      <div class="first-run">
        <section class="card">
          <h2>Read your sessions</h2>
          <p>
            Reads the sessions of the agents on this machine. Their files are only ever read; secrets are taken out
            before anything is kept.
          </p>
          <button type="button" class="primary" disabled={isReading} onClick={read}>
            {isReading ? 'Reading…' : 'Read them now'}
          </button>
          {problem === null ? null : <Trouble problem={problem.problem} />}
          <p class="dim">or in a terminal:</p>
          <Command line="recall index" />
        </section>
        <section class="card">
          <h2>Look around first</h2>
          <p>About thirty made-up sessions, in a store of their own that is thrown away afterwards.</p>
          <a class="button" href="/demo/" data-load>
            Show the demo
          </a>
        </section>
      </div>
    </Page>
  )
}

followLinks()
render(<App />, document.getElementById('app') ?? document.body)
