import { baseName } from '../../model/session.ts'
import type { PermissionTarget, ToolAsked } from '../../model/permission.ts'
import type { QuestionSum } from '../../store/permissions.ts'
import type { Suggestion } from './suggest.ts'

/** First words of names that only read. What the server does under such a name is up to it. */
const READS = /^(?:get|list|read|search|find|fetch|query|show|describe|view|count|lookup|resolve|browse)(?![a-z])/i
/** Beside them, words of what does more. */
const CHANGES =
  /(?:^|[_-])(?:and|or|create|update|delete|remove|set|write|send|post|put|run|exec\w*|replace|insert|add|edit)(?:[_-]|$)/i
/** Whoever asks these hosts for something may tell anyone what they like. */
const OPEN_HOSTS =
  /(?:^|\.)(?:localhost|local|internal|test|ngrok(?:-free)?\.(?:io|app|dev)|webhook\.site|requestbin\.\w+|pipedream\.net|pastebin\.com|burpcollaborator\.net|oast\.\w+|interact\.sh|trycloudflare\.com|workers\.dev|vercel\.app|netlify\.app|herokuapp\.com|onrender\.com)$/i

/** A tool of a server, or a fetch from a host, as the logs of any agent name it; null of anything else. */
export function toolAsked(tool: string, subject: string): ToolAsked | null {
  if (subject !== tool && /^web_?fetch$/i.test(tool)) return { kind: 'fetch', host: subject }
  const [, server, name] = /^(?:mcp__)?([A-Za-z0-9][\w.-]*?)__([\w.-]+)$/.exec(tool) ?? []
  return server === undefined || name === undefined ? null : { kind: 'server', server, tool: name }
}

/** Why no rule is offered for it; null if one may be. */
export function unsafeTool(asked: ToolAsked | null): string | null {
  if (asked === null) return 'what it changes is looked at each time'
  if (asked.kind === 'server') {
    if (READS.test(asked.tool) && !CHANGES.test(asked.tool)) return null
    return 'its name does not say that it only reads'
  }
  if (/^[\d.:[\]]+$/.test(asked.host) || !asked.host.includes('.')) return 'no named site of the web'
  return OPEN_HOSTS.test(asked.host) ? 'anybody can have a place there that hears what is asked for' : null
}

/** Rules for tools that people were asked about. They are to be reviewed: what a server does is not known. */
export function suggestTools(questions: readonly QuestionSum[], target: PermissionTarget): Suggestion[] {
  const rules = new Map<string, Suggestion>()
  for (const sum of questions) {
    const asked = sum.tool === 'Bash' ? null : toolAsked(sum.tool, sum.subject)
    const rule = asked === null || unsafeTool(asked) !== null ? null : target.toolRule(asked)
    if (asked === null || rule === null) continue
    const old = rules.get(rule)
    const count = (old?.count ?? 0) + sum.asked
    const project = sum.project === null ? [] : [baseName(sum.project)]
    rules.set(rule, {
      pattern: rule,
      rule,
      tool: asked,
      count,
      confidence: 'low',
      reason: asked.kind === 'fetch' ? 'fetches from one named site' : 'a tool whose name says that it only reads',
      projects: [...new Set([...(old?.projects ?? []), ...project])].sort(),
      errorRate: 0,
      lastUsed: Math.max(old?.lastUsed ?? 0, sum.lastAsked ?? 0) || null,
      samples: [],
      spared: (old?.spared ?? 0) + sum.asked - sum.commented,
      asked: count,
      waitedMs: (old?.waitedMs ?? 0) + sum.waitedMs,
      nearestDanger:
        asked.kind === 'fetch'
          ? 'an address there that carries what the agent knows'
          : `whatever ${asked.server} does when ${asked.tool} is called`,
    })
  }
  return [...rules.values()].filter(({ spared }) => spared > 0)
}
