import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { isReadAgain, isUnreadable } from '../sources/source.ts'
import type { Job } from '../ingest/job.ts'
import { parseUnit, type ParsedBatch } from '../ingest/parse.ts'
import { describe, guarded, sourceIn, type Described, type PluginFile } from './described.ts'
import type { RedactionConfig } from '../ingest/redact-config.ts'
import { tryPlugin, type TriedCheck } from './trial.ts'
import { createRedactor } from '../ingest/redact.ts'

export interface PluginTask extends PluginFile {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly roots: readonly string[] | null
  /** It is to be tried on its own sample. */
  readonly testing?: true
  /** What is to be read; without either: only to say what there is. */
  readonly reading?: { readonly jobs: readonly Job[]; readonly redaction: RedactionConfig; readonly key: Uint8Array }
}

/** What a plugin's thread says. `alive`: it is at work. */
export type PluginWord =
  | { readonly described: Described }
  | { readonly batch: ParsedBatch }
  | { readonly tried: TriedCheck }
  | { readonly failed: Job; readonly message: string }
  | { readonly done: true }
  | { readonly alive: true }
  | { readonly fault: string }

const ALIVE_MS = 500

/** Runs the code of one plugin, and nothing else does. */
export async function servePlugin(): Promise<void> {
  const port = parentPort
  if (isMainThread || port === null) throw new Error('not in a worker')
  const say = (word: PluginWord) => port.postMessage(word)
  const task = workerData as PluginTask
  try {
    const module: unknown = await import(/* @vite-ignore */ pathToFileURL(task.file).href)
    const source = sourceIn(module)
    if (task.testing) for await (const tried of tryPlugin(source, module)) say({ tried })
    else if (task.reading === undefined) say({ described: await describe(source, task.name, task) })
    else {
      let lastSign = Date.now()
      const reader = guarded(await source.reader(), task.name, () => {
        if (Date.now() - lastSign < ALIVE_MS) return
        lastSign = Date.now()
        say({ alive: true })
      })
      const named = { ...source, name: task.name, longName: task.name }
      for (const word of readAll(task.reading, { source: named, reader })) say(word)
    }
    say({ done: true })
  } catch (error) {
    say({ fault: messageOf(error) })
  }
  port.close()
}

function* readAll(
  { jobs, redaction, key }: NonNullable<PluginTask['reading']>,
  source: Parameters<typeof parseUnit>[0]['sources'][number],
): Generator<PluginWord> {
  const found: [rule: string, secret: string][] = []
  const redactor = createRedactor(redaction, (rule, secret) => found.push([rule, secret]))
  for (const job of jobs) {
    try {
      for (const batch of parseUnit({ sources: [source], redactor, found, key }, job)) yield { batch }
    } catch (error) {
      if (isReadAgain(error)) throw error
      const why = isUnreadable(error) ? error.message : messageOf(error)
      yield { failed: job, message: redactor.text(why) }
    }
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n')[0] ?? '').slice(0, 300) || 'no reason given'
}
