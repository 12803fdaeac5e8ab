import { UserError } from '../../model/errors.ts'
import { shellWords } from '../../model/shell-words.ts'
import type { Env } from '../source.ts'
import { asArray, asObject, asString, isObject, type Json } from './json.ts'
import { readSettings, writeSettings } from './settings-json.ts'

/** Where an agent keeps its hooks, and how ours is written into that file and taken out of it. */
export interface HookTarget {
  /** The agent's own directory. Reads `env`, never the disk; so does `file`. */
  home(env: Env): string
  /** The settings file in it that names the hooks. */
  file(env: Env): string
  /**
   * `text` with our hook in it, and everything else as it was; null stands for a file that is not there. A text that
   * has just this hook comes back unchanged. BAD_CONFIG for a text that cannot be merged with.
   */
  add(text: string | null, command: readonly string[]): string
  /** `text` without our hook, whichever command it calls; unchanged if it has none. */
  remove(text: string): string
  has(text: string): boolean
}

/** What an agent hands to its hook. */
export type HookPayload = Json

/** Tells an agent that also runs the hooks which were installed for another. */
export interface HookOrigin {
  readonly name: string
  isBehind(payload: HookPayload, env: Env): boolean
}

/** Events that change what there is to remember. */
const EVENTS = ['SessionStart', 'Stop', 'SessionEnd', 'PreCompact'] as const
const TIMEOUT_S = 5

/** Hooks in the form `{"hooks": {"<event>": [{"hooks": [{"type": "command", …}]}]}}`, in a file of JSON. */
export function jsonHooks(agent: string, place: Pick<HookTarget, 'home' | 'file'>): HookTarget {
  const isOurs = (command: string) => isOurCommand(command, agent)
  return {
    ...place,
    add(text, command) {
      const settings = parseSettings(text)
      const wanted = shellCommand(command)
      const present = commandsOf(settings).filter(([, theirs]) => isOurs(theirs))
      if (text !== null && isJust(present, wanted)) return text
      const cleared = withoutHooks(settings, isOurs)
      const hooks: Record<string, unknown> = { ...asObject(cleared['hooks']) }
      for (const event of EVENTS) {
        const entry = { type: 'command', command: wanted, timeout: TIMEOUT_S }
        hooks[event] = [...asArray(hooks[event]), { hooks: [entry] }]
      }
      return writeSettings({ ...cleared, hooks }, text, unmergeable)
    },
    remove(text) {
      const settings = parseSettings(text)
      return commandsOf(settings).some(([, command]) => isOurs(command))
        ? writeSettings(withoutHooks(settings, isOurs), text, unmergeable)
        : text
    },
    has: (text) => commandsOf(parseSettings(text)).some(([, command]) => isOurs(command)),
  }
}

/** Recognised by what it calls, not by where the program lies: that changes with every update of it. */
export function isOurCommand(command: string, agent: string): boolean {
  return new RegExp(`\\brecall(?:\\.js)?['"]?\\s+hook run ${agent}\\b`).test(command)
}

/** For a shell. A program that is gone must not disturb the agent. */
function shellCommand(command: readonly string[]): string {
  return `${shellWords(command)} || true`
}

function isJust(present: readonly (readonly [string, string])[], wanted: string): boolean {
  return (
    present.length === EVENTS.length &&
    EVENTS.every((event) => present.some(([where, command]) => where === event && command === wanted))
  )
}

function parseSettings(text: string | null): Json {
  const value = readSettings(text, unmergeable)
  const hooks = value['hooks']
  if (hooks !== undefined && !isObject(hooks)) throw unmergeable('`hooks` in it is no object')
  for (const event of EVENTS) {
    const groups = asObject(hooks)?.[event]
    if (groups !== undefined && !Array.isArray(groups)) throw unmergeable(`\`hooks.${event}\` in it is no list`)
  }
  return value
}

function unmergeable(why: string): UserError {
  return new UserError('BAD_CONFIG', `cannot be merged with: ${why}`, 'mend it first; nothing was changed')
}

/** Every hook's event and command. */
function commandsOf(settings: Json): (readonly [event: string, command: string])[] {
  return Object.entries(asObject(settings['hooks']) ?? {}).flatMap(([event, groups]) =>
    asArray(groups).flatMap((group) =>
      asArray(asObject(group)?.['hooks']).flatMap((hook) => {
        const command = asString(asObject(hook)?.['command'])
        return command === null ? [] : [[event, command] as const]
      }),
    ),
  )
}

/** Takes out our entries, and the groups, events and `hooks` that held nothing else. */
function withoutHooks(settings: Json, isOurs: (command: string) => boolean): Json {
  const isOurEntry = (hook: unknown) => isOurs(asString(asObject(hook)?.['command']) ?? '')
  const holdsOurs = (group: unknown) => asArray(asObject(group)?.['hooks']).some(isOurEntry)
  const rest: [string, unknown][] = []
  for (const [event, groups] of Object.entries(asObject(settings['hooks']) ?? {})) {
    if (!asArray(groups).some(holdsOurs)) {
      rest.push([event, groups])
      continue
    }
    const left = asArray(groups).flatMap((group) => {
      if (!holdsOurs(group)) return [group]
      const hooks = asArray(asObject(group)?.['hooks']).filter((hook) => !isOurEntry(hook))
      return hooks.length === 0 ? [] : [{ ...asObject(group), hooks }]
    })
    if (left.length > 0) rest.push([event, left])
  }
  if (rest.length > 0) return { ...settings, hooks: Object.fromEntries(rest) }
  const { hooks: _, ...others } = settings
  return others
}
