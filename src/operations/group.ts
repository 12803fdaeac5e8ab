import type { GroupRecord } from '../groups/face.ts'
import type { TaskOutcome } from '../groups/host.ts'
import { consentFields, mayChange } from './consent.ts'
import { groupDocument, groupSchema, outcomeDocument, outcomeSchema } from './group-document.ts'
import { operation } from './operation.ts'
import { called, flag, list, nullable, object, text } from './schema.ts'

const name = text('which group')

export const groupAdd = operation({
  name: 'group.add',
  summary: 'make a group: an isolated memory for an agent in a container',
  effect: 'writes',
  input: object(
    { name },
    { skills: called('dir', text('skills that its agent gets; `container/skills` in the root without')) },
  ),
  output: groupSchema,
  run: ({ recall }, asked): Promise<GroupRecord> => recall.groups.add(asked.name, asked.skills),
  document: groupDocument,
})

export const groupList = operation({
  name: 'group.list',
  summary: 'the groups there are',
  effect: 'reads',
  input: object({}),
  output: object({ groups: list(groupSchema) }),
  run: ({ recall }): Promise<GroupRecord[]> => recall.groups.list(),
  document: (groups: GroupRecord[]) => ({ groups: groups.map(groupDocument) }),
})

export interface RemovedGroup {
  readonly name: string
  /** Directories that are put aside. */
  readonly places: readonly string[]
  /** Where they are now; null if nothing was done. */
  readonly aside: string | null
}

export const groupRemove = operation({
  name: 'group.remove',
  summary: 'put a group aside, with all it has',
  details: 'Nothing is deleted: its directories and pointers are moved to `removed/` in the root.',
  effect: 'writes',
  input: object({ name }, consentFields),
  output: object({ name: text(), places: list(text()), aside: nullable(text()) }),
  async run({ recall }, asked): Promise<RemovedGroup> {
    const places = await recall.groups.places(asked.name)
    const aside = mayChange(asked) ? await recall.groups.remove(asked.name) : null
    return { name: asked.name, places, aside }
  },
  document: (removed: RemovedGroup) => ({ ...removed }),
})

export const groupServe = operation({
  name: 'group.serve',
  summary: 'act once on what the agents of all groups ask for',
  effect: 'writes',
  input: object({}),
  output: object({ handled: list(outcomeSchema) }),
  run: ({ recall }): Promise<TaskOutcome[]> => recall.groups.serve(),
  document: (handled: TaskOutcome[]) => ({ handled: handled.map(outcomeDocument) }),
})

export interface GroupContext {
  readonly name: string
  readonly append: string | null
}

export const groupContext = operation({
  name: 'group.context',
  summary: 'what every group but the main one is told beside its own instructions',
  effect: 'reads',
  input: object({ name }),
  output: object({ name: text(), is_global: flag(), append: nullable(text()) }),
  run: async ({ recall }, asked): Promise<GroupContext> => ({
    name: asked.name,
    append: await recall.groups.context(asked.name),
  }),
  document: (context: GroupContext) => ({ ...context, is_global: context.append !== null }),
})
