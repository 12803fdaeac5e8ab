import { commandsIn } from '../../distill/shell.ts'
import type { PermissionTarget } from '../../model/permission.ts'
import type { QuestionSum } from '../../store/permissions.ts'
import { asks } from './never-asked.ts'
import { judge } from './rules.ts'
import { formOf } from './suggest.ts'
import { parsePattern } from '../../model/permission.ts'
import { toolAsked, unsafeTool } from './tools.ts'

/** What would have helped: a rule, a script in the project with a rule for it, another way of writing it, or nothing. */
export type HelpKind = 'rule' | 'script' | 'phrasing' | 'nothing'

export interface Help {
  readonly kind: HelpKind
  readonly text: string
}

export interface Friction {
  readonly agent: string
  readonly tool: string
  readonly subject: string
  readonly obstacles: readonly string[]
  readonly asked: number
  readonly commented: number
  readonly waitedMs: number
  readonly sessions: number
  readonly projects: readonly string[]
  readonly lastAsked: number | null
  readonly sample: string
  readonly help: Help
}

/** What people were asked about, dearest first: by the time they were waited for, then by how often. */
export function frictionOf(questions: readonly QuestionSum[], targets: readonly PermissionTarget[]): Friction[] {
  const rows = new Map<string, Friction>()
  for (const sum of questions) {
    const { agent, tool, subject } = sum
    const key = JSON.stringify([agent, tool, subject, sum.obstacles])
    const old = rows.get(key)
    const latest = (old?.lastAsked ?? 0) > (sum.lastAsked ?? 0) ? (old?.sample ?? '') : sum.sample
    const projects = [...new Set([...(old?.projects ?? []), ...(sum.project === null ? [] : [sum.project])])]
    const obstacles = sum.obstacles === '' ? [] : sum.obstacles.split(' ')
    rows.set(key, {
      agent,
      tool,
      subject,
      obstacles,
      asked: (old?.asked ?? 0) + sum.asked,
      commented: (old?.commented ?? 0) + sum.commented,
      waitedMs: (old?.waitedMs ?? 0) + sum.waitedMs,
      sessions: (old?.sessions ?? 0) + sum.sessions,
      projects,
      lastAsked: Math.max(old?.lastAsked ?? 0, sum.lastAsked ?? 0) || null,
      sample: latest,
      help: { kind: 'nothing', text: '' },
    })
  }
  const known = new Map(targets.map((target) => [target.agent, target]))
  return [...rows.values()]
    .map((row) => ({ ...row, help: helpFor(row, known.get(row.agent)) }))
    .sort((a, b) => b.waitedMs - a.waitedMs || b.asked - a.asked || (a.subject < b.subject ? -1 : 1))
}

const nothing = (text: string): Help => ({ kind: 'nothing', text })

function helpFor(row: Friction, target: PermissionTarget | undefined): Help {
  if (row.commented === row.asked) return nothing('every one was answered with a no and a reason')
  if (target === undefined) return nothing('rules of this agent are not known')
  return row.tool === 'Bash' ? helpWithCommand(row, target) : helpWithTool(row, target)
}

function helpWithTool({ tool, subject }: Friction, target: PermissionTarget): Help {
  const asked = toolAsked(tool, subject)
  const unsafe = unsafeTool(asked)
  const rule = asked === null || unsafe !== null ? null : target.toolRule(asked)
  if (rule !== null) return { kind: 'rule', text: rule }
  return nothing(unsafe ?? `${target.label} has no rule for it`)
}

/** Programs that do what files of the project say: one of them, or a list of them, fits into a script. */
const PROJECT =
  /^(?:npm|pnpm|yarn|bun|node|deno|npx|python3?|pytest|uv|poetry|go|cargo|make|just|tsc|eslint|ruff|mvn|dotnet|\.\/\S+|docker compose)\b/

function helpWithCommand({ sample, obstacles }: Friction, target: PermissionTarget): Help {
  const form = formOf(sample)
  const rule = form.offer === 'none' ? null : target.rule(parsePattern(form.pattern))
  if (rule !== null) return { kind: 'rule', text: rule }
  const parts = commandsIn(sample).filter((words) => !/^(?:cd|pushd)$/.test(words[0] ?? ''))
  const isHarmless = (words: readonly string[]) =>
    judge({ words, plain: true, redirected: false, assigns: false }).pattern !== null || !asks(target, words.join(' '))
  const harmful = parts.find(
    (words) => judge({ words, plain: true, redirected: false, assigns: false }).row?.verdict === 'never',
  )
  if (harmful !== undefined && !PROJECT.test(harmful.join(' ')))
    return nothing(`${harmful[0]}: ${judge({ words: harmful, plain: true, redirected: false, assigns: false }).reason}`)
  if (obstacles.length > 0 && parts.length > 0 && parts.every(isHarmless))
    return { kind: 'phrasing', text: `in ${target.guide}: ${phrasing(obstacles)}` }
  if (parts.some((words) => PROJECT.test(words.join(' '))))
    return { kind: 'script', text: 'a script in the project that does this, and a rule for it alone' }
  return nothing(
    form.offer === 'none' ? form.reason : (target.noWide ?? target.noExact ?? 'no rule is known to be safe'),
  )
}

function phrasing(obstacles: readonly string[]): string {
  if (obstacles.includes('cd')) return 'run commands from the directory of the project, without `cd … &&` before them'
  const names = obstacles.join(', ')
  return `one plain command at a time, without ${names}: no rule fits what has them`
}
