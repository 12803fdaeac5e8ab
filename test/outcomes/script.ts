import { NO_MARKS, type Marks } from '../../src/model/marks.ts'
import { COMPLETION_POS, laneBase, type EventKind } from '../../src/model/event.ts'
import type { DigestEvent, Outcome } from '../../src/model/digest.ts'

export type Shape = 'claude' | 'codex' | 'grok'

/** A session in a few lines and what a reader of the whole log would say came of it. */
export interface Labelled {
  readonly name: string
  readonly shape: Shape
  readonly outcome: Outcome
  /** Endings that must never be called a success. */
  readonly ends?: 'red' | 'interrupted' | 'refused'
  readonly script: string
}

const START = Date.UTC(2026, 0, 5, 9, 0, 0)
const STEP = 20_000
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }
const TOOLS: Readonly<Record<Shape, Readonly<Record<'run' | 'edit' | 'read', string>>>> = {
  claude: { run: 'Bash', edit: 'Edit', read: 'Read' },
  codex: { run: 'exec_command', edit: 'apply_patch', read: 'exec_command' },
  grok: { run: 'run_terminal_cmd', edit: 'search_replace', read: 'read_file' },
}
const STOPPED: Readonly<Record<Shape, string>> = {
  claude: '[Request interrupted by user]',
  codex: 'turn aborted: interrupted',
  grok: 'turn cancelled after 31s',
}
const DENIED: Readonly<Record<Shape, string>> = {
  claude: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  codex: 'exec command rejected by user',
  grok: 'Permission denied by user',
}

/**
 * The events of a script, as the source of that shape would tell them. One step a line:
 *
 * - `you: …` a person's prompt, `auto: …` a prompt that no person typed, `says: …`, `thinks: …`, `note …`
 * - `run <command> => …`, `edit <file>`, `read <file>`, `call <tool> => …`; after the arrow, parted by `; `: `passed`,
 *   `failed`, `commit <hash>`, `pr <url>`, `error <text>`, `denied`, `open` (it never answers)
 * - `comment: …` what a person said with the no to the call before it
 * - `stop`, `crash <text>`, `compacted`, `gap 3h`, and `cut`: the log ends here, the turn does not
 * - `sub <step>` for what a subagent does
 */
export function play(script: string, shape: Shape): DigestEvent[] {
  return new Player(shape).play(script)
}

/** What a source that writes such a note knows with it. */
function noteMarks(text: string): Marks {
  const ended = /^subagent of .*\) (completed|failed|cancelled)/.exec(text)?.[1] as Marks['subagent']
  if (ended !== undefined) return { subagent: ended }
  return text.startsWith('rewound to before prompt') ? { takenBack: 1 } : NO_MARKS
}

class Player {
  readonly #shape: Shape
  readonly #events: DigestEvent[] = []
  readonly #next = new Map<string, number>()
  #at = START
  #exchange = 0
  #calls = 0
  #turns = 0
  #inTurn = false

  constructor(shape: Shape) {
    this.#shape = shape
  }

  play(script: string): DigestEvent[] {
    const lines = script.split('\n').map((line) => line.trim())
    const steps = lines.filter((line) => line !== '')
    const cut = steps.at(-1) === 'cut'
    this.#push({ kind: 'lifecycle', role: 'system', summary: 'session started' }, '~inferred')
    for (const step of cut ? steps.slice(0, -1) : steps) this.#step(step, '')
    const last = this.#events.findLast((event) => event.seq < laneBase('~events') && event.kind !== 'lifecycle')
    if (last?.kind === 'assistant_msg') {
      if (!cut) this.#endTurn()
      this.#push({
        kind: 'completion',
        role: 'system',
        summary: `ended: ${last.text ?? ''}`,
        at: last.at,
        seq: COMPLETION_POS,
      })
    }
    return this.#events.sort((a, b) => a.seq - b.seq)
  }

  #step(step: string, lane: string): void {
    const [, word = '', rest = ''] = /^(\w+):? ?(.*)$/.exec(step) ?? []
    switch (word) {
      case 'sub':
        return this.#step(rest, 'agent-a1')
      case 'you':
      case 'auto':
        return this.#prompt(rest, word === 'you')
      case 'comment':
        return this.#push({ kind: 'user_msg', role: 'user', text: rest, human: true, marks: { onDenial: true } })
      case 'says':
        return this.#push({ kind: 'assistant_msg', role: 'assistant', text: rest }, lane)
      case 'thinks':
        return this.#push({ kind: 'thinking', role: 'assistant', text: rest }, lane)
      case 'note':
        return this.#push({ kind: 'lifecycle', role: 'system', text: rest, marks: noteMarks(rest) })
      case 'compacted':
        return this.#push({
          kind: 'lifecycle',
          role: 'system',
          text: 'conversation compacted (auto, 160000 tokens)',
          marks: { compacted: 'auto' },
        })
      case 'stop':
        return this.#stop()
      case 'crash':
        return this.#crash(rest)
      case 'gap':
        this.#at += Number.parseInt(rest) * (UNITS[rest.at(-1) ?? ''] ?? 0)
        return
      case 'run':
      case 'edit':
      case 'read':
      case 'call':
        return this.#call(word, rest, lane)
      default:
        throw new Error(`no such step: ${step}`)
    }
  }

  #prompt(text: string, human: boolean): void {
    const last = this.#events.at(-1)
    if (last?.kind === 'assistant_msg') this.#endTurn()
    if (human) this.#exchange++
    this.#turns++
    this.#inTurn = true
    if (this.#shape === 'codex')
      this.#push({ kind: 'lifecycle', role: 'system', text: 'task started', marks: { turn: 'started' } })
    if (this.#shape === 'grok') {
      const text = `turn ${this.#turns} started on some-model`
      this.#push({ kind: 'lifecycle', role: 'system', text, marks: { turn: 'started' } }, '~events')
    }
    const command = /^\/(?!\S*\/)\S+/.exec(text)?.[0]
    const marks = command === undefined ? NO_MARKS : { command }
    this.#push({ kind: 'user_msg', role: 'user', text, human, marks })
  }

  #endTurn(): void {
    if (!this.#inTurn) return
    this.#inTurn = false
    const marks = { turn: 'completed' } as const
    if (this.#shape === 'codex') this.#push({ kind: 'lifecycle', role: 'system', text: 'task complete', marks })
    if (this.#shape !== 'grok') return
    this.#push({ kind: 'lifecycle', role: 'system', text: 'turn ended after 42s', marks })
  }

  #stop(): void {
    this.#inTurn = false
    const role = this.#shape === 'codex' ? 'system' : 'user'
    this.#push({ kind: 'human_intervention', role, text: STOPPED[this.#shape], marks: { interrupted: true } })
    if (this.#shape !== 'codex') return
    const text = '<turn_aborted>The user interrupted the previous turn on purpose.</turn_aborted>'
    this.#push({ kind: 'user_msg', role: 'user', text, marks: { injected: true } })
  }

  #crash(text: string): void {
    this.#inTurn = false
    const role = this.#shape === 'claude' ? 'assistant' : 'system'
    this.#push({ kind: 'error', role, text: this.#shape === 'grok' ? `turn failed after 9s: ${text}` : text })
    if (this.#shape === 'grok') this.#push({ kind: 'error', role: 'system', text: 'turn ended: error' }, '~events')
  }

  #call(word: 'run' | 'edit' | 'read' | 'call', rest: string, lane: string): void {
    const [what = '', then = ''] = rest.split(' => ')
    const call = `c${this.#calls++}`
    const tool = word === 'call' ? what : TOOLS[this.#shape][word]
    const shell = word === 'run' || (word === 'read' && this.#shape === 'codex')
    const command = shell ? (word === 'run' ? what : `cat ${what}`) : null
    const [base = null, sub = null] = command?.split(' ') ?? []
    const tests = /(?:^|; |, )(passed|failed)(?:;|$)/.exec(then)?.[1] as 'passed' | 'failed' | undefined
    const kind: EventKind = word === 'edit' ? 'edit' : tests === undefined ? 'tool_call' : 'test_run'
    const files = word === 'edit' || word === 'read' ? [{ path: what, edit: word === 'edit' }] : []
    const of = { tool, call }
    this.#push({ ...of, kind, role: 'assistant', text: command, base, sub, files, summary: `${word} ${what}` }, lane)
    if (then.includes('open')) return
    if (then === 'denied') {
      const denied = { text: DENIED[this.#shape], marks: { denied: 'person' } } as const
      return this.#push({ ...of, ...denied, kind: 'tool_result', role: 'tool' }, lane)
    }
    const error = /error (.*)$/.exec(then)?.[1] ?? null
    const made = [...then.matchAll(/\b(commit|pr) (\S+?)(?:;|$)/g)].map(([, kind = '', value = '']) => ({
      kind: kind as 'commit' | 'pr',
      value,
    }))
    const failed = error !== null || tests === 'failed'
    const said = { text: error ?? (failed ? 'Exit code 1' : null), tests: tests ?? null, made }
    this.#push({ ...of, ...said, kind: failed ? 'error' : 'tool_result', role: 'tool' }, lane)
  }

  #push(draft: Pick<DigestEvent, 'kind' | 'role'> & Partial<DigestEvent>, lane = ''): void {
    const pos = this.#next.get(lane) ?? 0
    this.#next.set(lane, pos + 1)
    const sidechain = lane.startsWith('agent-')
    this.#events.push({
      seq: laneBase(lane) + pos,
      at: this.#at,
      tool: null,
      summary: draft.text ?? '',
      text: null,
      base: null,
      sub: null,
      call: null,
      eventClass: 'other',
      human: false,
      sidechain,
      superseded: false,
      thread: sidechain ? lane.slice(6) : null,
      exchange: lane === '' ? this.#exchange : 0,
      tests: null,
      files: [],
      made: [],
      marks: NO_MARKS,
      ...draft,
    })
    if (draft.kind !== 'lifecycle' && draft.kind !== 'completion') this.#at += STEP
  }
}
