import { MAIN_LANE } from '../../model/event.ts'
import type { Facts } from '../../model/facts.ts'
import type { DeniedBy, Marks } from '../../model/marks.ts'
import type { Usage } from '../../model/usage.ts'
import { asArray, asObject, asText, isObject, type Json } from '../kit/json.ts'
import { LaneCounter, type LaneState } from '../kit/lane.ts'
import type { Line } from '../kit/lines.ts'
import { ORIGINALITY, type EventItem, type Item, type LaneRef, type Problem, type Unit } from '../source.ts'

const REMEMBERED = 256

/** What was decided about a call before its result came. */
export interface Decision {
  readonly denied?: DeniedBy
  readonly asked?: true
  readonly approved?: true
  readonly waitedMs?: number
  /** What a person said with it. */
  readonly words?: string
}

interface Question {
  readonly call: string
  readonly at: number | null
}

/** What is remembered of a subagent, or of the session's own agent. */
interface AgentState {
  /** The last answer asked for no calls: the turn that ends now is done. */
  done: boolean
  last: string | null
}

interface State {
  lanes: Record<string, LaneState>
  agents: Record<string, AgentState>
  /** Subagents by the call that started them. */
  started: [call: string, agent: string][]
  questions: [id: string, question: Question][]
  decisions: [call: string, decision: Decision][]
  /** Prompts by the id of their record, for what is taken back. */
  prompts: [id: string, pos: number][]
  told: Record<string, string>
  branches: string[]
  unknown: string[]
  compactions: Record<string, Billed>
}

/** Tokens of calls that no running total of the client has in it. */
export type Billed = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'reasoning'>

export type Draft = Pick<EventItem, 'kind' | 'role'> &
  Partial<Pick<EventItem, 'tool' | 'text' | 'input' | 'body' | 'human' | 'call' | 'message' | 'callIdx' | 'thread'>> & {
    readonly marks?: Marks
    readonly parent?: number
    readonly block?: number
  }

type Fact = 'firstPrompt' | 'cwd' | 'branch' | 'model' | 'version'

/** Writes down what the records of one session say, and remembers what the next ones need. */
export class ItemWriter {
  items: Item[] = []
  record: Json = {}
  at: number | null = null
  readonly started: Map<string, string>
  readonly questions: Map<string, Question>
  readonly decisions: Map<string, Decision>
  readonly prompts: Map<string, number>
  readonly compactions: Map<string, Billed>
  readonly #unit: Unit
  readonly #session: string
  readonly #lanes = new Map<string, LaneCounter>()
  readonly #agents: Map<string, AgentState>
  readonly #announced = new Set<string>()
  readonly #told: Map<string, string>
  readonly #branches: string[]
  readonly #unknown: Set<string>
  #line = 0
  #offset = 0
  #block = 0

  constructor(unit: Unit, session: string, saved: Json | null) {
    const state = saved as unknown as State | null
    this.#unit = unit
    this.#session = session
    for (const [agent, lane] of Object.entries(state?.lanes ?? {}))
      this.#lanes.set(agent, new LaneCounter({ session, lane: lane.lane }, lane))
    this.#agents = new Map(Object.entries(state?.agents ?? {}))
    this.started = new Map(state?.started)
    this.questions = new Map(state?.questions)
    this.decisions = new Map(state?.decisions)
    this.prompts = new Map(state?.prompts)
    this.compactions = new Map(Object.entries(state?.compactions ?? {}))
    this.#told = new Map(Object.entries(state?.told ?? {}))
    this.#branches = [...(state?.branches ?? [])]
    this.#unknown = new Set(state?.unknown)
  }

  /** True once something was said. */
  get hasBegun(): boolean {
    return this.#lanes.size > 0
  }

  get isOwn(): boolean {
    return asText(this.record['agentId']) === null
  }

  get data(): Json {
    return asObject(this.record['data']) ?? {}
  }

  get lane(): LaneCounter {
    return this.#laneOf(asText(this.record['agentId']))
  }

  get agent(): AgentState {
    const name = asText(this.record['agentId']) ?? ''
    let agent = this.#agents.get(name)
    if (agent === undefined) this.#agents.set(name, (agent = { done: false, last: null }))
    return agent
  }

  /** Turns to the next record. */
  begin(record: Json, line: Line, at: number | null): void {
    this.items = []
    this.record = record
    this.at = at
    this.#line = line.number
    this.#offset = line.offset
    this.#block = 0
  }

  /** Appends an event and returns its position. It follows what came before, unless it answers a call. */
  event(draft: Draft): number {
    const { lane } = this
    const { marks, parent, ...rest } = draft
    const agent = asText(this.record['agentId'])
    const pos = lane.next()
    const thread = draft.thread ?? agent
    this.items.push({
      item: 'event',
      session: this.#session,
      lane: lane.lane,
      pos,
      parent: parent ?? (pos === 0 ? null : pos - 1),
      at: this.at,
      native: asText(this.record['id']) ?? `${this.#session}:${lane.lane}:${pos}`,
      block: this.#block++,
      line: this.#line,
      ...rest,
      ...(agent === null ? {} : { sidechain: true }),
      ...(thread === null ? {} : { thread }),
      ...(marks !== undefined && Object.keys(marks).length > 0 ? { marks } : {}),
    })
    return pos
  }

  note(text: string, marks: Marks = {}): void {
    this.event({ kind: 'lifecycle', role: 'system', text, marks })
  }

  usage(usage: Omit<Usage, 'at'>, message: number | null): void {
    const { lane } = this
    const ref = { session: this.#session, lane: lane.lane }
    this.items.push({ item: 'usage', ...ref, ...usage, at: this.at, message, line: this.#line })
  }

  supersede(from: number, to: number): void {
    this.items.push({ item: 'supersede', session: this.#session, lane: MAIN_LANE, from, to })
  }

  tell(name: Fact, value: string): void {
    if (this.#told.get(name) === value) return
    this.#told.set(name, value)
    this.facts({ [name]: value })
  }

  knows(name: Fact): boolean {
    return this.#told.has(name)
  }

  facts(facts: Partial<Facts>): void {
    const { lane } = this.#laneOf(null)
    this.items.push({ item: 'facts', session: this.#session, lane, facts })
  }

  onBranch(branch: string): void {
    this.tell('branch', this.#told.get('branch') ?? branch)
    if (this.#branches.includes(branch) || this.#branches.length >= REMEMBERED) return
    this.#branches.push(branch)
    this.facts({ branches: [...this.#branches] })
  }

  bill(models: NonNullable<Facts['billed']>['models']): void {
    this.facts({ billed: { models, line: this.#line } })
  }

  problem(type: string, level: Problem['level'], message: string): void {
    if (level === 'info') {
      if (this.#unknown.has(type) || this.#unknown.size >= REMEMBERED) return
      this.#unknown.add(type)
    }
    this.items.push({ item: 'problem', type, level, message, line: this.#line, offset: this.#offset })
  }

  state(): State {
    return {
      lanes: Object.fromEntries(Array.from(this.#lanes, ([agent, lane]) => [agent, lane.state()])),
      agents: Object.fromEntries(Array.from(this.#agents, ([name, agent]) => [name, { ...agent }])),
      started: [...this.started],
      questions: [...this.questions],
      decisions: [...this.decisions],
      prompts: [...this.prompts],
      told: Object.fromEntries(this.#told),
      branches: [...this.#branches],
      unknown: [...this.#unknown],
      compactions: Object.fromEntries(this.compactions),
    }
  }

  #laneOf(agent: string | null): LaneCounter {
    const name = agent ?? ''
    const lane = agent === null ? MAIN_LANE : `agent-${agent}`
    let counter = this.#lanes.get(name)
    if (counter === undefined) {
      this.#lanes.set(name, (counter = new LaneCounter({ session: this.#session, lane })))
    }
    this.#announce(counter)
    return counter
  }

  #announce({ session, lane }: LaneRef): void {
    if (this.#announced.has(lane)) return
    this.#announced.add(lane)
    const originality = lane === MAIN_LANE ? ORIGINALITY.main : ORIGINALITY.subagent
    this.items.push({ item: 'lane', session, lane, originality, mainPath: this.#unit.path })
  }
}

/** Keeps a map of what may still be asked for from growing with the session. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > REMEMBERED) map.delete(map.keys().next().value ?? '')
}

export function objects(value: unknown): Json[] {
  return asArray(value).filter(isObject)
}
