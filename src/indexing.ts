import { existsSync } from 'node:fs'
import path from 'node:path'
import { knownSecretsKey } from './ingest/known-secrets-key.ts'
import type { IndexProgress, IndexReport, IndexTask } from './ingest/run.ts'
import { FORMS_REVISION } from './insight/permissions/forms-revision.ts'
import { freeBytes } from './model/spare-room.ts'
import { debtsOf, hubOf, redactionOf, rootsOf, withStore, type Parts } from './parts.ts'
import type { Recreation } from './retention/recreate.ts'
import type { Store } from './store/store.ts'

export interface IndexOptions extends IndexProgress {
  readonly source?: string
  readonly full?: boolean
  readonly recreate?: boolean
  readonly wait?: boolean
}

export function indexTask(parts: Parts, store: Store, options: IndexOptions): IndexTask {
  const { full = false, source, recreate: _, wait: __, ...progress } = options
  const worker = parts.worker === undefined ? {} : { worker: parts.worker }
  const { sources, now, settings } = parts
  const onNewRules: IndexTask['onNewRules'] = async (redactor) => (await hubOf(settings)).change(redactor.json)
  const task = { store, roots: rootsOf(parts, source), sources, full, fields: settings.ftsFields }
  const secretsKey = () => knownSecretsKey(settings.storePath)
  const room = () => freeBytes(path.dirname(settings.storePath))
  return { ...task, redaction: redactionOf(settings), onNewRules, room, secretsKey, now, ...worker, ...progress }
}

export async function index(parts: Parts, options: IndexOptions) {
  if (options.recreate && existsSync(parts.settings.storePath)) return recreateStore(parts, options)
  const plugins = await pluginsFor(parts, options)
  const report = await withStore(parts, (store) => indexAndJudge({ ...indexTask(parts, store, options), ...plugins }))
  return { ...report, backup: null }
}

/** Plugins are loaded here: where sessions are read, and nowhere else. */
export async function pluginsFor(
  parts: Parts,
  { source }: Pick<IndexOptions, 'source'>,
): Promise<Pick<IndexTask, 'plugins'>> {
  const { plugins } = parts.settings
  if (plugins.size === 0 || (source !== undefined && !plugins.has(source))) return {}
  const { pluginsOf } = await import('./added-sources.ts')
  const loaded = await pluginsOf(parts)
  if (loaded === null) return {}
  const roots = loaded.roots.filter((root) => source === undefined || root.source.name === source)
  return { plugins: { ...loaded, roots } }
}

export async function recreateStore(parts: Parts, options: IndexOptions) {
  const { recreate } = await import('./retention/recreate.ts')
  return recreate(recreation(parts, options), parts.now())
}

export function recreation(parts: Parts, options: IndexOptions): Recreation {
  const { storePath } = parts.settings
  return {
    storePath,
    debts: debtsOf(parts.settings),
    writing: (work) => withStore(parts, work),
    index: async (store) =>
      indexAndJudge({ ...indexTask(parts, store, options), ...(await pluginsFor(parts, options)) }),
    onProblem: (place, message) => options.onProblem?.(place, message),
  }
}

/** After so much was read what reports need is kept: other threads read meanwhile, at the end none does. */
const KEEP_BYTES = 24 * 2 ** 20

/** Reads what is new, and has kept what reports would have to read all events for. */
export async function indexAndJudge(task: IndexTask): Promise<IndexReport> {
  const { runIndex } = await import('./ingest/run.ts')
  let kept = 0
  const between: IndexTask['between'] = async (bytesRead, total) => {
    if (bytesRead - kept >= KEEP_BYTES) {
      kept = bytesRead
      await keepForReports(task.store)
    }
    await task.between?.(bytesRead, total)
  }
  const report = await runIndex(task.asFound ? task : { ...task, between })
  await keepForReports(task.store)
  return report
}

async function keepForReports(store: Store): Promise<void> {
  await store.keepForms(FORMS_REVISION, async () => {
    const { judgeOf } = await import('./insight/permissions/forms-judge.ts')
    const { permissionTargets } = await import('./sources/permissions.ts')
    return judgeOf(permissionTargets)
  })
  const { materializeSpans } = await import('./insight/materialize-spans.ts')
  await materializeSpans(store)
}
