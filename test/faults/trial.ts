import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readCalls, type Call } from './calls.ts'
import { random, type Case } from './cases.ts'
import { compare, flawsOf, type Difference } from './compare.ts'
import { Disk } from './disk.ts'
import { commandOf, followUps, markers, placeFor, type Prepared, type Scenario } from './scenarios.ts'
import { filesIn, takeSnapshot, vocabularyOf, type Snapshot } from './snapshot.ts'
import { placeIn, type Ended, type Place, type Run, type Workshop } from './workshop.ts'

/** A command that ran undisturbed: its calls, and the state that everything must end in. */
export interface Calm {
  readonly scenario: Scenario
  readonly calls: readonly Call[]
  readonly words: readonly string[]
  readonly wanted: Snapshot
  /** The state when the command simply ran twice: one that is killed at its very end may be in it. */
  readonly twice: Snapshot
  /** What is wrong though nothing was disturbed. */
  readonly flaws: readonly Difference[]
}

export interface Verdict {
  readonly one: Case
  readonly differences: readonly Difference[]
  /** Whether the call was met at all: another run may make fewer. */
  readonly reached: boolean
  /** How the disturbed command ended. */
  readonly exit: string
}

/** Codes with which a command may end that finds its work done. */
const DONE_CODES: Readonly<Record<string, readonly number[]>> = { forget: [0, 1], 'session-clear': [0, 1] }

export class Trials {
  readonly #workshop: Workshop
  readonly #prepared: Prepared
  readonly #shim: string
  #number = 0

  constructor(workshop: Workshop, prepared: Prepared, shim: string) {
    this.#workshop = workshop
    this.#prepared = prepared
    this.#shim = shim
  }

  /** Runs a command undisturbed, twice: once to write down its calls, once to its end. */
  async calm(scenario: Scenario): Promise<Calm> {
    const prepared = placeFor(scenario, this.#prepared)
    const recorded = this.#workshop.copy(prepared, `rec-${scenario.name}`)
    const log = path.join(this.#workshop.dir, `calls-${scenario.name}`)
    await this.#workshop.must(recorded, {
      ...commandOf(scenario, 0),
      env: this.#watch(recorded, log, { FAULT_BYTES: '1' }),
    })
    const calls = readCalls(log, true)
    proveComplete(prepared, recorded, calls)
    const place = this.#workshop.copy(prepared, `calm-${scenario.name}`)
    await this.#workshop.must(place, commandOf(scenario, 0))
    for (const run of followUps(scenario)) await this.#workshop.must(place, run)
    const words = vocabularyOf(place)
    const sought = { markers: markers(), words }
    const wanted = takeSnapshot(place, sought)
    for (const run of [commandOf(scenario, 1), ...followUps(scenario)]) await this.#finish(scenario, recorded, run)
    const twice = takeSnapshot(recorded, sought)
    return { scenario, calls, words, wanted, twice, flaws: flawsOf(wanted) }
  }

  /** Disturbs a command, lets it and what follows run once more, and compares. */
  async disturb(one: Case, calm: Calm, keep: boolean): Promise<Verdict> {
    const name = `case-${String(++this.#number).padStart(5, '0')}`
    const place = one.fault.startsWith('cut')
      ? this.#cutPower(one, calm, name)
      : this.#workshop.copy(placeFor(one.scenario, this.#prepared), name)
    const differences: Difference[] = []
    const { reached, exit, hangs } = one.fault.startsWith('cut')
      ? { reached: true, exit: 'power cut', hangs: false }
      : await this.#fail(one, place, name)
    if (hangs) differences.push({ subject: 'the disturbed command hangs', example: exit })
    if (one.scenario.name === 'hook' && !/^(0|SIGKILL|power cut)$/.test(exit))
      differences.push({ subject: 'a hook ends with a failure', example: exit })
    const again = one.scenario.once && exit === '0' ? [] : [commandOf(one.scenario, 1)]
    for (const run of [...again, ...followUps(one.scenario)]) {
      const failure = await this.#finish(one.scenario, place, run)
      if (failure !== null) differences.push(failure)
    }
    const got = takeSnapshot(place, { markers: markers(), words: calm.words })
    differences.push(...compare(calm.wanted, got, calm.twice))
    if (keep) console.error(`kept: ${path.dirname(place.data)}`)
    else rmSync(path.dirname(place.data), { recursive: true, force: true })
    return { one, differences, reached, exit }
  }

  /** Runs the command with one of its calls failing. */
  async #fail({ scenario, at, fault }: Case, place: Place, name: string) {
    const log = path.join(this.#workshop.dir, `${name}.log`)
    const env = this.#watch(place, log, { FAULT_AT: String(at), FAULT_KIND: fault })
    const ended = await this.#workshop.run(place, { ...commandOf(scenario, 0), env })
    const killed = fault === 'before' || fault === 'after'
    const met = existsSync(log) && readCalls(log).some(({ number }) => number === at)
    rmSync(log, { force: true })
    const exit = ended.signal ?? String(ended.code)
    return { reached: killed ? ended.signal === 'SIGKILL' : met, exit, hangs: ended.timedOut }
  }

  /** The state that is left when the power goes after a call. */
  #cutPower({ scenario, at, fault }: Case, { calls }: Calm, name: string): Place {
    const prepared = placeFor(scenario, this.#prepared)
    const dir = path.join(this.#workshop.dir, name)
    const recorded = path.join(this.#workshop.dir, `rec-${scenario.name}`)
    const place = placeIn(dir, prepared)
    for (const part of ['data', 'project'] as const) {
      const disk = new Disk(part === 'data' ? prepared.data : prepared.cwd, path.join(recorded, part))
      for (const call of calls) if (call.number <= at) disk.apply(call)
      mkdirSync(path.join(dir, part), { recursive: true })
      disk.cut(path.join(dir, part), fault === 'cut' ? undefined : random(at * 7919 + 1))
    }
    return place
  }

  async #finish(scenario: Scenario, place: Place, run: Run): Promise<Difference | null> {
    const ended = await this.#workshop.run(place, run)
    const fine = run.args === scenario.args ? (DONE_CODES[scenario.name] ?? [0]) : [0]
    if (ended.code !== null && fine.includes(ended.code)) return null
    const subject = `afterwards \`recall ${run.args
      .slice(0, 2)
      .join(' ')
      .replace(/ claude:.*| [\da-f]{8}.*/, '')}\` ends with ${exitOf(ended)}`
    return { subject, example: `${ended.out}${ended.err}`.slice(0, 600) }
  }

  #watch(place: Place, log: string, more: Readonly<Record<string, string>>): Record<string, string> {
    return { LD_PRELOAD: this.#shim, FAULT_ROOTS: `${place.data}:${place.cwd}`, FAULT_LOG: log, ...more }
  }
}

function exitOf({ code, signal, timedOut, err }: Ended): string {
  if (timedOut) return 'no end'
  return `${signal ?? code} (${/error|recall: (.*)/.exec(err)?.[1]?.replaceAll(/\/\S+/g, '…').slice(0, 80) ?? ''})`
}

/** Every byte of the recorded run must follow from the calls: else the shim has missed some, and no verdict holds. */
function proveComplete(prepared: Place, recorded: Place, calls: readonly Call[]): void {
  const disk = new Disk(prepared.data, recorded.data)
  for (const call of calls) disk.apply(call)
  const told = disk.files()
  const there = filesIn(recorded.data).map((file) => path.relative(recorded.data, file))
  for (const name of new Set([...told.keys(), ...there])) {
    if (name.endsWith('-shm')) continue
    const place = path.join(recorded.data, name)
    const bytes = existsSync(place) ? readFileSync(place) : null
    if (bytes !== null && told.get(name)?.equals(bytes)) continue
    throw new Error(`the calls that were seen do not explain ${name}: the shim has missed some`)
  }
}
