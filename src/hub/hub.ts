import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { appendDurably, makeDirectory, writeDurably } from '../model/durable-file.ts'
import { onDisk } from '../model/errors.ts'

/** What the hub is told about. Each is a file of JSON lines and, on a server, a path. */
export const HUB_TOPICS = ['notes', 'digests', 'decisions'] as const
export type HubTopic = (typeof HUB_TOPICS)[number]

const POSTED = 'posted.json'
const MAX_LINES_A_RUN = 1000
const ATTEMPTS = 3
const FIRST_WAIT_MS = 250
const TIMEOUT_MS = 5000
/** The store is locked meanwhile: a slow server gets the rest the next time. */
const PATIENCE_MS = 20_000

export interface Delivery {
  readonly posted: number
  /** Why the rest was not; null if all was. */
  readonly failure: string | null
}

/** Files first: every line is kept here, whether or not a server takes it. */
export class Hub {
  readonly #dir: string
  readonly #url: string | null
  readonly #patienceMs: number

  constructor(dir: string, url: string | null, patienceMs = PATIENCE_MS) {
    this.#dir = dir
    this.#url = url
    this.#patienceMs = patienceMs
  }

  /**
   * Adds a line each, on the disk when this returns. Whoever keeps something that is told of tells first and keeps then:
   * what is told twice does no harm, what is never told does.
   */
  tell(topic: HubTopic, ...records: readonly Readonly<Record<string, unknown>>[]): void {
    if (records.length === 0) return
    onDisk(() => {
      makeDirectory(this.#dir)
      appendDurably(this.#file(topic), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    })
  }

  /** Takes every line about these sessions out of the files. What a server has got is the server's. */
  forget(uids: readonly string[]): void {
    const names = uids.map((uid) => JSON.stringify(uid))
    this.#rewrite((line) => (names.some((name) => line.includes(name)) ? '' : line))
  }

  /**
   * Puts the lines of another hub's directory before those that are here, but for those that are here already. Where
   * there was none, what was posted stays posted; else all is posted again, so that the last word on a session comes last.
   */
  takeIn(dir: string, change: (json: unknown) => unknown): void {
    const sent = HUB_TOPICS.some((topic) => existsSync(this.#file(topic))) ? {} : readPosted(dir)
    for (const topic of HUB_TOPICS) {
      const file = path.join(dir, `${topic}.jsonl`)
      if (!existsSync(file)) continue
      const own = linesOf(this.#file(topic))
      const known = new Set(own)
      let end = 0
      let posted = 0
      const added = linesOf(file).flatMap((line) => {
        end += Buffer.byteLength(line)
        const told = parsed(line)
        const now = told === undefined ? '' : `${JSON.stringify(change(told))}\n`
        if (end <= (sent[topic] ?? 0)) posted += Buffer.byteLength(now)
        return now === '' || known.has(now) ? [] : [now]
      })
      if (added.length === 0) continue
      onDisk(() => makeDirectory(this.#dir))
      const others = Object.fromEntries(Object.entries(this.#readPosted()).filter(([name]) => name !== topic))
      this.#writePosted(posted === 0 ? others : { ...others, [topic]: posted })
      replace(this.#file(topic), [...added, ...own].join(''))
    }
  }

  /** Changes every text that was told, e.g. under new rules for secrets. */
  change(json: (value: unknown) => unknown): void {
    this.#rewrite((line) => (line.endsWith('\n') ? `${JSON.stringify(json(JSON.parse(line)))}\n` : line))
  }

  /** Writes the files anew, line by line; what was posted stays posted. */
  #rewrite(change: (line: string) => string): void {
    const sent = this.#readPosted()
    for (const topic of HUB_TOPICS) {
      const file = this.#file(topic)
      if (!existsSync(file)) continue
      let end = 0
      let posted = 0
      const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
      const changed = lines.map((line) => {
        const now = change(line)
        end += Buffer.byteLength(line)
        if (end <= (sent[topic] ?? 0)) posted += Buffer.byteLength(now)
        return now
      })
      replace(file, changed.join(''))
      if (sent[topic] !== undefined) this.#writePosted(Object.assign(sent, { [topic]: posted }))
    }
  }

  /** Posts what the server has not got yet, in order, with a few retries. What fails stays for the next time. */
  async deliver(): Promise<Delivery> {
    if (this.#url === null) return { posted: 0, failure: null }
    const sent = this.#readPosted()
    const until = Date.now() + this.#patienceMs
    let posted = 0
    for (const topic of HUB_TOPICS) {
      for (const { line, end } of this.#linesAfter(topic, sent[topic] ?? 0)) {
        const failure = await post(`${this.#url.replace(/\/+$/, '')}/${topic}`, line)
        if (failure !== null) return { posted, failure }
        posted++
        sent[topic] = end
        this.#writePosted(sent)
        if (Date.now() > until) return { posted, failure: `${this.#url} is slow: what it did not get waits` }
      }
    }
    return { posted, failure: null }
  }

  #file(topic: HubTopic): string {
    return path.join(this.#dir, `${topic}.jsonl`)
  }

  *#linesAfter(topic: HubTopic, from: number): Generator<{ line: string; end: number }> {
    const size = statSync(this.#file(topic), { throwIfNoEntry: false })?.size ?? 0
    if (size <= from) return
    const rest = Buffer.alloc(size - from)
    const fd = openSync(this.#file(topic), 'r')
    readSync(fd, rest, 0, rest.length, from)
    closeSync(fd)
    let start = 0
    for (let count = 0; count < MAX_LINES_A_RUN; count++) {
      const newline = rest.indexOf(10, start)
      if (newline === -1) return
      yield { line: rest.toString('utf8', start, newline), end: from + newline + 1 }
      start = newline + 1
    }
  }

  /** Where this was lost, or broken by a crash of the machine, all is posted again: twice is better than never. */
  #readPosted(): Partial<Record<HubTopic, number>> {
    return readPosted(this.#dir)
  }

  #writePosted(sent: Partial<Record<HubTopic, number>>): void {
    replace(path.join(this.#dir, POSTED), JSON.stringify(sent))
  }
}

function readPosted(dir: string): Partial<Record<HubTopic, number>> {
  const file = path.join(dir, POSTED)
  return existsSync(file) ? ((parsed(readFileSync(file, 'utf8')) ?? {}) as Partial<Record<HubTopic, number>>) : {}
}

/** Whole lines, with their ends. */
function linesOf(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split(/(?<=\n)/)
    .filter((line) => line.endsWith('\n'))
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function replace(file: string, text: string): void {
  onDisk(() => writeDurably(file, Buffer.from(text)))
}

/** Null if the server took it, else why not. */
async function post(url: string, body: string): Promise<string | null> {
  let failure = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)))
    try {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (response.ok) return null
      failure = `${url} answered ${response.status}`
    } catch (error) {
      failure = `${url} cannot be reached (${error instanceof Error ? error.message : String(error)})`
    }
  }
  return failure
}
