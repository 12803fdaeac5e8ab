import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { random } from './cases.ts'
import { DAY_MS, Home } from './days-home.ts'
import { Memory, type Breach } from './days-rules.ts'
import { viewOf } from './days-view.ts'
import { workDir, Workshop, type Place } from './workshop.ts'

const OPTIONS = {
  days: { type: 'string', default: '30' },
  seed: { type: 'string', default: '1' },
  bin: { type: 'string' },
  keep: { type: 'boolean', default: false },
  verbose: { type: 'boolean', short: 'v', default: false },
} as const

const SOFT = 60 * 1024
const HARD = 150 * 1024
/** Sessions that were there before, so that some are old enough to be deleted by their agent. */
const BEFORE_DAYS = 12
/** All of it lies in the year that the program takes for now. */
const BEGIN = Date.parse('2033-03-01T08:00:00Z')

interface Kept extends Breach {
  readonly day: number
}

/** Returns the exit code. */
export async function main(root: string, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const workshop = new Workshop(workDir('days'), path.resolve(values.bin ?? path.join(root, 'bin', 'recall.js')))
  try {
    const place = layOut(workshop.dir)
    const home = new Home(place.home, BEGIN, random(Number(values.seed)))
    const memory = new Memory()
    const breaches: Kept[] = []
    const last = BEFORE_DAYS + Number(values.days)
    for (let day = 0; day < last; day++) {
      const done = home.live(day)
      // Days without recall: what happened in them is met at once.
      if (day < BEFORE_DAYS) continue
      const { found, told } = await spend(workshop, place, { day, home, memory })
      if (values.verbose) console.log(`day ${day}: ${done.join(', ')}; ${told}`)
      breaches.push(...found.map((breach) => ({ ...breach, day })))
    }
    for (const line of summary(breaches)) console.log(line)
    console.log(
      `thirty days: ${values.days} days, ${home.sessions.length} sessions, ${breaches.length} promises broken (seed ${values.seed})`,
    )
    return breaches.length === 0 ? 0 : 1
  } finally {
    if (values.keep) console.error(`kept: ${workshop.dir}`)
    else rmSync(workshop.dir, { recursive: true, force: true })
  }
}

interface Day {
  readonly day: number
  readonly home: Home
  readonly memory: Memory
}

/** Index, perhaps forget one, sweep; then everything that was promised is looked at. */
async function spend(
  workshop: Workshop,
  place: Place,
  { day, home, memory }: Day,
): Promise<{ found: Breach[]; told: string }> {
  let at = BEGIN + day * DAY_MS + 10 * 3_600_000
  const found: Breach[] = []
  const recall = async (...args: string[]): Promise<string> => {
    const ended = await workshop.run(place, { args, at: (at += 600_000) })
    const command = args.slice(0, 1).join(' ')
    if (ended.code !== 0)
      found.push({
        promise: `\`recall ${command}\` ends well`,
        what: `${ended.code}: ${`${ended.out}${ended.err}`.slice(0, 300)}`,
      })
    return ended.code === 0 ? ended.out : '{}'
  }
  if (day % 2 === 0) await recall('index')
  const unwanted = day > BEFORE_DAYS ? home.toForget(day) : undefined
  if (unwanted !== undefined && day % 2 === 0) {
    await recall('forget', unwanted.uid, '--yes')
    unwanted.forgotten = true
  }
  const sweep = field(await recall('sweep', '--json'))
  if (sweep('data_loss') != null)
    found.push({ promise: 'no raw text goes before its digest', what: JSON.stringify(sweep('data_loss')) })
  const tier1 = field(JSON.stringify(field(await recall('budget', '--json'))('tier1') ?? {}))
  const bytes = Number(tier1('bytes'))
  if (!(bytes <= HARD)) found.push({ promise: 'raw text stays below the hard cap', what: `${bytes} bytes` })
  const view = viewOf(place)
  found.push(...memory.check(view, home.sessions))
  if (day % 5 === 0) {
    await recall('index')
    const again = field(await recall('sweep', '--json'))
    const work = Number(again('ingested')) + Number(again('analyzed'))
    if (work > 0) found.push({ promise: 'a second sweep finds nothing to do', what: `${work}` })
  }
  if (day % 10 === 0) await recall('doctor')
  return {
    found,
    told: `${bytes} bytes of raw text, ${view.evicted.size} evicted${unwanted?.forgotten ? `, ${unwanted.saga.name} forgotten` : ''}`,
  }
}

function layOut(dir: string): Place {
  const place = {
    home: path.join(dir, 'home'),
    data: path.join(dir, 'data'),
    config: path.join(dir, 'config'),
    cwd: path.join(dir, 'cwd'),
  }
  for (const made of [place.home, place.data, place.cwd, path.join(place.config, 'recall')])
    mkdirSync(made, { recursive: true })
  const caps = `[session_memory.retention]\nraw_soft_cap_bytes = "${SOFT}"\nraw_hard_cap_bytes = "${HARD}"\n`
  writeFileSync(path.join(place.config, 'recall', 'config.toml'), caps)
  return place
}

/** How often each promise was broken, with the first time. */
function summary(breaches: readonly Kept[]): string[] {
  const promises = [...new Set(breaches.map(({ promise }) => promise))]
  return promises.map((promise) => {
    const own = breaches.filter((breach) => breach.promise === promise)
    return `${String(own.length).padStart(5)} × ${promise}; first on day ${own[0]?.day}: ${own[0]?.what}`
  })
}

function field(json: string): (name: string) => unknown {
  const value: unknown = JSON.parse(json)
  return (name) =>
    typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
}
