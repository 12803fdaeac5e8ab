import type { DigestEvent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import { checkOf } from './checks.ts'
import { isMissing, isNoVerdict, isProse, isTelling, undoes } from './runs.ts'
import { inTime, isDenial, isEdit, isPrompt, isRequest, isStop } from './timeline.ts'
import { atStart, NEW_TURN, type Course } from './course.ts'
import { isTrivial } from './mood.ts'

/** A commit that may say nothing of itself, with or without settings before the word. */
const COMMITS = /\bgit (?:-[cC] \S+ )*commit\b/

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

class Walk {
  readonly course = atStart()
  readonly #open = new Set<string>()
  readonly #committing = new Set<string>()
  /** Edits without a result yet, and whether they are of code. */
  readonly #editing = new Map<string, boolean>()
  readonly #running = new Map<string, DigestEvent>()
  /** A person has said why they did not let a call happen, and the agent has not answered yet. */
  #commented = false
  /** A command to the client that becomes the prompt if the agent goes to work on it. */
  #command: { readonly text: string; readonly byPerson: boolean } | null = null

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
      if (event.call !== null && COMMITS.test(event.text ?? '')) this.#committing.add(event.call)
    }
    const checked = this.#noteRun(event, main)
    if (event.tests !== null && !checked) {
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
    if (event.kind === 'error' || isDenial(event)) this.#countEdit(-1, code)
  }

  /** True if the verdict of the event is that of a check. */
  #noteRun(event: DigestEvent, main: boolean): boolean {
    const { course } = this
    if (event.call === null) return false
    if (isToolCall(event.kind)) this.#running.set(event.call, event)
    const call = this.#running.get(event.call)
    if (call === undefined || event.role !== 'tool') return false
    this.#running.delete(event.call)
    if (main) this.#noteCommand(call, event)
    const failed = event.kind === 'error' || event.tests === 'failed'
    if (!failed && course.failedCheck === null) return false
    const check = checkOf(call)
    if (event.kind === 'error') {
      course.failedCall = call
      course.missing = isMissing(event.text ?? '')
      if (!course.missing) course.failedCheck = check ?? course.failedCheck
    } else if (check !== null && event.tests === 'failed') course.failedCheck = check
    else if (check === course.failedCheck || event.tests === 'passed') course.failedCheck = null
    return check !== null && event.tests === 'failed'
  }

  #noteCommand(call: DigestEvent, result: DigestEvent): void {
    const { course } = this
    const failed = result.kind === 'error' || result.tests === 'failed'
    const said = result.text ?? ''
    if (
      call.text === null ||
      isDenial(result) ||
      !isTelling(call) ||
      (failed && isNoVerdict(said, result.marks.exitCode))
    )
      return
    if (failed && isMissing(said) && course.editsInTurn > 0) return
    const stumbled = course.ran?.failed === true || course.editsInTurn > 0
    if (!failed && stumbled && undoes(call.text)) course.tookBack = true
    else if (/\bgit stash (?:pop|apply)\b/.test(call.text)) course.tookBack = false
    const hidden = failed && (result.marks.exitCode ?? 0) === 0
    course.ran = { command: call.text, failed, hidden }
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
        if (event.text === null || event.text.trim() === '' || event.marks.injected) return
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
        if (isDenial(event)) course.denied = event.marks.denied ?? null
        else course.errorsInARow = 0
        course.end = 'result'
        return
      case 'error':
        return this.#noteError(event)
      case 'human_intervention':
        if (isStop(event)) course.stopped = true
        return
      case 'lifecycle':
        return this.#noteLifecycle(event)
      default:
        if (isToolCall(event.kind)) this.#noteCall(event)
    }
  }

  #noteUser(event: DigestEvent): void {
    const text = event.text ?? ''
    if (event.marks.alone) this.course.alone = true
    if (event.marks.command !== undefined) this.#command = { text, byPerson: event.human || this.course.byPerson }
    else if (isPrompt(event)) this.#prompt(text, true)
    else if (event.marks.onDenial) this.#commented = true
    else if (this.course.asked === null && isRequest(event)) this.#prompt(text, false)
  }

  #prompt(text: string, byPerson: boolean): void {
    this.#open.clear()
    this.#command = null
    this.#commented = false
    const { course } = this
    course.trivial &&= isTrivial(text)
    const halted = course.callsInTurn > 0 ? course.stopped : course.halted
    const turn = {
      asked: text,
      byPerson,
      first: course.asked === null,
      before: course.answer,
      halted,
      end: 'prompt',
    } as const
    const earlier = course.asked === null ? null : { ...course }
    Object.assign(course, { ...NEW_TURN, ...turn, earlier } satisfies Partial<Course>)
  }

  #work(): void {
    const { course } = this
    if (this.#command !== null) this.#prompt(this.#command.text, this.#command.byPerson)
    course.crash = null
    course.ended = false
    if (this.#commented) course.denied = null
    this.#commented = false
  }

  #noteCall(event: DigestEvent): void {
    this.#work()
    if (event.call !== null) this.#open.add(event.call)
    this.course.callsInTurn++
    this.course.trivial = false
    this.course.halted = false
    this.course.end = 'call'
    this.course.denied = null
  }

  #noteError(event: DigestEvent): void {
    const { course } = this
    if (event.role === 'tool') {
      if (event.call !== null) this.#open.delete(event.call)
      course.errorsInARow++
      course.end = 'result'
      return
    }
    course.crash = event.text ?? event.summary
  }

  #noteLifecycle({ marks, text, summary }: DigestEvent): void {
    const { course } = this
    if (marks.denied !== undefined) course.denied = marks.denied
    if (marks.turn === 'completed') course.ended = true
    else if (marks.turn === 'interrupted' && course.denied !== null) course.endedByNo = true
    else if (marks.turn === 'aborted') course.cutShort = text ?? summary
    if (marks.subagent !== undefined && marks.subagent !== 'started') course.told = marks.subagent
  }
}
