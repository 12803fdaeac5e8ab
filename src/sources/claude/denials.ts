import { asObject, asText, type Json } from '../kit/json.ts'
import type { DeniedBy, Marks } from '../../model/marks.ts'

/** What became of a call that did not run to its end. */
export interface Refusal {
  readonly denied?: DeniedBy
  /** It was running, and a person stopped it. */
  readonly stopped?: true
  /** What the person said when they did not let it happen. */
  readonly comment?: string
}

const HEAD = 600
const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/
/** The client's own words between its refusal and the person's. */
const SAID = /the user said:\s*\n?/
/** What newer versions add after the person's words. */
const NOTE = /\n\nNote: The user's next message may contain a correction or preference\.[\s\S]*$/
/** The client's word for a call that was cut off by a stop, whatever its result says. */
const CUT_OFF = 'User rejected tool use'
/** It ran: whatever its output says, nobody kept it from running. */
const RAN = /^(?:Error: )?Exit code \d/
/** A call that ended because another one beside it failed. */
const WITH_SIBLING = /^(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)/
const BY_HOOK = /^(?:Error: )?(?:(?:Pre|Post)ToolUse:\w* hook|Hook .{0,120}(?:denied|blocked))/i
const BY_RULE =
  /requires? approval|needs approval|can't be checked before it runs|was blocked\. For security|[Pp]ermission (?:to|for) .{1,2000} (?:has been|was) denied|haven't granted it|denied by (?:your|permission|the) |denied because Claude Code/s

/** The client's own word for why a call did not run, in the versions that have it. */
const KINDS: Readonly<Record<string, Refusal>> = {
  'permission-rule': { denied: 'rule' },
  'automode-blocked': { denied: 'rule' },
  'automode-unavailable': { denied: 'rule' },
  'automode-parsing-error': { denied: 'rule' },
  interrupted: { stopped: true },
  cancelled: { stopped: true },
}

/** Why the call of this failed result did not happen; null if it ran and failed. */
export function refusalOf(record: Json, output: string): Refusal | null {
  const head = output.length > HEAD ? output.slice(0, HEAD) : output
  const kind = asText(record['toolDenialKind'])
  if (REJECTED.test(head)) {
    const cutOff = record['toolUseResult'] === CUT_OFF && record['toolDenialBeforeRun'] !== true
    if (cutOff || kind === 'interrupted' || kind === 'cancelled') return { stopped: true }
    return personsNo(output)
  }
  const known = kind !== null && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (known !== undefined) return known
  if (WITH_SIBLING.test(head)) return { stopped: true }
  if (RAN.test(head)) return null
  if (BY_HOOK.test(head)) return { denied: 'hook' }
  return kind === 'user-rejected' || BY_RULE.test(head) ? { denied: 'rule' } : null
}

function personsNo(output: string): Refusal {
  const at = SAID.exec(output)
  const comment =
    at === null
      ? ''
      : output
          .slice(at.index + at[0].length)
          .replace(NOTE, '')
          .trim()
  return comment === '' ? { denied: 'person' } : { denied: 'person', comment }
}

/** What the newest versions log of the question whether a call may happen, if a person answered it. */
export function answerOf(record: Json): Marks {
  const decision = asObject(record['permissionDecision'])
  if (!asText(decision?.['source'])?.startsWith(BY_PERSON)) return {}
  return decision?.['decision'] === 'accept' ? { asked: true, approved: true } : { asked: true }
}

const BY_PERSON = 'user_'
const EXIT_CODE = /^(?:Error: )?Exit code (\d{1,10})\b/

/** The exit code of a command as far as its result tells it. */
export function exitCodeOf(record: Json, output: string): number | undefined {
  const known = (record['toolUseResult'] as Json | undefined)?.['exitCode']
  if (typeof known === 'number') return known
  const worded = EXIT_CODE.exec(output)?.[1]
  return worded === undefined ? undefined : Number(worded)
}
