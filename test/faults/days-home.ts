import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { filesOf, put, uidOf, writeHistories, type Agent, type Prompt, type Saga } from './sessions.ts'

export const DAY_MS = 86_400_000
const AGENTS: readonly Agent[] = ['claude', 'codex', 'grok']
const TURNS = 9
/** After so long without a change Claude and Grok delete a transcript. */
const LIFE_DAYS = 30

/** One session in the home, and what has ever been written of it. */
export interface Living {
  readonly saga: Saga
  readonly uid: string
  /** Turns that its files hold now; 0 if they are gone. */
  turns: number
  /** Turns that were ever written. */
  told: number
  /** The day its newest words were written. */
  toldOn: number
  /** The transcript was moved to another project's directory. */
  moved: boolean
  changedAt: number
  forgotten: boolean
  /** Its words also stand in the transcript of a fork. */
  forked: boolean
  /** Whose words its transcript begins with. */
  readonly parent: Living | null
}

/** The home of three agents, and what happens in it from day to day. Follows from the seed alone. */
export class Home {
  readonly dir: string
  readonly sessions: Living[] = []
  readonly #random: () => number
  readonly #begin: number
  readonly #prompts: Prompt[] = []

  constructor(dir: string, begin: number, random: () => number) {
    this.dir = dir
    this.#begin = begin
    this.#random = random
  }

  /** What happened on a day, in words. */
  live(day: number): string[] {
    const done: string[] = []
    const act = (what: string, one: Living | undefined, work: (one: Living) => void) => {
      if (one === undefined) return
      work(one)
      done.push(`${what} ${one.saga.name}`)
    }
    for (let i = 0; i < 2; i++) act('begin', this.#begun(day, i), (one) => this.#tell(one, 1 + this.#below(3), day))
    for (let i = 0; i < 3; i++) act('grow', this.#any(isGrowing), (one) => this.#tell(one, 1, day))
    if (day % 3 === 0)
      act(
        'shorten',
        this.#any(({ turns }) => turns > 1),
        (one) => this.#shorten(one, day),
      )
    if (day % 4 === 1) act('touch', this.#any(isThere), (one) => this.#touch(one, day))
    if (day % 5 === 2)
      act(
        'move',
        this.#any((one) => isThere(one) && !one.moved && isClaude(one)),
        (one) => this.#move(one),
      )
    if (day % 5 === 4)
      act(
        'fork',
        this.#any((one) => isThere(one) && isClaude(one) && one.parent === null && !one.forgotten),
        (one) => this.#fork(one, day),
      )
    if (day % 6 === 3) act('delete', this.#any(isThere), (one) => this.#remove(one))
    for (const one of this.sessions) if (isExpired(one, this.#at(day))) act('expire', one, () => this.#remove(one))
    writeHistories(this.dir, this.#prompts)
    return done
  }

  /** One that may be forgotten today. */
  toForget(day: number): Living | undefined {
    return day % 7 === 5 ? this.#any((one) => !one.forgotten && one.parent === null && !one.forked) : undefined
  }

  #at(day: number): number {
    return this.#begin + day * DAY_MS
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #any(is: (one: Living) => boolean): Living | undefined {
    const fit = this.sessions.filter(is)
    return fit[this.#below(fit.length)]
  }

  #begun(day: number, number: number, parent: Living | null = null): Living {
    const agent = parent === null ? (AGENTS[(day * 2 + number) % 3] ?? 'claude') : 'claude'
    const name = `${parent === null ? 'day' : 'fork'}${day}n${number}`
    const saga = { agent, name, turns: TURNS, start: this.#at(day) + number * 3_600_000 }
    const one = {
      saga,
      uid: uidOf(saga),
      turns: 0,
      told: 0,
      toldOn: day,
      moved: false,
      changedAt: 0,
      forgotten: false,
      forked: false,
      parent,
    }
    this.sessions.push(one)
    return one
  }

  #tell(one: Living, turns: number, day: number): void {
    one.turns = Math.min(TURNS, one.turns + turns)
    for (; one.told < one.turns; one.told++) {
      this.#prompts.push({ saga: one.saga, turn: one.told })
      one.toldOn = day
    }
    this.#write(one, day)
  }

  #shorten(one: Living, day: number): void {
    one.turns -= 1
    this.#write(one, day)
  }

  #touch(one: Living, day: number): void {
    one.changedAt = this.#at(day)
    for (const file of this.#filesOf(one))
      if (existsSync(file.path)) utimesSync(file.path, one.changedAt / 1000, one.changedAt / 1000)
  }

  #move(one: Living): void {
    const from = this.#filesOf(one)
    one.moved = true
    this.#filesOf(one).forEach((file, i) => {
      mkdirSync(path.dirname(file.path), { recursive: true })
      if (existsSync(from[i]?.path ?? '')) renameSync(from[i]?.path ?? '', file.path)
    })
  }

  /** A fork's transcript begins with all that its parent's says, under its own name. */
  #fork(parent: Living, day: number): void {
    const [transcript] = this.#filesOf(parent)
    if (transcript === undefined || !existsSync(transcript.path)) return
    const copied = readFileSync(transcript.path, 'utf8')
    const fork = this.#begun(day, 5, parent)
    parent.forked = true
    const id = (one: Living) => one.uid.slice('claude:'.length)
    this.#tell(fork, 1, day)
    const [own] = this.#filesOf(fork)
    const prefix = copied.replaceAll(id(parent), id(fork))
    this.#prefixes.set(fork, prefix)
    if (own !== undefined) writeFileSync(own.path, prefix + readFileSync(own.path, 'utf8'))
  }

  readonly #prefixes = new Map<Living, string>()

  #remove(one: Living): void {
    for (const file of this.#filesOf(one)) rmSync(file.path, { force: true })
    one.turns = 0
  }

  #write(one: Living, day: number): void {
    one.changedAt = this.#at(day)
    const prefix = this.#prefixes.get(one) ?? ''
    this.#filesOf(one).forEach(({ path: file, text }, i) => put(file, i === 0 ? prefix + text : text, one.changedAt))
  }

  #filesOf(one: Living): { path: string; text: string }[] {
    return filesOf(one.saga, one.turns).map(({ path: name, lines }) => ({
      path: path.join(this.dir, one.moved ? name.replace('-home-sam-code-faults', '-home-sam-code-elsewhere') : name),
      text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    }))
  }
}

function isThere({ turns }: Living): boolean {
  return turns > 0
}

/** A transcript that is gone is not written again. */
function isGrowing({ turns, told }: Living): boolean {
  return told < TURNS && turns > 0
}

function isClaude({ saga }: Living): boolean {
  return saga.agent === 'claude'
}

function isExpired(one: Living, now: number): boolean {
  return isThere(one) && one.saga.agent !== 'codex' && now - one.changedAt > LIFE_DAYS * DAY_MS
}
