import { existsSync } from 'node:fs'
import { diffLines } from '../capture/diff.ts'
import { applyChange, backupOf, type HookChange, type HookPlace } from '../capture/install.ts'
import { UserError } from '../model/errors.ts'
import type { Source } from '../sources/source.ts'
import { consentFields, mayChange, type ConsentInput } from './consent.ts'
import { sourceNamed } from './filters.ts'
import type { OperationContext } from './operation.ts'
import { flag, list, nullable, object, text } from './schema.ts'

export const hookInput = object({ agent: text('which agent') }, consentFields)

export const hookOutput = object({
  agent: text(),
  file: text(),
  changed: flag(),
  backup: nullable(text()),
  diff: list(text()),
})

/** An edit of an agent's settings, planned or made. */
export interface HookEdit {
  readonly source: Source
  readonly change: HookChange
  /** False if there was nothing to write, or if it was only to be shown. */
  readonly isWritten: boolean
  /** The file as it was before the first edit, if it is kept. */
  readonly backup: string | null
}

/** Plans an edit, and makes it unless it was only to be shown. */
export async function editHooks(
  context: OperationContext,
  asked: ConsentInput & { readonly agent: string },
  plan: (place: HookPlace) => HookChange,
): Promise<HookEdit> {
  const { source, place } = await hookPlace(context, asked.agent)
  const change = plan(place)
  const isChange = change.before !== change.after
  const isMade = isChange ? mayChange(asked) : asked.dry_run !== true
  if (isMade) applyChange(change)
  const backup = backupOf(change.file)
  return { source, change, isWritten: isMade && isChange, backup: existsSync(backup) ? backup : null }
}

export function hookDocument({ source, change, isWritten, backup }: HookEdit) {
  const { file, before, after } = change
  const diff = diffLines(before ?? '', after ?? '').map(({ sign, text: line }) => `${sign} ${line}`)
  return { agent: source.name, file, changed: isWritten, backup, diff }
}

export function withHooks(sources: readonly Source[]): Source[] {
  return sources.filter((source) => source.hooks !== undefined)
}

/** Where the hook of an agent goes, and what it calls; a USAGE error that lists the agents if there is none. */
export async function hookPlace(
  { sources, env, program }: OperationContext,
  agent: string | undefined,
): Promise<{ readonly source: Source; readonly place: HookPlace }> {
  const known = withHooks(sources)
  const hint = `agents with hooks are: ${known.map((source) => source.name).join(', ')}`
  if (agent === undefined) throw new UserError('USAGE', 'which agent?', hint)
  const source = sourceNamed(agent, known)
  if (source?.hooks === undefined) throw new UserError('USAGE', `no agent with hooks ${JSON.stringify(agent)}`, hint)
  const hooks = await source.hooks()
  const command = [...program(), 'hook', 'run', source.name]
  return { source, place: { target: hooks, home: hooks.home(env), file: hooks.file(env), command } }
}
