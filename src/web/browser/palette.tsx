import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAsked } from './asked.ts'
import { lastParts } from './format.ts'
import { go, to } from './router.ts'
import { sessionAddress, titleOf } from './session-row.tsx'

const VIEWS: readonly (readonly [string, string])[] = [
  ['Home', '/'],
  ['Search', '/search'],
  ['Sessions', '/sessions'],
  ['Tools', '/insights/tools'],
  ['Commands', '/insights/commands'],
  ['Permissions', '/insights/permissions'],
  ['Cost', '/insights/cost'],
  ['Time', '/insights/time'],
  ['Patterns', '/insights/patterns'],
  ['Retro', '/insights/retro'],
  ['Compare two sessions', '/compare'],
  ['Groups and archives', '/groups'],
  ['Sources and problems', '/sources'],
  ['Settings', '/settings'],
]

function Dialog({ label, onClose, children }: { label: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it by itself
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {children}
    </dialog>
  )
}

interface Target {
  readonly name: string
  readonly note: string
  readonly address: string
}

/** Goes anywhere by a few letters: a view, or a session. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const recent = useAsked('list', { limit: 40 })
  const found = useAsked(
    'search',
    { query: words, group_by: 'session', limit: 6, live: true },
    { isOff: words.length < 3 },
  )
  const fits = (text: string) => text.toLowerCase().includes(words.toLowerCase())
  const targets: Target[] = [
    ...VIEWS.filter(([name]) => fits(name)).map(([name, path]) => ({ name, note: 'view', address: to(path) })),
    ...(recent.asked?.doc.sessions ?? [])
      .filter((session) => fits(titleOf(session)))
      .slice(0, 8)
      .map((session) => ({
        name: titleOf(session),
        note: session.repo ?? lastParts(session.cwd),
        address: sessionAddress(session.session_uid),
      })),
    ...(words.length < 3 ? [] : (found.asked?.doc.hits ?? [])).map((hit) => ({
      name: titleOf(hit.session),
      note: hit.snippet.slice(0, 60),
      address: sessionAddress(hit.session.session_uid, hit.pointer),
    })),
    ...(words === ''
      ? []
      : [{ name: `Search for “${words}”`, note: 'everywhere', address: to('/search', { q: words }) }]),
  ].slice(0, 16)
  const open = (target: Target | undefined) => {
    if (target === undefined) return
    onClose()
    go(target.address)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(targets.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (event.key === 'Enter') open(targets[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="go to" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="where to"
        aria-expanded="true"
        aria-controls="targets"
        aria-activedescendant={`target-${at}`}
        placeholder="A view, a session, or words"
        value={words}
        onInput={(event) => (setWords(event.currentTarget.value), setAt(0))}
        onKeyDown={press}
      />
      <ul id="targets" role="listbox" aria-label="where to" class="targets">
        {targets.map((target, i) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above takes the keys
          <li
            key={`${target.address} ${i}`}
            id={`target-${i}`}
            role="option"
            aria-selected={i === at}
            onClick={() => open(target)}
          >
            <span>{target.name}</span> <span class="dim">{target.note}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['Ctrl K', 'go to a view or a session'],
  ['h s i c', 'home, sessions, insights, compare'],
  ['j k', 'down, up: in lists and in a session'],
  ['Enter', 'open; in a session, unfold'],
  ['n p', 'in a session: next, previous thing that went wrong'],
  ['g G', 'in a session: begin, end'],
  ['t', 'in a session: only the talk, or everything'],
  ['Esc', 'close'],
  ['?', 'these keys'],
]

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  )
}
