import type { DigestEvent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import { checkOf } from './checks.ts'
import { isKilled, isMissing, isProse, isTelling, undoes } from './runs.ts'
import { inTime, isDenial, isEdit, isStop } from './timeline.ts'

/** What the main thread ends with. */
export type End = 'nothing' | 'prompt' | 'answer' | 'thought' | 'call' | 'result'

/** How a session went, as far as its outcome depends on it. */
export interface Course {
  /** The last words of the person, or of the program that asked; null if nobody asked. */
  asked: string | null
  byPerson: boolean
  /** Nothing was said before it: it can be about no work but that of others. */
  first: boolean
  end: End
  /** Last words of the agent since then. */
  answer: string | null
  /** Calls without a result. */
  open: number
  /** Failed calls with no success after them. */
  errorsInARow: number
  /** The last of them. */
  failedCall: DigestEvent | null
  /** It failed because its program is not there. */
  missing: boolean
  /** The last command of the turn that tells something of the work, and whether it failed. */
  ran: { readonly command: string; readonly failed: boolean } | null
  /** Edits of code since the last such command, of any turn. */
  editsSinceRun: number
  /** Work of this turn was taken back by a command and none followed. */
  tookBack: boolean
  /** A person stopped work in the turn before, and since then there are only words. */
  halted: boolean
  callsInTurn: number
  /** A build, a type check or a linter failed since the last prompt, and neither an edit nor a good run came after it. */
  failedCheck: string | null
  /** The service failed and nothing came after it. */
  crash: string | null
  /** A person stopped the agent and asked for nothing since: what still trickles in is no work. */
  stopped: boolean
  /** The log itself says that the turn is over. */
  ended: boolean
  /** The log itself says that the turn was broken off, by no person. */
  cutShort: string | null
  /** What the log says of a subagent as a whole. */
  told: 'completed' | 'failed' | 'cancelled' | null
  /** A call was not allowed and no other followed. */
  denied: boolean
  /** Edits since the last prompt. */
  editsInTurn: number
  edits: number
  tests: 'passed' | 'failed' | null
  /** Edits of code: what people read is not tested. */
  editsAfterTests: number
  /** Exchanges with edits that came after the exchange of the last verdict. */
  workAfterTests: number
  commit: boolean
  request: boolean
  editsAfterMade: number
  /** A verdict, or something made, since the last prompt. */
  provenInTurn: boolean
  madeLast: boolean
}

/** Follows the events of a session once, in the order of time. */
export function followCourse(events: readonly DigestEvent[]): Course {
  const ordered = inTime(events)
  const spoken = ordered.some((event) => !event.sidechain && speaks(event))
  const walk = new Walk()
  for (const event of ordered) walk.step(event, !event.sidechain || !spoken)
  return walk.course
}

function speaks({ kind }: DigestEvent): boolean {
  return kind === 'user_msg' || kind === 'assistant_msg' || isToolCall(kind)
}

const SUBAGENT = /^subagent of .*\) (completed|failed|cancelled|canceled|error)/
const NO_ANSWER = 'No response requested.'

/** What a prompt makes a thing of the past. */
const NEW_TURN = {
  answer: null,
  errorsInARow: 0,
  failedCall: null,
  missing: false,
  ran: null,
  tookBack: false,
  callsInTurn: 0,
  failedCheck: null,
  crash: null,
  stopped: false,
  ended: false,
  cutShort: null,
  denied: false,
  editsInTurn: 0,
  provenInTurn: false,
} as const satisfies Partial<Course>

class Walk {
  readonly course: Course = {
    asked: null,
    byPerson: false,
    first: true,
    end: 'nothing',
    answer: null,
    open: 0,
    errorsInARow: 0,
    failedCall: null,
    missing: false,
    ran: null,
    editsSinceRun: 0,
    tookBack: false,
    halted: false,
    callsInTurn: 0,
    failedCheck: null,
    crash: null,
    stopped: false,
    ended: false,
    cutShort: null,
    told: null,
    denied: false,
    editsInTurn: 0,
    edits: 0,
    tests: null,
    editsAfterTests: 0,
    workAfterTests: 0,
    commit: false,
    request: false,
    editsAfterMade: 0,
    provenInTurn: false,
    madeLast: false,
  }
  readonly #open = new Set<string>()
  readonly #committing = new Set<string>()
  /** Edits without a result yet, and whether they are of code. */
  readonly #editing = new Map<string, boolean>()
  readonly #running = new Map<string, DigestEvent>()
  /** A command to the client that becomes the prompt if the agent goes to work on it. */
  #command: string | null = null

  step(event: DigestEvent, main: boolean): void {
    this.#noteWork(event, main)
    if (main) this.#noteShape(event)
    this.course.open = this.#open.size
  }

  #noteWork(event: DigestEvent, main: boolean): void {
    const { course } = this
    this.#noteEdit(event)
    if (isToolCall(event.kind)) {
      course.madeLast = false
      if (event.call !== null && event.text?.includes('git commit') === true) this.#committing.add(event.call)
    }
    this.#noteRun(event, main)
    if (event.tests !== null) {
      course.tests = event.tests
      course.editsAfterTests = 0
      course.workAfterTests = 0
      course.provenInTurn = true
    }
    const quietly = event.call !== null && event.kind === 'tool_result' && this.#committing.delete(event.call)
    if (quietly || event.made.length > 0) this.#noteMade(event)
  }

  #noteEdit(event: DigestEvent): void {
    if (isEdit(event)) {
      const code = !event.files.every(({ path }) => isProse(path)) || event.files.length === 0
      this.#countEdit(1, code)
      if (event.call !== null) this.#editing.set(event.call, code)
      return
    }
    const code = event.call === null ? undefined : this.#editing.get(event.call)
    if (code === undefined || event.call === null) return
    this.#editing.delete(event.call)
    if (event.kind === 'error') this.#countEdit(-1, code)
  }

  #noteRun(event: DigestEvent, main: boolean): void {
    const { course } = this
    if (event.call === null) return
    if (isToolCall(event.kind)) this.#running.set(event.call, event)
    const call = this.#running.get(event.call)
    if (call === undefined || event.role !== 'tool') return
    this.#running.delete(event.call)
    if (main) this.#noteCommand(call, event)
    const check = checkOf(call)
    if (event.kind === 'error') {
      course.failedCall = call
      course.missing = isMissing(event.text ?? '')
      course.failedCheck = check ?? course.failedCheck
    } else if (check === course.failedCheck || event.tests === 'passed') course.failedCheck = null
  }

  #noteCommand(call: DigestEvent, result: DigestEvent): void {
    const { course } = this
    const failed = result.kind === 'error' || result.tests === 'failed'
    const said = result.text ?? ''
    if (call.text === null || isDenial(result) || !isTelling(call) || (failed && isKilled(said))) return
    if (failed && isMissing(said) && course.editsInTurn > 0) return
    const stumbled = course.ran?.failed === true || course.editsInTurn > 0
    course.tookBack = !failed && stumbled && undoes(call.text)
    course.ran = { command: call.text, failed }
    course.editsSinceRun = 0
  }

  /** An edit that failed is taken off again. */
  #countEdit(step: 1 | -1, code: boolean): void {
    const { course } = this
    if (step === 1) course.failedCheck = null
    if (step === 1) course.tookBack = false
    if (step === 1 && course.editsInTurn === 0 && course.tests !== null && !course.provenInTurn) course.workAfterTests++
    for (const count of ['editsInTurn', 'edits', 'editsAfterMade'] as const) {
      course[count] = Math.max(0, course[count] + step)
    }
    if (!code) return
    course.editsAfterTests = Math.max(0, course.editsAfterTests + step)
    course.editsSinceRun = Math.max(0, course.editsSinceRun + step)
  }

  #noteMade(event: DigestEvent): void {
    const { course } = this
    if (event.made.some(({ kind }) => kind === 'pr')) course.request = true
    else course.commit = true
    course.editsAfterMade = 0
    course.provenInTurn = true
    course.madeLast = true
  }

  #noteShape(event: DigestEvent): void {
    const { course } = this
    switch (event.kind) {
      case 'user_msg':
        return this.#noteUser(event)
      case 'assistant_msg':
        if (event.text === null || event.text.trim() === '' || event.text === NO_ANSWER) return
        this.#work()
        course.answer = event.text
        course.end = 'answer'
        return
      case 'thinking':
        this.#work()
        course.end = 'thought'
        return
      case 'tool_result':
        if (event.call !== null) this.#open.delete(event.call)
        course.errorsInARow = 0
        course.end = 'result'
        return
      case 'error':
        return this.#noteError(event)
      case 'human_intervention':
        if (isStop(event)) course.stopped = true
        else if (isDenial(event)) course.denied = true
        return
      case 'lifecycle':
        return this.#noteLifecycle(event.text ?? event.summary)
      default:
        if (isToolCall(event.kind)) this.#noteCall(event)
    }
  }

  #noteUser(event: DigestEvent): void {
    const text = event.text ?? ''
    if (event.human) return this.#prompt(text, true)
    if (event.role !== 'user' || text === '') return
    if (/^\/(?!\S*\/)/.test(text)) this.#command = text
    else if (this.course.asked === null && !/^[<[]|^#\s|^Caveat:/.test(text)) this.#prompt(text, false)
  }

  #prompt(text: string, byPerson: boolean): void {
    this.#open.clear()
    this.#command = null
    const { course } = this
    const halted = course.callsInTurn > 0 ? course.stopped : course.halted
    const turn = { asked: text, byPerson, first: course.asked === null, halted, end: 'prompt' } as const
    Object.assign(course, { ...NEW_TURN, ...turn } satisfies Partial<Course>)
  }

  #work(): void {
    const { course } = this
    if (this.#command !== null) this.#prompt(this.#command, course.byPerson)
    course.crash = null
    course.ended = false
  }

  #noteCall(event: DigestEvent): void {
    this.#work()
    if (event.call !== null) this.#open.add(event.call)
    this.course.callsInTurn++
    this.course.halted = false
    this.course.end = 'call'
    this.course.denied = false
  }

  #noteError(event: DigestEvent): void {
    const { course } = this
    if (event.role === 'tool') {
      if (event.call !== null) this.#open.delete(event.call)
      course.errorsInARow++
      course.end = 'result'
      if (isDenial(event)) course.denied = true
      return
    }
    course.crash = event.text ?? event.summary
  }

  #noteLifecycle(text: string): void {
    const { course } = this
    if (/^(?:task complete|turn (?:ended|took))/.test(text)) course.ended = true
    else if (text.startsWith('turn aborted:')) course.cutShort = text
    const status = text.startsWith('subagent of ') ? SUBAGENT.exec(text)?.[1] : undefined
    if (status === undefined) return
    course.told = status === 'completed' ? 'completed' : status.startsWith('cancel') ? 'cancelled' : 'failed'
  }
}
