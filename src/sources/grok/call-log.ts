import path from 'node:path'
import { statRegular } from '../../model/regular-file.ts'
import { parseInstant } from '../../model/time.ts'
import type { Usage } from '../../model/usage.ts'
import { asObject, parseObjects } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import type { SessionPlace } from './place.ts'
import { callUsage } from './usage.ts'

const CALL = 'shell.turn.inference_done'
const MARK = Buffer.from(`"${CALL}"`)
const TIME = /"ts":\s?"([^"]+)"/
const MAX_CALLS = 50_000

interface TimedCall {
  readonly at: number
  readonly usage: Usage
}

/**
 * The calls of the model that one session made, from the log that all sessions share. Of that log only lines
 * that tell of such a call are parsed: others may tell of logins. It is short-lived: its older half goes
 * whenever it is full, so it is asked only where the transcript itself tells no tokens.
 */
export class CallLog {
  readonly #file: string
  readonly #session: string
  #calls: readonly TimedCall[] | null = null
  /** Undefined until looked at, null if there is no log. */
  #since: number | null | undefined

  constructor({ root, session }: SessionPlace) {
    this.#file = path.join(root, 'logs', 'unified.jsonl')
    this.#session = session
  }

  /** Calls that ended at `from` or later and before `to`. */
  between(from: number, to: number): readonly Usage[] {
    if (this.#since === undefined) this.#since = firstInstant(this.#file)
    if (this.#since === null || to < this.#since) return []
    this.#calls ??= readCalls(this.#file, this.#session)
    return this.#calls.filter(({ at }) => at >= from && at < to).map(({ usage }) => usage)
  }
}

/** The calls of one turn as one bill. */
export function sumOf(calls: readonly Usage[], key: string, model: string | null): Usage | null {
  const last = calls.at(-1)
  if (last === undefined) return null
  return calls.reduce(
    (sum, call) => ({
      ...sum,
      input: sum.input + call.input,
      output: sum.output + call.output,
      cacheRead: sum.cacheRead + call.cacheRead,
      reasoning: sum.reasoning + call.reasoning,
    }),
    { ...last, key, model, input: 0, output: 0, cacheRead: 0, reasoning: 0 },
  )
}

/** When the log begins: what happened before is in no line of it. */
function firstInstant(file: string): number | null {
  if (statRegular(file) === null) return null
  for (const { bytes } of new LineReader(file, null)) {
    const at = parseInstant(bytes === null ? null : TIME.exec(bytes.toString('utf8', 0, 200))?.[1])
    if (at !== null) return at
  }
  return null
}

function readCalls(file: string, session: string): TimedCall[] {
  const calls: TimedCall[] = []
  const name = Buffer.from(JSON.stringify(session))
  for (const { bytes } of new LineReader(file, null)) {
    if (bytes === null || bytes.indexOf(MARK) === -1 || bytes.indexOf(name) === -1) continue
    for (const record of parseObjects(bytes.toString('utf8')) ?? []) {
      const at = parseInstant(record['ts'])
      const context = asObject(record['ctx'])
      if (record['msg'] !== CALL || record['sid'] !== session || at === null || context === null) continue
      const usage = callUsage(context, `call:${session}:${at}:${String(context['loop_index'])}`, at)
      if (usage !== null && calls.length < MAX_CALLS) calls.push({ at, usage })
    }
  }
  return calls
}
