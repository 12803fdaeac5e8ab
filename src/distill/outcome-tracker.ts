import type { DigestEvent } from '../model/digest.ts'
import { isToolCall } from '../model/event.ts'
import { checkOf } from './checks.ts'
import {
  endsMerge,
  isMissing,
  isNoVerdict,
  isProse,
  isRelevant,
  leavesConflict,
  restoredBy,
  undoes,
} from './command-relevance.ts'
import { inTime, isDenial, isEdit, isPrompt, isRequest, isStop } from './timeline.ts'
import { atStart, NEW_TURN, type OutcomeState } from './outcome-state.ts'
import { isTrivial } from './person-phrases.ts'

/** A commit that may say nothing of itself, with or without settings before the word. */
const COMMITS = /\bgit (?:-[cC] \S+ )*commit\b/

/** Follows the events of a session once, in the order of time. */
export function trackOutcome(events: readonly DigestEvent[]): OutcomeState {
  const ordered = inTime(events)
  const spoken = ordered.some((event) => !event.sidechain && speaks(event))
  const walk = new OutcomeTracker()
  for (const event of ordered) walk.step(event, !event.sidechain || !spoken)
  return walk.state
}

function speaks({ kind }: DigestEvent): boolean {
  return kind === 'user_msg' || kind === 'assistant_msg' || isToolCall(kind)
}

class OutcomeTracker {
  readonly state = atStart()
  readonly #open = new Set<string>()
  readonly #committing = new Set<string>()
  /** Edits without a result yet, and whether they are of code. */
  readonly #editing = new Map<string, boolean>()
  readonly #running = new Map<string, DigestEvent>()
  /** Files edited in this turn and not taken back. */
  readonly #edited = new Set<string>()
  /** A person has said why they did not let a call happen, and the agent has not answered yet. */
  #commented = false
  /** A command to the client that becomes the prompt if the agent goes to work on it. */
  #command: { readonly text: string; readonly byPerson: boolean } | null = null

  step(event: DigestEvent, main: boolean): void {
    this.#noteWork(event, main)
    if (main) this.#noteShape(event)
    this.state.open = this.#open.size
  }

  #noteWork(event: DigestEvent, main: boolean): void {
    const { state } = this
    this.#noteEdit(event)
    if (isToolCall(event.kind)) {
      state.madeLast = false
      if (event.call !== null && COMMITS.test(event.text ?? '')) this.#committing.add(event.call)
    }
    const checked = this.#noteRun(event, main)
    if (event.tests !== null && !checked) {
      state.tests = event.tests
      state.editsAfterTests = 0
      state.workAfterTests = 0
      state.provenInTurn = true
    }
    const quietly = event.call !== null && event.kind === 'tool_result' && this.#committing.delete(event.call)
    if (quietly || event.made.length > 0) this.#noteMade(event)
  }

  #noteEdit(event: DigestEvent): void {
    if (isEdit(event)) {
      const code = !event.files.every(({ path }) => isProse(path)) || event.files.length === 0
      this.#countEdit(1, code)
      for (const { path, edit } of event.files) if (edit) this.#edited.add(path)
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
    const { state } = this
    if (event.call === null) return false
    if (isToolCall(event.kind)) this.#running.set(event.call, event)
    const call = this.#running.get(event.call)
    if (call === undefined || event.role !== 'tool') return false
    this.#running.delete(event.call)
    if (main) this.#noteMerge(call, event)
    if (main) this.#noteCommand(call, event)
    const failed = event.kind === 'error' || event.tests === 'failed'
    if (!failed && state.failedCheck === null) return false
    const check = checkOf(call)
    if (event.kind === 'error') {
      state.failedCall = call
      state.missing = isMissing(event.text ?? '')
      if (!state.missing) state.failedCheck = check ?? state.failedCheck
    } else if (check !== null && event.tests === 'failed') state.failedCheck = check
    else if (check === state.failedCheck || event.tests === 'passed') state.failedCheck = null
    return check !== null && event.tests === 'failed'
  }

  #noteCommand(call: DigestEvent, result: DigestEvent): void {
    const { state } = this
    const failed = result.kind === 'error' || result.tests === 'failed'
    const said = result.text ?? ''
    if (
      call.text === null ||
      isDenial(result) ||
      !isRelevant(call) ||
      (failed && isNoVerdict(said, result.marks.exitCode))
    )
      return
    if (failed && isMissing(said) && state.editsInTurn > 0) return
    const stumbled = state.ran?.failed === true || state.editsInTurn > 0
    if (!failed && stumbled && (undoes(call.text) || this.#restoresAll(call.text))) state.tookBack = true
    else if (/\bgit stash (?:pop|apply)\b/.test(call.text)) state.tookBack = false
    const hidden = failed && (result.marks.exitCode ?? 0) === 0
    state.ran = { command: call.text, failed, hidden }
    state.editsSinceRun = 0
  }

  #noteMerge({ text }: DigestEvent, result: DigestEvent): void {
    if (text === null || !text.includes('git')) return
    if (result.kind === 'error' && leavesConflict(text, result.text ?? '')) this.state.conflict = true
    else if (result.kind !== 'error' && endsMerge(text)) this.state.conflict = false
  }

  /** Every file that was edited in this turn is as it was committed. */
  #restoresAll(command: string): boolean {
    const restored = restoredBy(command)
    if (restored.length === 0 || this.#edited.size === 0) return false
    for (const path of this.#edited) {
      if (restored.some((name) => path === name || path.endsWith(`/${name}`) || path.includes(`/${name}/`)))
        this.#edited.delete(path)
    }
    return this.#edited.size === 0
  }

  /** An edit that failed is taken off again. */
  #countEdit(step: 1 | -1, code: boolean): void {
    const { state } = this
    if (step === 1) state.failedCheck = null
    if (step === 1) state.tookBack = false
    if (step === 1 && state.editsInTurn === 0 && state.tests !== null && !state.provenInTurn) state.workAfterTests++
    for (const count of ['editsInTurn', 'edits', 'editsAfterMade'] as const) {
      state[count] = Math.max(0, state[count] + step)
    }
    if (!code) return
    state.editsAfterTests = Math.max(0, state.editsAfterTests + step)
    state.editsSinceRun = Math.max(0, state.editsSinceRun + step)
  }

  #noteMade(event: DigestEvent): void {
    const { state } = this
    if (event.made.some(({ kind }) => kind === 'pr')) state.request = true
    else state.commit = true
    state.editsAfterMade = 0
    state.provenInTurn = true
    state.madeLast = true
  }

  #noteShape(event: DigestEvent): void {
    const { state } = this
    switch (event.kind) {
      case 'user_msg':
        return this.#noteUser(event)
      case 'assistant_msg':
        if (event.text === null || event.text.trim() === '' || event.marks.injected) return
        this.#work()
        state.answer = event.text
        state.end = 'answer'
        return
      case 'thinking':
        this.#work()
        state.end = 'thought'
        return
      case 'tool_result':
        if (event.call !== null) this.#open.delete(event.call)
        if (isDenial(event)) {
          state.denied = event.marks.denied ?? null
          state.deniedInTurn++
        } else state.errorsInARow = 0
        state.end = 'result'
        return
      case 'error':
        return this.#noteError(event)
      case 'human_intervention':
        if (isStop(event)) state.stopped = true
        return
      case 'lifecycle':
        return this.#noteLifecycle(event)
      default:
        if (isToolCall(event.kind)) this.#noteCall(event)
    }
  }

  #noteUser(event: DigestEvent): void {
    const text = event.text ?? ''
    if (event.marks.alone) this.state.alone = true
    if (event.marks.command !== undefined) this.#command = { text, byPerson: event.human || this.state.byPerson }
    else if (isPrompt(event)) this.#prompt(text, true)
    else if (event.marks.onDenial) this.#commented = true
    else if (this.state.asked === null && isRequest(event)) this.#prompt(text, false)
  }

  #prompt(text: string, byPerson: boolean): void {
    this.#open.clear()
    this.#edited.clear()
    this.#command = null
    this.#commented = false
    const { state } = this
    state.trivial &&= isTrivial(text)
    const halted = state.callsInTurn > 0 ? state.stopped : state.halted
    const turn = {
      asked: text,
      byPerson,
      first: state.asked === null,
      before: state.answer,
      halted,
      end: 'prompt',
    } as const
    const earlier = state.asked === null ? null : { ...state }
    Object.assign(state, { ...NEW_TURN, ...turn, earlier } satisfies Partial<OutcomeState>)
  }

  #work(): void {
    const { state } = this
    if (this.#command !== null) this.#prompt(this.#command.text, this.#command.byPerson)
    state.crash = null
    state.ended = false
    if (this.#commented) state.denied = null
    this.#commented = false
  }

  #noteCall(event: DigestEvent): void {
    this.#work()
    if (event.call !== null) this.#open.add(event.call)
    this.state.callsInTurn++
    this.state.trivial = false
    this.state.halted = false
    this.state.end = 'call'
    this.state.denied = null
  }

  #noteError(event: DigestEvent): void {
    const { state } = this
    if (event.role === 'tool') {
      if (event.call !== null) this.#open.delete(event.call)
      state.errorsInARow++
      state.end = 'result'
      return
    }
    state.crash = event.text ?? event.summary
  }

  #noteLifecycle({ marks, text, summary }: DigestEvent): void {
    const { state } = this
    if (marks.denied !== undefined) state.denied = marks.denied
    if (marks.turn === 'completed') state.ended = true
    else if (marks.turn === 'interrupted' && state.denied !== null) state.endedByNo = true
    else if (marks.turn === 'aborted') state.cutShort = text ?? summary
    if (marks.subagent !== undefined && marks.subagent !== 'started') state.subagentEnd = marks.subagent
  }
}
