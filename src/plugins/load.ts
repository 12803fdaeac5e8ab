import { Worker } from 'node:worker_threads'
import type { Job } from '../ingest/job.ts'
import { sourceOf, type Described, type PluginFile } from './described.ts'
import type { PluginTask, PluginWord } from './serve.ts'
import type { TriedCheck } from './trial.ts'
import type { AddedSources } from '../ingest/run.ts'
import type { Reader } from '../ingest/reader.ts'

/** A plugin that says nothing for so long hangs. */
const PATIENCE_MS = 10_000
/** So long may one check take. */
const TRIAL_MS = 60_000
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 }

export interface PluginHost {
  /** The file that calls `servePlugin`. */
  readonly entry: URL
  readonly env: Readonly<Record<string, string | undefined>>
  /** Directories that a person has named for it; null: its own. */
  readonly rootsFor: (name: string) => readonly string[] | null
  readonly patienceMs?: number
}

export type LoadedPlugins = AddedSources

/** Asks each plugin what there is. One that cannot be loaded, throws or hangs is told, and the others go on. */
export async function loadPlugins(files: readonly PluginFile[], host: PluginHost): Promise<LoadedPlugins> {
  const answers = await Promise.all(files.map(async (file) => ({ file, what: await describedBy(file, host) })))
  const described = answers.flatMap(({ what }) => (typeof what === 'string' ? [] : [what]))
  const failed = answers.flatMap(({ file, what }) => (typeof what === 'string' ? [{ ...file, message: what }] : []))
  const sources = described.map(sourceOf)
  const roots = sources.flatMap((source) => source.roots({}).map((dir) => ({ source, dir })))
  return { sources, roots, failed, read: readApart(files, host) }
}

/** Tries a module as `recall source test` does; in words, why it cannot be tried. */
export async function testPlugin(file: string, host: PluginHost): Promise<readonly TriedCheck[] | string> {
  const tried: TriedCheck[] = []
  const task = { name: 'plugin', file, env: { ...host.env }, roots: null, testing: true as const }
  for await (const word of wordsOf(task, { ...host, patienceMs: TRIAL_MS })) {
    if ('tried' in word) tried.push(word.tried)
    if ('fault' in word) return word.fault
  }
  return tried
}

async function describedBy(file: PluginFile, host: PluginHost): Promise<Described | string> {
  for await (const word of wordsOf({ ...file, env: { ...host.env }, roots: host.rootsFor(file.name) }, host)) {
    if ('described' in word) return word.described
    if ('fault' in word) return word.fault
  }
  return 'it ended without a word'
}

function readApart(files: readonly PluginFile[], host: PluginHost): Reader {
  return async function* ({ jobs, ...rest }) {
    for (const file of files) {
      const own = jobs.filter(({ source }) => source === file.name)
      if (own.length > 0) yield* readOne(file, own, rest, host)
    }
  }
}

/** What could not be read is read next time: a fault ends the reading of this plugin, once. */
async function* readOne(
  file: PluginFile,
  jobs: readonly Job[],
  rest: Omit<NonNullable<PluginTask['reading']>, 'jobs'>,
  host: PluginHost,
): ReturnType<Reader> {
  const [first] = jobs
  const reading = { jobs, ...rest }
  let current = 0
  const task = { ...file, env: { ...host.env }, roots: host.rootsFor(file.name), reading }
  for await (const word of wordsOf(task, host)) {
    if ('batch' in word) {
      if (word.batch.done) current++
      yield word.batch
    } else if ('failed' in word) {
      current++
      yield word
    } else if ('fault' in word) yield { failed: jobs[current] ?? first!, message: word.fault }
  }
}

/** What a plugin's thread says until it is done, fails or has been silent for too long. */
async function* wordsOf(task: PluginTask, host: PluginHost): AsyncGenerator<PluginWord> {
  const worker = new Worker(host.entry, {
    workerData: task,
    resourceLimits: LIMITS,
    stdout: true,
    stderr: true,
    env: {},
  })
  const waiting: PluginWord[] = []
  let wake: (() => void) | null = null
  let ended = false
  const hear = (word: PluginWord) => {
    if (!ended) waiting.push(word)
    ended ||= 'fault' in word || 'done' in word
    wake?.()
  }
  worker.on('message', hear)
  worker.on('error', (error) => hear({ fault: error.message.split('\n')[0] ?? 'it failed' }))
  worker.on('exit', () => hear({ fault: 'it ended its own thread' }))
  const patience = host.patienceMs ?? PATIENCE_MS
  try {
    for (;;) {
      const word = waiting.shift()
      if (word === undefined) {
        const timer = setTimeout(() => hear({ fault: `it did nothing for ${Math.round(patience / 1000)} s` }), patience)
        await new Promise<void>((resolve) => (wake = resolve))
        clearTimeout(timer)
        wake = null
      } else {
        yield word
        if ('fault' in word || 'done' in word) return
      }
    }
  } finally {
    await worker.terminate()
  }
}
