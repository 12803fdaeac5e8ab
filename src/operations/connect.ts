import { markCadence } from '../capture/announce.ts'
import { hooksAdded, noteHooksAdded, type HooksAdded } from '../capture/connections.ts'
import { planAll, planInstall, type SlotChange, type SlotPlace } from '../capture/install.ts'
import { UserError } from '../model/errors.ts'
import type { Source } from '../sources/source.ts'
import { connectable, serverPlace, skillPlace } from './connect-places.ts'
import { consentFields } from './consent.ts'
import { callsUs, diffOf, hookPlaces, isEdit, makeChanges, usable } from './hook-change.ts'
import { operation } from './operation.ts'
import { flag, list, object, text } from './schema.ts'

export const connectOutput = object({
  agent: text(),
  files: list(text()),
  changed: flag(),
  diff: list(text()),
  notes: list(text('what a person must still do, or know')),
})

/** Edits of an agent's files, planned or made. */
export interface Connection {
  readonly source: Source
  readonly changes: readonly SlotChange[]
  readonly isWritten: boolean
  readonly notes: readonly string[]
}

export function connectionDocument({ source, changes, isWritten, notes }: Connection) {
  return {
    agent: source.name,
    files: changes.map(({ file }) => file),
    changed: isWritten,
    diff: changes.flatMap(diffOf),
    notes,
  }
}

export const project = flag('in this project, for all who work on it, instead of for you in all projects')

export const connect = operation({
  name: 'connect',
  summary: 'give an agent the memory: register `recall mcp` in its own settings',
  details:
    'Shows the change first and asks. Everything else in the files stays as it is; `--remove` gives back the very same ' +
    'bytes if nothing else was changed since. `status` tells what is connected.',
  effect: 'writes',
  input: object(
    { agent: text('which agent, or `status`') },
    {
      project,
      hooks: flag('also let the agent tell recall when a session starts, pauses or ends (`recall hook`)'),
      skill: flag('also write a short skill that says when to ask the memory'),
      brief: flag('also begin each session with what was done lately in its project; takes --hooks with it'),
      ...consentFields,
    },
  ),
  output: connectOutput,
  async run(context, asked): Promise<Connection> {
    const one = connectable(context, asked.agent)
    const scope = asked.project === true ? 'project' : 'user'
    const wantsHooks = asked.hooks === true || asked.brief === true
    if (scope === 'project' && wantsHooks) throw noHooksThere()
    const wantsBrief = asked.brief === true && one.target.ignoresBrief !== true
    const places: SlotPlace[] = [serverPlace(context, one, scope)]
    if (asked.skill === true) places.push(skillPlace(context, one, scope))
    const hooks = wantsHooks ? usable((await hookPlaces(context, one.source.name, wantsBrief)).places) : []
    const added = wantsHooks ? addedTo(hooks) : null
    const changes = planAll([...places, ...hooks].map((place) => [place, planInstall]))
    const { dataDir } = context.settings
    // Written down first: whoever is killed then still knows afterwards what is to be taken away again.
    const note = () => {
      const before = hooksAdded(dataDir)[one.source.name]
      if (added !== null) noteHooksAdded(dataDir, one.source.name, before ?? added)
    }
    const isWritten = makeChanges(asked, changes, note)
    if (asked.dry_run !== true && wantsHooks) markCadence(context.settings)
    const { notes } = one.target
    const shown = [
      notes[scope],
      wantsHooks ? one.source.hooksAsk : undefined,
      asked.brief === true ? notes.brief : undefined,
    ]
    return { source: one.source, changes, isWritten, notes: shown.filter((note) => note !== undefined) }
  },
  document: connectionDocument,
})

/** What this adds to hooks that are there, or are not. */
function addedTo(hooks: readonly SlotPlace[]): HooksAdded | null {
  if (!callsUs(hooks)) return 'hooks'
  return planAll(hooks.map((place) => [place, planInstall])).some(isEdit) ? 'brief' : null
}

function noHooksThere(): UserError {
  const hint = 'hooks would run on the machines of others: each sets up their own, with `recall connect … --hooks`'
  return new UserError('USAGE', '--hooks and --brief are for you alone, not for a project', hint)
}
