import { checkIn } from './checks.ts'
import { withoutColours } from './colours.ts'
import { isRelevantLine } from './command-relevance.ts'
import { basename, commandsIn, subcommandIndex } from './shell.ts'

/** How much of an output is looked at: what it begins with, and its end, where summaries stand. */
const HEAD = 4096
const TAIL = 16_384
const MAX_LINE = 400

/** What to look for in the result of a call. Plain JSON, for it waits with the call for its result. */
export type Watch = readonly ('tests' | 'check' | 'end' | 'commit' | 'pr')[]

/** What a result proves. */
export interface Proof {
  /** Of a build or a linter only that it failed, where its exit code is hidden. */
  readonly tests: 'passed' | 'failed' | null
  readonly made: readonly { readonly kind: 'commit' | 'pr'; readonly value: string }[]
}

/** One pass that rules out nearly all commands. */
const MAY_MAKE = /commit|cherry-pick|revert|pr create|mr create|pull-request/
const NOTHING: Proof = { tests: null, made: [] }
const COMMITS: ReadonlySet<string | undefined> = new Set(['commit', 'cherry-pick', 'revert'])
/** Tools that make pull requests, and the words with which they do. */
const REQUESTS: ReadonlyMap<string, string> = new Map([
  ['gh', ' pr create '],
  ['glab', ' mr create '],
  ['tea', ' pr create '],
  ['hub', ' pull-request '],
  ['az', ' pr create '],
])

/** What the result of this call is to be looked at for. `kind` is what the call is by itself, be it a retry or not. */
export function watchOf(call: {
  readonly tool: string
  readonly kind: string
  readonly command: string | null
}): Watch {
  const { tool, kind, command } = call
  const watch: Watch[number][] = kind === 'test_run' ? ['tests'] : []
  if (command === null) return /create_?(?:pull|merge)_?request$/i.test(tool) ? ['pr'] : watch
  if (kind === 'tool_call' && /[|;]/.test(command)) {
    if (checkIn(command) !== null) watch.push('check')
    else if (isRelevantLine(command)) watch.push('end')
  }
  if (!MAY_MAKE.test(command)) return watch
  for (const words of commandsIn(command)) {
    const name = basename(words[0] ?? '')
    const request = REQUESTS.get(name)
    if (name === 'git' && COMMITS.has(words[subcommandIndex(words)])) watch.push('commit')
    else if (request !== undefined && `${words.slice(1, 12).join(' ')} `.includes(request.trimStart())) watch.push('pr')
  }
  return [...new Set(watch)]
}

/** What a result proves of that for which its call is watched. Linear in the parts of the output that are looked at. */
export function provenBy(watch: Watch, output: string, failed: boolean): Proof {
  if (watch.length === 0) return NOTHING
  const commits = watch.includes('commit') ? commitsIn(output) : []
  const requests = watch.includes('pr') && !failed ? pullRequestsIn(output) : []
  return {
    tests: watch.includes('tests')
      ? testVerdict(output, failed)
      : watch.includes('check')
        ? checkVerdict(output)
        : watch.includes('end')
          ? endVerdict(output)
          : null,
    made: [
      ...commits.map((value) => ({ kind: 'commit' as const, value })),
      ...requests.map((value) => ({ kind: 'pr' as const, value })),
    ],
  }
}

/** Hashes of the commits that `git commit` says it made. */
export function commitsIn(output: string): string[] {
  const matches = lookedAt(output).matchAll(
    /^[ \t]{0,20}\[[^\]\s]{1,200}(?: HEAD)?(?: \([^)\n]{1,40}\))? ([0-9a-f]{7,40})\] /gm,
  )
  return [...new Set(Array.from(matches, ([, hash = '']) => hash))]
}

/** Addresses of pull and merge requests. One to be made by hand (`/pull/new/…`) is none. */
export function pullRequestsIn(output: string): string[] {
  const matches = lookedAt(output).matchAll(
    /https?:\/\/[^\s"'<>()]{3,300}?\/(?:pulls?|merge_requests|pull-requests|pullrequest)\/\d{1,9}(?![\w/])/g,
  )
  return [...new Set(Array.from(matches, ([url]) => url))]
}

/** What every line of a summary has: one test that rules out nearly all others. */
const TELLING = /fail|pass|error|ok\b|success|panic|traceback|fault|^E {3}/i

/** A summary line that counts what failed, or names it. */
const RED: readonly RegExp[] = [
  /^(?:Tests?|Test (?:Files|Suites)|Snapshots|Suites|Spec Files):?\s.{0,200}?(?<![\d.])[1-9]\d* fail/i,
  /^=* ?(?:\d+ \w+, )*?[1-9]\d* (?:failed|errors?)(?:, \d+ \w+){0,8} in [\d.]+/,
  /^(?:FAILED|ERROR) [\w./-]{1,300}(?:::|\.py\b)/,
  /^[1-9]\d* (?:failing|failed)(?: \(|$| \|| of )/,
  /^(?:FAIL|--- FAIL:)(?:\s|$)/,
  /^test result: FAILED/,
  /^error: (?:could not compile|test failed|\d+ targets? failed)/,
  /^Summary \[.{1,40}\] .{0,100}?[1-9]\d* (?:failed|timed out)/,
  /^[#ℹ] fail [1-9]/,
  /^not ok \d+(?!.{0,300}# (?:TODO|SKIP))/i,
  /^\d+ (?:examples?|runs?|tests?|scenarios?|doctests?),.{0,80}?(?<![\d.])[1-9]\d* (?:failures?|errors?|failed)/,
  /^(?:FAILURES|ERRORS)!/,
  /^Tests: \d+,.{0,80} (?:Failures|Errors): [1-9]/,
  /^(?:\[\w+\] )?Tests run: \d+, (?:Failures: [1-9]|Failures: 0, Errors: [1-9])/,
  /^(?:\[\w+\] )?BUILD FAIL(?:URE|ED)/,
  /^\d+ tests? completed, [1-9]\d* failed/,
  /^(?:Failed! +- |Test Run Failed|Result: FAIL\b)/,
  /^\d{1,3}% tests passed, [1-9]\d* tests? failed/,
  /^FAILED \((?:failures|errors)=/,
  /^(?:g?make|just)(?:\[\d+\])?: \*\*\* \[.{1,200}\] Error \d/,
  /^(?:npm (?:ERR!|error)|ELIFECYCLE)\s+Test failed/,
  /^FAILED \| \d+ passed/,
  /^[1-9]\d* fail$/,
  /^[1-9]\d* tests? failed/,
  /^\*\* TEST FAILED \*\*/,
  /^Executed \d+ tests?, with [1-9]\d* failures?/,
  /^\d+ successe?s? \/ (?:[1-9]\d* failures?|0 failures? \/ [1-9]\d* errors?)/,
  /^\S{0,3} {0,3}[1-9]\d* of \d+ failed/,
  /^\d+ scenarios? \(.{0,60}?[1-9]\d* failed/,
  /^\d+ (?:features?|scenarios?) passed, [1-9]\d* failed/,
  /^Executed \d+ out of \d+ tests?:.{0,80}? fails?\b/,
  /^\[ {2}FAILED {2}\] [1-9]\d* tests?/,
  /\bTest run with \d+ tests?.{0,60}? failed after /,
  /^\[error\] Failed(?: tests:|: Total)/,
  /^(?:[1-9]\d* failures?, \d+|\d+ failures?, [1-9]\d*) errors?\b/,
  /^(?:Fail|Timeout):\s+[1-9]\d*$/,
  /^\[ FAIL [1-9]\d* \|/,
  /\bFailed: [1-9]\d*[.,] /,
  /Some tests failed\.$|^There were failing tests\b|^Testing failed:/,
  /^\S{1,60}: FAIL code \d/,
  /^nox > Session \S{1,100} failed/,
]

/** A summary line that says all is well, or that something passed. */
const GREEN: readonly RegExp[] = [
  /^(?:Tests?|Test (?:Files|Suites)|Suites|Spec Files):?\s.{0,200}?(?<![\d.])[1-9]\d* pass/i,
  /^=* ?(?:\d+ \w+, )*?[1-9]\d* passed(?:, \d+ \w+){0,8} in [\d.]+/,
  /^(?:✔ )?[1-9]\d* (?:passing|passed|pass)(?: \(|$|,| \|)/,
  /^ok\s+\S{1,300}\s+(?:[\d.]+s|\(cached\))/,
  /^PASS(?:$|\s)/,
  /^test result: ok\. (?!0 passed)/,
  /^Summary \[.{1,40}\] .{0,100}?[1-9]\d* passed/,
  /^[#ℹ] pass [1-9]/,
  /^ok \d+(?:\s|$)/,
  /^[1-9]\d* (?:examples?|runs?|tests?|scenarios?|doctests?),.{0,80}?\b0 (?:failures?|failed)/,
  /^OK(?: \(|$|, but)/,
  /^[1-9]\d* scenarios? \([1-9]\d* passed\)/,
  /^(?:\[\w+\] )?Tests run: [1-9]\d*, Failures: 0, Errors: 0/,
  /^(?:\[\w+\] )?BUILD SUCCESS/,
  /^(?:Passed! +- |Test Run Successful|All tests successful|Result: PASS\b|All specs passed|All tests passed)/i,
  /^100% tests passed/,
  /^ok \| [1-9]\d* passed/,
  /^[1-9]\d* tests? passed/,
  /^\*\* TEST SUCCEEDED \*\*/,
  /^Executed [1-9]\d* tests?, with 0 failures/,
  /^[1-9]\d* success(?:es)? \/ 0 failures/,
  /^[1-9]\d* (?:features?|scenarios?) passed, 0 failed/,
  /^Executed \d+ out of \d+ tests?: [1-9]\d* tests? pass\b/,
  /^\[ {2}PASSED {2}\] [1-9]\d* tests?/,
  /\bTest run with [1-9]\d* tests?.{0,60}? passed after /,
  /^\[info\] Passed: Total [1-9]/,
  /^0 failures?, 0 errors?\b/,
  /^\[ FAIL 0 \|.{0,60}? PASS [1-9]/,
  /\bPassed: [1-9]\d*[.,] Failed: 0\b/,
  /(?:^|[\s:])(?:All )?[1-9]\d* tests? passed\b|: All tests passed!$/,
  /^Ok:\s+[1-9]\d*$/,
  /^\S{1,60}: OK \(\d/,
  /^nox > Session \S{1,100} was successful/,
]

/** What stops tests before they run, or fails one: believed where no summary says otherwise. */
const BROKEN =
  /^(?:\S{1,300}: )?(?:error(?: TS\d+|\[E\d+\])?|fatal error|SyntaxError|ImportError|ModuleNotFoundError|AssertionError|IndentationError|panic|Error): |^\S{1,300}\(\d+,\d+\): error |^Traceback \(most recent|^E {3}\w|^ERROR collecting |^\[ERROR\] COMPILATION ERROR|^Compilation failed|\[build failed\]|^Segmentation fault/
/** Nothing was tested: the command is not there, or was not allowed to run. */
const NOT_RUN =
  /command not found|: not found$|missing script:|No module named '?(?:pytest|nose|tox|unittest2|behave)\b|Cannot find module '[^']{0,200}(?:vitest|jest|mocha)|is not recognized as an|no test files found|No tests? (?:files? )?(?:found|ran)|no such file or directory: .{0,100}(?:test|spec)\b/im

const SKIPPED = /(?<![\d.])(\d+) (?:pending|skip(?:ped|s)?|ignored|disabled|excluded|todo)\b|\bSkipped: +(\d+)/gi
const IN_ALL = /^(\d+) (?:examples?|runs?|tests?|scenarios?)\b|\bTests run: +(\d+)|\bTotal: +(\d+)/i

/** A summary of which nothing passed: all was skipped, or there was nothing. */
function isHollow(line: string): boolean {
  if (/\[no tests to run\]|\bPassed: +0\b/.test(line)) return true
  const all = IN_ALL.exec(line)?.slice(1).find(Boolean)
  if (all === undefined || all === '0') return all === '0'
  let skipped = 0
  for (const [, before, after] of line.matchAll(SKIPPED)) skipped += Number(before ?? after)
  return skipped >= Number(all)
}

/**
 * What the output of a command that ran tests says: the text is believed over the exit code where it names failures,
 * for a pipe hides the code. Without a summary a bad exit is a failure, unless nothing ran or nothing was printed.
 */
export function testVerdict(output: string, failed: boolean): 'passed' | 'failed' | null {
  let green = false
  let counted = false
  let hollow = false
  let broken = false
  let said = false
  const text = lookedAt(output)
  for (const raw of text.split('\n')) {
    const line = plain(raw)
    if (line === '' || /^Exit code:? -?\d+$/.test(line)) continue
    said = true
    if (!TELLING.test(line)) continue
    if (RED.some((red) => red.test(line))) return 'failed'
    const good = GREEN.some((sign) => sign.test(line))
    const idle = isHollow(line)
    green ||= good && !idle
    counted ||= good && !idle && /\d/.test(line)
    hollow ||= idle
    broken ||= BROKEN.test(line)
  }
  if (green && (counted || !hollow)) return failed ? 'failed' : 'passed'
  if (hollow && !failed) return null
  if (!said || NOT_RUN.test(text)) return null
  return failed || broken ? 'failed' : null
}

const CHECK_RED =
  /^(?:FAILED: |ERROR: failed|Found [1-9]\d* errors?|[1-9]\d* errors? generated|BUILD FAILED|Failed to compile|Type error: |ERROR in |.{0,3}[1-9]\d* problems? \([1-9]\d* errors?)|^(?:g?make|just)(?:\[\d+\])?: \*\*\* /i

function checkVerdict(output: string): 'failed' | null {
  const lines = lookedAt(output).split('\n')
  const red = lines.some((raw) => {
    const line = plain(raw)
    return CHECK_RED.test(line) || BROKEN.test(line)
  })
  return red ? 'failed' : null
}

/** So many of the last lines may say that a command failed whose status is hidden. */
const LAST_LINES = 6
const END_RED =
  /^\W{0,4}(?:error|fatal|failed|failure)\b\W{0,3}[: ]|^[\w.]{0,100}(?:Error|Exception): |\bfailed=[1-9]|\bfinished with errors|\bexited with code:? [1-9]|\bbuild stopped: |^! \[(?:remote )?rejected\]/i

/** Of any other command only that its last words are an error. */
function endVerdict(output: string): 'failed' | null {
  const lines = output.slice(-TAIL).split('\n').map(plain)
  const last = lines.filter((line) => line !== '').slice(-LAST_LINES)
  return last.some((line) => END_RED.test(line) || BROKEN.test(line) || RED.some((red) => red.test(line)))
    ? 'failed'
    : null
}

function lookedAt(output: string): string {
  return output.length <= HEAD + TAIL ? output : `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}`
}

/** A line without colours and without the marks that frame it. */
function plain(raw: string): string {
  return withoutColours(raw.slice(0, MAX_LINE)).trim()
}
