import { rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BitFlips, flipTable, isMissed } from './bit-flips.ts'
import { allCases, sample, type Case } from './cases.ts'
import { explain, report } from './report.ts'
import { prepare, scenarios } from './scenarios.ts'
import { Trials } from './trial.ts'
import { buildShim, workDir, Workshop, type Place } from './workshop.ts'

const MAX_FLIPS = 200

const OPTIONS = {
  points: { type: 'string', default: '2000' },
  only: { type: 'string', default: '' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '2' },
  at: { type: 'string' },
  fault: { type: 'string' },
  minutes: { type: 'string', default: 'Infinity' },
  bin: { type: 'string' },
  keep: { type: 'boolean', default: false },
} as const

/** Returns the exit code. */
export async function main(root: string, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const dir = workDir('faults')
  try {
    const shim = buildShim(path.join(root, 'test', 'faults', 'shim.c'), dir)
    if (shim === null) {
      console.log('faults: skipped: they need Linux and a C compiler called cc (Debian: apt-get install gcc)')
      return 0
    }
    const workshop = new Workshop(dir, path.resolve(values.bin ?? path.join(root, 'bin', 'recall.js')))
    const only = values.only.split(',').filter(Boolean)
    const started = Date.now()
    const prepared = await prepare(workshop)
    if (only.includes('flips')) return await flipBits(workshop, prepared.store, values)
    const chosen = scenarios.filter(({ name }) => only.length === 0 || only.includes(name))
    if (chosen.length === 0) throw new Error(`--only takes ${scenarios.map(({ name }) => name).join(', ')}, flips`)
    const trials = new Trials(workshop, prepared, shim)
    const calms = await inTurn(chosen, Number(values.jobs), (scenario) => trials.calm(scenario))
    console.error(`prepared in ${((Date.now() - started) / 1000).toFixed(0)} s`)
    const possible = calms.flatMap(({ scenario, calls }) => allCases(scenario, calls))
    const isAsked = ({ at, fault }: Case) =>
      (values.at === undefined || at === Number(values.at)) && (values.fault ?? fault) === fault
    const cases = sample(possible.filter(isAsked), Number(values.points), Number(values.seed))
    const until = started + Number(values.minutes) * 60_000
    const verdicts = await inTurn(cases, Number(values.jobs), async (one) => {
      const calm = calms.find(({ scenario }) => scenario === one.scenario)
      return calm === undefined || Date.now() > until ? [] : [await trials.disturb(one, calm, values.keep)]
    }).then((found) => found.flat())
    for (const line of report(calms, verdicts)) console.log(line)
    if (values.at !== undefined) for (const verdict of verdicts) console.log(explain(verdict))
    const flawed = calms.filter(({ flaws }) => flaws.length > 0).length
    const failed = verdicts.filter(({ differences }) => differences.length > 0).length
    const seconds = ((Date.now() - started) / 1000).toFixed(0)
    console.log(`\nfaults: ${verdicts.length} of ${possible.length} points, ${failed} failed, in ${seconds} s`)
    return failed + flawed === 0 ? 0 : 1
  } finally {
    if (!values.keep) rmSync(dir, { recursive: true, force: true })
  }
}

/** Fails if a bit that flipped goes unnoticed: by the doctor, or by whoever is answered wrongly. */
async function flipBits(
  workshop: Workshop,
  store: Place,
  { points, seed, jobs }: Readonly<Record<string, unknown>>,
): Promise<number> {
  const flips = new BitFlips(workshop, store)
  const questions = flips.questions()
  const wanted = await flips.answers(store, questions)
  await flips.proveWell()
  const chosen = flips.choose(Math.min(Number(points), MAX_FLIPS), Number(seed))
  const flipped = await inTurn(chosen, Number(jobs), (flip) => flips.flip(flip, questions, wanted))
  for (const line of flipTable(flipped)) console.log(line)
  return flipped.some(isMissed) ? 1 : 0
}

/** At most two programs at once: they share the machine with others. */
async function inTurn<T, R>(items: readonly T[], jobs: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Map<T, R>()
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      results.set(item, await work(item))
      if (results.size % 100 === 0) console.error(`${results.size} of ${items.length}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, Math.max(1, jobs)) }, worker))
  return items.flatMap((item) => results.get(item) ?? [])
}
