import { hooksAdded, noteHooksAdded } from '../capture/connections.ts'
import { dropEmptyDirs, planAll, planInstall, planUninstall } from '../capture/install.ts'
import { connectable, serverPlace, skillPlace } from './connect-places.ts'
import { connectionDocument, connectOutput, project, type Connection } from './connect.ts'
import { consentFields } from './consent.ts'
import { hookPlaces, makeChanges, usable } from './hook-change.ts'
import { operation } from './operation.ts'
import { object, text } from './schema.ts'

export const connectRemove = operation({
  name: 'connect.remove',
  summary: 'take the memory away from an agent again, with all that `connect` has added',
  effect: 'writes',
  input: object({ agent: text('which agent') }, { project, ...consentFields }),
  output: connectOutput,
  async run(context, asked): Promise<Connection> {
    const one = connectable(context, asked.agent)
    const scope = asked.project === true ? 'project' : 'user'
    const { dataDir } = context.settings
    const added = scope === 'user' ? hooksAdded(dataDir)[one.source.name] : undefined
    const hooks = added === undefined ? [] : usable((await hookPlaces(context, one.source.name)).places)
    const places = [skillPlace(context, one, scope), serverPlace(context, one, scope)]
    // Backwards, so that each finds the text that it left.
    const changes = planAll([
      ...hooks.toReversed().map((place) => [place, added === 'hooks' ? planUninstall : planInstall] as const),
      ...places.map((place) => [place, planUninstall] as const),
    ])
    const isWritten = makeChanges(asked, changes)
    if (asked.dry_run !== true) {
      if (added !== undefined) noteHooksAdded(dataDir, one.source.name, null)
      for (const { file, home } of [...places, ...hooks]) dropEmptyDirs(file, home)
    }
    return { source: one.source, changes, isWritten, notes: [] }
  },
  document: connectionDocument,
})
