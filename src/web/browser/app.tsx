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

export const VIEWS = [
  ['/', 'Home', 'h'],
  ['/search', 'Search', '/'],
  ['/sessions', 'Sessions', 's'],
  ['/insights/tools', 'Insights', 'i'],
  ['/compare', 'Compare', 'c'],
  ['/groups', 'Groups', ''],
  ['/sources', 'Sources', ''],
  ['/settings', 'Settings', ''],
] as const

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
            made-up sessions; back to yours
          </a>
        )}
        {VIEWS.map(([view, name]) => (
          <a key={view} href={to(view)} aria-current={isIn(path, view) ? 'page' : undefined}>
            {name}
          </a>
        ))}
        <button type="button" class="palette-button" onClick={() => setAsking(true)}>
          Go to… <kbd>Ctrl K</kbd>
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
