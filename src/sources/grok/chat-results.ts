import { isNoOutput } from './call-ends.ts'
import { asExitCode, type Ending } from './results.ts'

const EXIT = /^exit: (-?\d{1,10})(?:\n|$)/
const CHILD = /^subagent_id: (\S+)$/m

/** A row has no flag for failure: a command's exit code is in its words, and so is that a call was not run. */
export function chatEnding(tool: string, body: string): Ending {
  const code = tool.startsWith('run_terminal') ? EXIT.exec(body)?.[1] : undefined
  const exitCode = code === undefined ? null : asExitCode(Number(code))
  const child = tool === 'spawn_subagent' ? (CHILD.exec(body)?.[1] ?? null) : null
  return { body, failed: (exitCode ?? 0) !== 0 || isNoOutput(body), exitCode, child }
}
