import type { Marks } from '../../model/marks.ts'

const REMEMBERED = 32

interface Question {
  at: number | null
  waitedMs: number | null
}

export type ApprovalsState = [id: string, at: number | null, waitedMs: number | null][]

/** What people were asked about calls, as far as a log tells: some clients write the question down, none the answer. */
export class Approvals {
  readonly #open: Map<string, Question>

  constructor(state: ApprovalsState = []) {
    this.#open = new Map(state.map(([id, at, waitedMs]) => [id, { at, waitedMs }]))
  }

  asked(id: string, at: number | null): void {
    if (id === '') return
    this.#open.set(id, { at, waitedMs: null })
    if (this.#open.size > REMEMBERED) this.#open.delete(this.#open.keys().next().value ?? '')
  }

  /** The call has begun: it was let happen. */
  begun(id: string, at: number | null): void {
    const question = this.#open.get(id)
    if (question !== undefined) question.waitedMs ??= waited(question.at, at)
  }

  /** What is known of the question, now that the result is there. */
  answered(id: string, at: number | null, denied: boolean): Pick<Marks, 'asked' | 'approved' | 'waitedMs'> {
    const question = this.#open.get(id)
    if (question === undefined) return {}
    this.#open.delete(id)
    const waitedMs = denied ? waited(question.at, at) : question.waitedMs
    return { asked: true, ...(denied ? {} : { approved: true }), ...(waitedMs === null ? {} : { waitedMs }) }
  }

  state(): ApprovalsState {
    return Array.from(this.#open, ([id, { at, waitedMs }]) => [id, at, waitedMs])
  }
}

/** Null if it cannot be told. */
export function waited(from: number | null, to: number | null): number | null {
  return from === null || to === null || to < from ? null : to - from
}
