import { existsSync } from 'node:fs'
import { diffLines } from '../capture/diff.ts'
import { inFile, readText } from '../capture/edit-file.ts'
import { applyChange, isInstalled, planAll, type Plan, type SlotChange, type SlotPlace } from '../capture/install.ts'
import { BRIEF_FLAG } from '../model/brief-flag.ts'
import { UserError } from '../model/errors.ts'
import type { HookTarget } from '../sources/kit/hooks.ts'
import type { Source } from '../sources/source.ts'
import { consentFields, mayChange, type ConsentInput } from './consent.ts'
import { sourceNamed } from './filters.ts'
import type { OperationContext } from './operation.ts'
import { flag, list, nullable, object, text } from './schema.ts'

export const hookInput = object({ agent: text('which agent') }, consentFields)

export const hookOutput = object({
  agent: text(),
  file: text(),
  files: list(text()),
  changed: flag(),
  backup: nullable(text()),
  diff: list(text()),
})

/** Edits of an agent's files, planned or made. */
export interface HookEdit {
  readonly source: Source
  readonly changes: readonly SlotChange[]
  /** False if there was nothing to write, or if it was only to be shown. */
  readonly isWritten: boolean
  /** The first file as it was before the first edit, if it is kept. */
  readonly backup: string | null
}

/** Makes edits unless they were only to be shown. */
export function makeChanges(
  asked: ConsentInput,
  changes: readonly SlotChange[],
  before: () => void = () => undefined,
): boolean {
  const isChange = changes.some(isEdit)
  const isMade = isChange ? mayChange(asked) : asked.dry_run !== true
  if (isMade) {
    before()
    changes.forEach(applyChange)
  }
  return isMade && isChange
}

export function isEdit({ before, after }: SlotChange): boolean {
  return before !== after
}

/** Plans edits, and makes them unless they were only to be shown. */
export async function editHooks(
  context: OperationContext,
  asked: ConsentInput & { readonly agent: string },
  plan: Plan,
): Promise<HookEdit> {
  const { source, places } = await hookPlaces(context, asked.agent)
  const changes = planAll(usable(places).map((place) => [place, plan]))
  const isWritten = makeChanges(asked, changes)
  return { source, changes, isWritten, backup: changes.map(({ backup }) => backup).find(existsSync) ?? null }
}

/** One of several ways is left alone if it is taken. */
export function usable(places: readonly HookPlace[]): HookPlace[] {
  return places.filter((place, i) => i === 0 || isFree(place))
}

function isFree({ target, file }: HookPlace): boolean {
  const there = readText(file)
  return there === null || inFile(file, () => target.isFree?.(there) ?? true)
}

export function hookDocument({ source, changes, isWritten, backup }: HookEdit) {
  const files = changes.map(({ file }) => file)
  return { agent: source.name, file: files[0] ?? '', files, changed: isWritten, backup, diff: changes.flatMap(diffOf) }
}

export function diffOf({ before, after }: SlotChange): string[] {
  return diffLines(before ?? '', after ?? '').map(({ sign, text: line }) => `${sign} ${line}`)
}

export function withHooks(sources: readonly Source[]): Source[] {
  return sources.filter((source) => source.hooks !== undefined)
}

export interface HookPlace extends SlotPlace {
  readonly target: HookTarget
}

/** Where the hooks of an agent go, and what they call; a USAGE error that lists the agents if there are none. */
export async function hookPlaces(
  { sources, env, program }: OperationContext,
  agent: string | undefined,
  brief = false,
): Promise<{ readonly source: Source; readonly places: readonly HookPlace[] }> {
  const known = withHooks(sources)
  const hint = `agents with hooks are: ${known.map((source) => source.name).join(', ')}`
  if (agent === undefined) throw new UserError('USAGE', 'which agent?', hint)
  const source = sourceNamed(agent, known)
  if (source?.hooks === undefined) throw new UserError('USAGE', `no agent with hooks ${JSON.stringify(agent)}`, hint)
  const plain = [...program(), 'hook', 'run', source.name]
  const briefing = [...plain, BRIEF_FLAG]
  const targets = await source.hooks()
  const places = targets.map((target): HookPlace => {
    const file = target.file(env)
    const [command, other] = brief && target.isFree === undefined ? [briefing, plain] : [plain, briefing]
    const backup = `${file}.recall-backup`
    return { target, home: target.home(env), file, command, others: [other], backup }
  })
  return { source, places }
}

/** Whether any of them calls us. */
export function callsUs(places: readonly SlotPlace[]): boolean {
  return places.some(isInstalled)
}
