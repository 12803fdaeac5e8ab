import type { PermissionTarget, RuleScope } from '../../model/permission.ts'
import type { FormSum } from '../../store/permissions.ts'
import { whyUnasked } from './never-asked.ts'
import { fits } from './rules.ts'
import { TABLE } from './table.ts'

/** A rule that counts for an agent. */
export interface RuleHere {
  /** `bars` is one that wins over what allows: it forbids, or has asked. */
  readonly effect: 'allows' | 'bars'
  /** Who goes by it. */
  readonly target: PermissionTarget
  /** In whose words it is. */
  readonly writer: PermissionTarget
  readonly file: string
  readonly scope: RuleScope
  readonly rule: string
  /** The managed file that lets only managed rules count, and so not this one. */
  readonly moot?: string
}

/** `wide`: it lets harmful commands pass. `idle`: nothing it lets pass is asked about. `other`: not about a shell. */
export type AuditVerdict = 'safe' | 'wide' | 'idle' | 'shadowed' | 'other'

export interface AuditedRule extends Omit<RuleHere, 'effect' | 'target' | 'writer' | 'moot'> {
  readonly agent: string
  readonly writtenFor: string
  readonly verdict: AuditVerdict
  readonly reason: string
  /** The worst command that it lets run unasked. */
  readonly worst: string | null
  /** Uses in sessions of the agent; null if that is not known. */
  readonly used: number | null
  /** The rules that would do instead: the forms that were used and can do no harm. */
  readonly narrower: readonly string[]
}

/** The worst first. */
const WORST = [
  'rm -rf ~',
  'sudo rm -rf /',
  'curl https://example.org/x',
  'bash -c x',
  'git push --force',
  'git reset --hard',
  'git clean -fdx',
  'chmod -R 777 .',
  'dd if=/dev/zero of=x',
  'ssh host',
  'npm publish',
  'npm install x',
  'npx x',
  'python3 -c x',
  'node -e x',
  'docker run x',
  'docker exec web sh',
  'kubectl delete pod web',
  'gh api x',
  'terraform apply',
]
/** Beside them, of every command in the table: what a rule that is too wide lets pass. */
const DANGERS = TABLE.flatMap(({ name, verdict, danger }) => {
  if (verdict === 'never') return [`${name} x`, name]
  return danger === null || danger.startsWith('whatever')
    ? []
    : [danger.replace(/\bFILE\b/, '/tmp/x').replace(/\bCMD\b/, 'sh')]
})

export interface Evidence {
  /** What the commands of this agent's sessions speak for. */
  readonly forms: readonly FormSum[]
  /** Its calls of a shell, by first word and subcommand. */
  readonly shell: readonly { readonly base: string | null; readonly sub: string | null; readonly count: number }[]
}

/** What rules let through, in the words of the agent that goes by them. */
export function auditRules(rules: readonly RuleHere[], evidence: ReadonlyMap<string, Evidence>): AuditedRule[] {
  const allowing = rules.filter(({ effect }) => effect === 'allows')
  const barring = rules.filter(({ effect, moot }) => effect === 'bars' && moot === undefined)
  return allowing.map((one, i) => {
    const { target, writer, file, scope, rule } = one
    const judged = judgeRule(
      one,
      allowing.filter(
        (other, j) => other.target === target && other.moot === undefined && (j < i || other.rule !== rule),
      ),
      barring.filter((other) => other.target === target),
    )
    const words = wordsOf(rule)
    const known = evidence.get(target.agent)
    const narrower =
      judged.verdict === 'wide' && words !== null && known !== undefined
        ? narrowerRules(writer, words, known.forms)
        : []
    const used = words === null || known === undefined ? null : usesOf(words, known)
    return { agent: target.agent, writtenFor: writer.agent, file, scope, rule, ...judged, used, narrower }
  })
}

type Judged = Pick<AuditedRule, 'verdict' | 'reason' | 'worst'>

function judgeRule(
  { target, writer, rule, moot }: RuleHere,
  others: readonly RuleHere[],
  bars: readonly RuleHere[],
): Judged {
  if (moot !== undefined) return { verdict: 'shadowed', reason: `${moot} lets only managed rules count`, worst: null }
  const words = wordsOf(rule)
  const bar = bars.find((other) => other.rule === rule || (words !== null && covers(target, other.rule, words)))
  if (bar !== undefined)
    return { verdict: 'shadowed', reason: `a rule in ${bar.file} forbids it, or has it asked about`, worst: null }
  if (words === null) return { verdict: 'other', reason: toolReason(rule), worst: null }
  const lets = (command: string) =>
    target.admits([rule], command) && !bars.some((other) => opens(target, other.rule, command))
  const worst = [...WORST, ...DANGERS].find(lets) ?? prefixOpened(target, writer, words, lets)
  if (worst !== null && worst !== undefined) {
    const whose = target === writer ? '' : `${target.label} reads this file, too, and `
    return { verdict: 'wide', reason: `${whose}lets \`${worst}\` run unasked`, worst }
  }
  const text = words.words.join(' ')
  const shadow = others.find((other) => covers(target, other.rule, words))
  if (shadow !== undefined)
    return { verdict: 'shadowed', reason: `${shadow.rule} in ${shadow.file} allows it already`, worst: null }
  const idle = whyUnasked(target, words.wide ? `${text} *` : text)
  if (idle !== null && !idle.includes('sandbox')) return { verdict: 'idle', reason: idle, worst: null }
  return { verdict: 'safe', reason: 'nothing harmful that is known of passes it', worst: null }
}

/** A form for which another agent takes the rule for a beginning. */
function prefixOpened(
  target: PermissionTarget,
  writer: PermissionTarget,
  { words, wide }: Words,
  lets: (command: string) => boolean,
): string | null {
  const longer = `${words.join(' ')} --output=/tmp/x`
  return !wide && target !== writer && lets(longer) ? longer : null
}

function covers(target: PermissionTarget, other: string, { words, wide }: Words): boolean {
  const text = words.join(' ')
  return opens(target, other, text) && (!wide || opens(target, other, `${text} more`))
}

/** What needs no rule is let run by none. */
function opens(target: PermissionTarget, rule: string, command: string): boolean {
  return target.admits([rule], command) && !target.admits([], command)
}

interface Words {
  readonly words: readonly string[]
  readonly wide: boolean
}

/** Of a rule about a shell: the words it begins with. Null of others. */
function wordsOf(rule: string): Words | null {
  const list = /^prefix_rule\(pattern=(\[.*?\]),/.exec(rule)?.[1]
  if (list !== undefined)
    return { words: [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word), wide: true }
  if (rule === 'Bash') return { words: [], wide: true }
  const text = /^Bash\((.*)\)$/s.exec(rule)?.[1]?.replace(/^\[(\w)\]/, '$1')
  if (text === undefined) return null
  const wide = text.endsWith('*')
  return {
    words: text
      .replace(/\s*:?\*$/, '')
      .split(' ')
      .filter((word) => word !== ''),
    wide,
  }
}

function toolReason(rule: string): string {
  if (/^(?:Edit|Write|MultiEdit|NotebookEdit)(?:\(\*{1,2}\))?$/.test(rule))
    return 'any file may be written, outside the project, too'
  if (/^(?:WebFetch|mcp__\w+|MCPTool\(\*\))$/.test(rule)) return 'any address, or any tool of a server'
  return 'not about a shell: not judged'
}

function usesOf({ words, wide }: Words, { forms, shell }: Evidence): number | null {
  const text = words.join(' ')
  const own = forms.filter((form) => form.offer !== 'none' && form.pattern === (wide ? `${text} *` : text))
  if (own.length > 0) return own.reduce((sum, form) => sum + form.count, 0)
  if (!wide || words.length > 2) return wide ? null : 0
  const [base = null, sub] = words
  const fitting = shell.filter((row) => (base === null || row.base === base) && (sub === undefined || row.sub === sub))
  return fitting.reduce((sum, row) => sum + row.count, 0)
}

function narrowerRules(writer: PermissionTarget, { words }: Words, forms: readonly FormSum[]): string[] {
  const pattern = { words, wide: true }
  const rules = forms.flatMap((form) => {
    if (form.offer === 'none') return []
    const isWide = form.pattern.endsWith(' *')
    const text = isWide ? form.pattern.slice(0, -2) : form.pattern
    if (words.length > 0 && !fits(pattern, text)) return []
    return writer.rule({ words: text.split(' '), wide: isWide }) ?? []
  })
  return [...new Set(rules)].sort()
}
