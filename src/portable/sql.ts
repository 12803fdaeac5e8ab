import { spawn } from 'node:child_process'
import { UserError } from '../model/errors.ts'

export interface SqlAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** There are more rows than were asked for. */
  readonly more: boolean
}

export interface SqlTask {
  /** The program that answers, in a process of its own. */
  readonly script: string
  readonly store: string
  readonly sql: string
  readonly limit: number
  readonly seconds: number
}

const MOST_BYTES = 256 * 2 ** 20

/** Asks the store in SQL. What takes too long, or gives too much, is ended. */
export async function askSql({ script, store, sql, limit, seconds }: SqlTask): Promise<SqlAnswer> {
  const child = spawn(process.execPath, ['--max-old-space-size=512', script], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = { why: '' }
  const end = (why: string) => {
    ended.why ||= why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => end(`it took longer than ${seconds} s`), seconds * 1000)
  const pieces: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > MOST_BYTES) end('the answer is larger than 256 MB')
    else pieces.push(piece)
  })
  let complaint = ''
  child.stderr.on('data', (piece: Buffer) => (complaint = `${complaint}${piece.toString('utf8')}`.slice(-500)))
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify({ store, sql, limit }))
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  if (ended.why !== '')
    throw new UserError(
      'USAGE',
      `the question was ended: ${ended.why}`,
      'ask for less, or give it longer with --timeout',
    )
  const text = Buffer.concat(pieces).toString('utf8')
  if (text === '')
    throw new UserError(
      'USAGE',
      'the question could not be answered',
      complaint.trim().split('\n').at(-1) ?? 'ask for less',
    )
  const answer = JSON.parse(text) as SqlAnswer | { readonly refused: string }
  if (!('refused' in answer)) return answer
  throw new UserError('USAGE', answer.refused, 'SELECT from sessions, messages, tool_calls and digests')
}
