import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  PARTS,
  promptsOf,
  removeSaga,
  uidOf,
  wordOf,
  writeHistories,
  writeSaga,
  type Agent,
  type Saga,
} from './sessions.ts'
import { writeGroups } from './group-state.ts'
import { T0, type Place, type Run, type Workshop } from './workshop.ts'

/** A command that is to survive whatever happens to it. */
export interface Scenario {
  readonly name: string
  /** The state it starts from. */
  readonly from: 'nothing' | 'store' | 'connected'
  /** It writes into the files of the user, who lives in the project then. */
  readonly home?: 'own'
  /** With little room, a sweep evicts. */
  readonly room: 'ample' | 'tight'
  readonly args: readonly string[]
  readonly input?: string
  /** Said twice, it is done twice: nobody repeats it who was told that it is done. */
  readonly once?: true
  /** Where nothing may be written a group has closed its own directory: that is told, and not tried again. */
  readonly inGroups?: true
  /** What a user runs next. */
  readonly after: readonly (readonly string[])[]
}

const DAY_MS = 86_400_000
const START = Date.parse('2026-10-05T09:00:00Z')
/** Caps under which a sweep evicts all but the pinned, in whatever order, and those of an earlier sweep: a third. */
const TIGHT = { soft: '46KiB', hard: '120KiB' }
const FIRST_SWEEP = { soft: '70KiB', hard: '160KiB' }

function saga(agent: Agent, name: string, turns: number, day: number): Saga {
  return { agent, name, turns, start: START + day * DAY_MS }
}

const evictedFirst = [saga('claude', 'oldest', 2, 0), saga('codex', 'older', 2, 1), saga('grok', 'old', 2, 2)]
const growing = [saga('claude', 'growing', 4, 10), saga('codex', 'widening', 3, 11), saga('grok', 'rising', 3, 12)]
const shrinking = saga('claude', 'shrinking', 3, 13)
const vanishing = saga('claude', 'vanishing', 2, 14)
const forgotten = saga('claude', 'forgotten', 2, 15)
const doomed = saga('claude', 'doomed', 3, 16)
const settled = [saga('claude', 'settled', 3, 17), saga('codex', 'steady', 2, 18)]
const late = saga('claude', 'late', 2, 19)
const atFirst = [...evictedFirst, ...growing, shrinking, vanishing, forgotten, doomed, ...settled]
const all = [...atFirst, late]

const decided = uidOf(settled[0] ?? doomed)
const payload = {
  hook_event_name: 'SessionEnd',
  session_id: decided.slice('claude:'.length),
  cwd: '/home/sam/code/faults',
}

const CONNECT = ['connect', 'claude', '--hooks', '--brief', '--skill', '--yes']
const DISCONNECT = ['connect', 'claude', '--remove', '--yes']

export const scenarios: readonly Scenario[] = [
  { name: 'index-new', from: 'nothing', room: 'ample', args: ['index'], after: [['sweep']] },
  { name: 'index', from: 'store', room: 'ample', args: ['index'], after: [['sweep']] },
  { name: 'recreate', from: 'store', room: 'ample', args: ['index', '--recreate'], after: [['index'], ['sweep']] },
  { name: 'sweep', from: 'store', room: 'ample', args: ['sweep'], after: [['index']] },
  { name: 'evict', from: 'store', room: 'tight', args: ['sweep'], after: [['sweep']] },
  {
    name: 'forget',
    from: 'store',
    room: 'ample',
    args: ['forget', uidOf(doomed), '--yes'],
    after: [['index'], ['sweep']],
  },
  { name: 'analyze', from: 'store', room: 'ample', args: ['analyze', '--all'], after: [['sweep']] },
  {
    name: 'decide',
    from: 'store',
    room: 'ample',
    args: ['decide', decided, 'we keep SQLite'],
    once: true,
    after: [['sweep']],
  },
  {
    name: 'hook',
    from: 'store',
    room: 'ample',
    args: ['hook', 'run', 'claude'],
    input: JSON.stringify(payload),
    after: [['sweep']],
  },
  {
    name: 'apply',
    from: 'store',
    room: 'ample',
    args: ['stats', 'bash', '--suggest', '--apply', '--yes', '--for', 'claude', '--scope', 'project'],
    after: [['sweep']],
  },
  {
    name: 'group-serve',
    from: 'store',
    inGroups: true,
    room: 'ample',
    args: ['group', 'serve', '--once'],
    after: [['group', 'serve', '--once']],
  },
  {
    name: 'session-clear',
    from: 'store',
    inGroups: true,
    room: 'ample',
    args: ['session', 'clear', 'Green tea', '--group', 'solo'],
    after: [['group', 'serve', '--once']],
  },
  { name: 'archive', from: 'store', room: 'ample', args: ['archive', decided, '--out', 'archives'], after: [] },
  { name: 'connect', from: 'store', home: 'own', room: 'ample', args: CONNECT, after: [DISCONNECT] },
  { name: 'disconnect', from: 'connected', home: 'own', room: 'ample', args: DISCONNECT, after: [] },
]

/** Words of every session, to be looked for in files; those of the forgotten come first. */
export function markers(): string[] {
  return all.flatMap((one) =>
    Array.from({ length: one.turns }, (_, turn) => PARTS.map((part) => wordOf(one, turn, part))).flat(2),
  )
}

export interface Prepared {
  readonly store: Place
  readonly nothing: Place
  readonly connected: Place
  /** The same place, with caps under which a sweep evicts. */
  tight(place: Place): Place
}

/**
 * A store that has everything in it which no file gives back: evicted sessions, a forgotten one, a decision, a pin, a
 * backup. Then the sessions move on: some grow, one shrinks, one vanishes, one is new.
 */
export async function prepare(workshop: Workshop): Promise<Prepared> {
  const home = path.join(workshop.dir, 'home')
  const at = (name: string): Place => {
    const dir = path.join(workshop.dir, name)
    const place = {
      home,
      data: path.join(dir, 'data'),
      config: config(workshop, 'ample', null),
      cwd: path.join(dir, 'project'),
    }
    for (const one of [place.data, place.cwd]) mkdirSync(one, { recursive: true })
    return place
  }
  const store = at('state')
  const tight = config(workshop, 'tight', TIGHT)
  const first = { ...store, config: config(workshop, 'first', FIRST_SWEEP) }
  let clock = T0 - 3 * DAY_MS
  const run = (place: Place, ...args: string[]) => workshop.must(place, { args, at: (clock += 3_600_000) })

  for (const one of atFirst) writeSaga(home, one, growing.includes(one) ? one.turns - 1 : one.turns)
  writeHistories(
    home,
    atFirst.flatMap((one) => promptsOf(one, growing.includes(one) ? one.turns - 1 : one.turns)),
  )
  await run(store, 'index')
  await run(store, 'decide', uidOf(doomed), `a decision about ${wordOf(doomed, 0, 'answer')}`)
  await run(store, 'decide', uidOf(shrinking), 'we go on')
  for (const one of [growing[0] ?? late, doomed, settled[0] ?? late, vanishing]) await run(store, 'pin', uidOf(one))
  await run(store, 'forget', uidOf(forgotten), '--yes')
  await run(first, 'sweep')
  await run(store, 'index', '--recreate')
  await run(store, 'sweep')

  for (const one of growing) writeSaga(home, one)
  writeSaga(home, shrinking, 2, shrinking.start + DAY_MS)
  removeSaga(home, vanishing)
  writeSaga(home, late)
  writeHistories(
    home,
    all.flatMap((one) => promptsOf(one)),
  )
  await writeGroups(store, (...args) => run(store, ...args))
  writeSettings(store.cwd)
  const connected = workshop.copy({ ...store, home: store.cwd }, 'connected')
  await run(connected, ...CONNECT)
  return { store, nothing: at('none'), connected, tight: (place) => ({ ...place, config: tight }) }
}

export function placeFor(scenario: Scenario, prepared: Prepared): Place {
  const from = prepared[scenario.from]
  const place = scenario.home === 'own' ? { ...from, home: from.cwd } : from
  return scenario.room === 'tight' ? prepared.tight(place) : place
}

/** The command itself, then what follows it three hours later. */
export function commandOf({ args, input }: Scenario, attempt: number): Run {
  return { args, at: T0 + attempt * 20_000, ...(input === undefined ? {} : { input }) }
}

export function followUps({ after }: Scenario): Run[] {
  return after.map((args, i) => ({ args, at: T0 + (3 + i) * 3_600_000 }))
}

/** As somebody has written them who does not format as we do. */
function writeSettings(home: string): void {
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
    writeFileSync(path.join(home, file), text)
  }
  put('.claude.json', '{\n\t"numStartups": 3,\n\t"mcpServers": {"other": {"command": "x"}}\n}')
  put('.claude/settings.json', '{ "model": "opus",\r\n  "hooks": { "Stop": [] }\r\n}\r\n')
}

function config(
  workshop: Workshop,
  name: string,
  caps: { readonly soft: string; readonly hard: string } | null,
): string {
  const dir = path.join(workshop.dir, `config-${name}`)
  mkdirSync(path.join(dir, 'recall'), { recursive: true })
  const lines = caps === null ? [] : [`raw_soft_cap_bytes = "${caps.soft}"`, `raw_hard_cap_bytes = "${caps.hard}"`]
  writeFileSync(path.join(dir, 'recall', 'config.toml'), ['[session_memory.retention]', ...lines, ''].join('\n'))
  return dir
}
