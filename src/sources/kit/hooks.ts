import { BRIEF_FLAG } from '../../model/brief-flag.ts'
import { UserError } from '../../model/errors.ts'
import { shellWords } from '../../model/shell-words.ts'
import type { Env } from '../source.ts'
import { asArray, asObject, asString, isObject, type Json } from './json.ts'
import { readSettings, writeSettings } from './settings-json.ts'

/** Where an agent keeps its hooks, and how ours is written into that file and taken out of it. */
export interface HookTarget extends Slot {
  /** Whether there is room for ours, where there is room for one alone; without it others are used. */
  isFree?(text: string): boolean
  /** The agent's own directory. Reads `env`, never the disk; so does `file`. */
  home(env: Env): string
  /** The settings file in it that names the hooks. */
  file(env: Env): string
}

/** Something of ours in a text of an agent. */
export interface Slot {
  /**
   * `text` with ours in it, and everything else as it was; null stands for a file that is not there. A text that has
   * just this comes back unchanged. BAD_CONFIG for a text that cannot be merged with.
   */
  add(text: string | null, command: readonly string[]): string
  /** `text` without ours, whichever command it calls; unchanged if it has none. */
  remove(text: string): string
  has(text: string): boolean
}

/** What an agent hands to its hook. */
export type HookPayload = Json

/** Tells an agent that also runs the hooks which were installed for another. */
export interface HookOrigin {
  readonly name: string
  /** The file of its own hooks: where it is, those of others need not tell the same again. */
  own(env: Env): string
  isBehind(payload: HookPayload, env: Env): boolean
}

/** Events that change what there is to remember, and how long the agent waits for a hook. */
interface Occasions {
  readonly events: readonly string[]
  readonly timeout: number
}

const USUAL: Occasions = { events: ['SessionStart', 'Stop', 'SessionEnd', 'PreCompact'], timeout: 5 }
/** The event at which an agent takes words of a hook. */
const START = 'SessionStart'

/** Hooks in the form `{"hooks": {"<event>": [{"hooks": [{"type": "command", …}]}]}}`, in a file of JSON. */
export function jsonHooks(
  agent: string,
  place: Pick<HookTarget, 'home' | 'file'>,
  { events, timeout }: Occasions = USUAL,
): HookTarget {
  const isOurs = (command: string) => isOurCommand(command, agent)
  const parseSettings = (text: string | null) => parsed(text, events)
  return {
    ...place,
    add(text, command) {
      const settings = parseSettings(text)
      const wanted = new Map(events.map((event) => [event, shellCommand(commandAt(event, command))]))
      const present = commandsOf(settings).filter(([, theirs]) => isOurs(theirs))
      if (text !== null && isJust(present, wanted)) return text
      const cleared = withoutHooks(settings, isOurs)
      const hooks: Record<string, unknown> = { ...asObject(cleared['hooks']) }
      for (const [event, called] of wanted) {
        const entry = { type: 'command', command: called, timeout }
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

/** Only the start of a session can be answered. */
function commandAt(event: string, command: readonly string[]): readonly string[] {
  return event === START ? command : command.filter((word) => word !== BRIEF_FLAG)
}

function isJust(present: readonly (readonly [string, string])[], wanted: ReadonlyMap<string, string>): boolean {
  return present.length === wanted.size && present.every(([event, command]) => wanted.get(event) === command)
}

function parsed(text: string | null, events: readonly string[]): Json {
  const value = readSettings(text, unmergeable)
  const hooks = value['hooks']
  if (hooks !== undefined && !isObject(hooks)) throw unmergeable('`hooks` in it is no object')
  for (const event of events) {
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
