import type { DeniedBy } from '../../model/marks.ts'

/** As much of a result as the client's own words take. */
const HEAD = 2000
const SCRIPT_ERROR = /^\s*Script error:\s*/

/** What the client says in place of the output of a call that it did not let happen. The first that holds. */
const REFUSALS: readonly (readonly [DeniedBy, RegExp])[] = [
  ['hook', /^(?:command|tool call) blocked by \w+ hook\b/i],
  [
    'sandbox',
    /^patch rejected: writing is blocked by|^command denied by sandbox|^network access (?:to|was) .{0,300}(?:blocked by policy|denied by the codex sandbox)/i,
  ],
  ['rule', /rejected by user approval settings|approval required by policy|ask for escalated permissions/i],
  ['rule', /\bexecpolicy (?:forbids|requires approval)|` rejected: |^(?:patch|write_stdin) rejected: /i],
  ['rule', /^this action was rejected due to unacceptable risk/i],
  [
    'person',
    /^(?:[\w ]{1,30} )?rejected by (?:the )?user\b|rejected\(\\?"(?:[\w ]{1,30} )?rejected by (?:the )?user\b/i,
  ],
  ['person', /^user (?:rejected|cancelled|denied|declined) /i],
]
/** One pass that rules out nearly all outputs. */
const MAY_REFUSE = /reject|blocked by|denied|approval|escalated|execpolicy|cancelled|declined/i
const STOPPED = /^(?:wall time: [^\n]*\n)?(?:command )?aborted(?: by (?:the )?user\b|\s*$)/i

/** Who did not let a call happen, by the words that stand in place of its output; null if it did happen. */
export function refusedBy(text: string): DeniedBy | null {
  const beginning = text.slice(0, HEAD)
  if (!MAY_REFUSE.test(beginning)) return null
  const head = beginning.replace(SCRIPT_ERROR, '').trimStart()
  return REFUSALS.find(([, words]) => words.test(head))?.[0] ?? null
}

/** True if these words stand in place of an output because a person stopped the call. */
export function isStopped(text: string): boolean {
  return STOPPED.test(text.slice(0, HEAD).trimStart())
}

/** Exit codes of usage errors and of commands that are not there: those come from no sandbox. */
const NEVER_BY_SANDBOX: ReadonlySet<number> = new Set([0, 2, 126, 127])
const LAST_LINES = 3
const TAIL = 2000
const BARRED =
  /read-only file system|operation not permitted|permission denied['"]?$|\b(?:seccomp|landlock|seatbelt)\b/i

/**
 * True if a command ended badly because the sandbox around it barred what it did. No record says so: its last words do,
 * as they do for the client itself. In the middle of an output they are one of many things, as in a failing test.
 */
export function isBarred(output: string, exitCode: number | null): boolean {
  if (exitCode !== null && NEVER_BY_SANDBOX.has(exitCode)) return false
  const lines = output.slice(-TAIL).split('\n')
  const last = lines.map((line) => line.trim()).filter((line) => line !== '')
  return last.slice(-LAST_LINES).some((line) => BARRED.test(line))
}
