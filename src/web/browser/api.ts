import type { OperationName, OperationNamed } from '../../operations/index.ts'
import type { DocumentOf, InputOf } from '../../operations/operation.ts'

export type Doc<Name extends OperationName> = DocumentOf<OperationNamed<Name>>
export type Input<Name extends OperationName> = InputOf<OperationNamed<Name>> & {
  readonly limit?: number
  readonly offset?: number
}

/** What the server says when it cannot answer. */
export interface Problem {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint: string
}

export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

const DEMO = '/demo'

/** The made-up sessions have a place of their own, beside the user's. */
export const base = location.pathname === DEMO || location.pathname.startsWith(`${DEMO}/`) ? DEMO : ''

/** An operation with its input as one address: what is asked, cached and compared by. */
export function addressOf(name: string, input: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === '') continue
    query.set(key, Array.isArray(value) ? value.join(',') : String(value))
  }
  const words = query.toString()
  return `${name.replaceAll('.', '/')}${words === '' ? '' : `?${words}`}`
}

export async function ask<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Doc<Name>> {
  return (await askPage(name, input, signal)).doc
}

/** A document, and whether its lists go on. */
export async function askPage<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<{ readonly doc: Doc<Name>; readonly hasMore: boolean }> {
  const address = `${base}/api/${addressOf(name, input as object)}`
  const response = await reach(() => fetch(address, signal === undefined ? {} : { signal }))
  const hasMore = response.headers.get('link')?.includes('rel="next"') === true
  return { doc: (await answerOf(response)) as Doc<Name>, hasMore }
}

export async function change<Name extends OperationName>(name: Name, input: InputOf<OperationNamed<Name>>) {
  const body = JSON.stringify(input)
  const headers = { 'content-type': 'application/json' }
  const address = `${base}/api/${name.replaceAll('.', '/')}`
  return answerOf(await reach(() => fetch(address, { method: 'POST', headers, body }))) as Promise<Doc<Name>>
}

const AWAY: Problem = {
  status: 0,
  code: 'AWAY',
  detail: 'recall serve has ended, or cannot be reached',
  hint: 'start it again in a terminal: recall serve',
}

async function reach(request: () => Promise<Response>): Promise<Response> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ProblemError(AWAY)
  }
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json()
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  const problem = isProblem ? ((await response.json()) as Problem) : { ...AWAY, status: response.status }
  throw new ProblemError(problem)
}

export interface Change {
  readonly session_uid: string
  readonly kind: string
}

type Listener = (changes: readonly Change[] | null) => void
const listeners = new Set<Listener>()
let source: EventSource | null = null

/** Hears what changes in the store; null: anything may have. Ends with what it returns. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener)
  if (source === null) {
    source = new EventSource(`${base}/api/live`)
    source.addEventListener('changes', (event) => tell((JSON.parse(event.data) as { changes: Change[] }).changes))
    source.addEventListener('anew', () => tell(null))
    let isFirst = true
    source.addEventListener('hello', () => {
      // After a pause nobody knows what was missed.
      if (!isFirst) tell(null)
      isFirst = false
    })
  }
  return () => listeners.delete(listener)
}

function tell(changes: readonly Change[] | null): void {
  for (const listener of listeners) listener(changes)
}
