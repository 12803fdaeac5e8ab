/** A session as a person would tell it, in no agent's format. Writers such as `claude.ts` turn it into logs. */
export interface Session {
  /** Unique in its project; the session's id follows from both. */
  readonly name: string
  readonly when: When
  readonly title: string
  readonly turns: readonly Step[]
}

export interface Script extends Session {
  readonly project: string
}

interface When {
  readonly branch: string
  /** Counted in days from Monday to Friday: nobody works on Sundays. */
  readonly workdaysAgo: number
  /** `HH:MM` in UTC. */
  readonly at: string
  readonly model: 'large' | 'medium'
}

export type Call =
  | { readonly kind: 'bash'; readonly command: string; readonly output: string; readonly exit: number }
  | { readonly kind: 'denied'; readonly command: string }
  | { readonly kind: 'read' | 'write'; readonly file: string; readonly content: string }
  | { readonly kind: 'edit' | 'unread'; readonly file: string; readonly before: string; readonly after: string }
  | { readonly kind: 'grep'; readonly pattern: string; readonly output: string }
  | { readonly kind: 'agent'; readonly task: string; readonly turns: readonly Step[]; readonly report: string }

export type Happening =
  | { readonly kind: 'user' | 'queued' | 'compact' | 'rename'; readonly text: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'rest'; readonly minutes: number }

export type Step =
  | Call
  | Happening
  | { readonly kind: 'think' | 'say'; readonly text: string }
  | { readonly kind: 'together'; readonly calls: readonly Call[] }

export const on = (branch: string, workdaysAgo: number, at: string, model: When['model'] = 'medium'): When => {
  return { branch, workdaysAgo, at, model }
}
export const session = (name: string, when: When, title: string, turns: readonly Step[]): Session => {
  return { name, when, title, turns }
}

export const user = (text: string): Step => ({ kind: 'user', text: prose(text) })
/** Typed while the agent is still at work. */
export const queued = (text: string): Step => ({ kind: 'queued', text: prose(text) })
export const think = (text: string): Step => ({ kind: 'think', text: prose(text) })
export const say = (text: string): Step => ({ kind: 'say', text: prose(text) })
export const interrupt = (): Step => ({ kind: 'interrupt' })
/** The person is away. */
export const rest = (minutes: number): Step => ({ kind: 'rest', minutes })
/** The context is replaced by a summary of itself. */
export const compact = (summary: string): Step => ({ kind: 'compact', text: prose(summary) })
/** The person gives the session a name. */
export const rename = (text: string): Step => ({ kind: 'rename', text })
/** Calls made in one reply. */
export const together = (...calls: Call[]): Step => ({ kind: 'together', calls })

export const bash = (command: string, output = ''): Call => ({ kind: 'bash', command, output, exit: 0 })
export const fails = (command: string, output: string): Call => ({ kind: 'bash', command, output, exit: 1 })
/** A command as it looks in a terminal: `$ command`, what it printed, and `[status]` at the end if it failed. */
export const shell = (terminal: string): Call => {
  const [, command = '', output = '', exit = '0'] = /^\$ (.*)\n?([^]*?)(?:\n?\[(\d+)\])?$/.exec(dedent(terminal)) ?? []
  return { kind: 'bash', command, output, exit: Number(exit) }
}
/** The person said no. */
export const denied = (command: string): Call => ({ kind: 'denied', command })
export const read = (file: string, content: string): Call => ({ kind: 'read', file, content })
export const write = (file: string, content: string): Call => ({ kind: 'write', file, content })
export const edit = (file: string, before: string, after: string): Call => ({ kind: 'edit', file, before, after })
/** An edit the agent's own tool refuses, because the file was not read before. */
export const unread = (file: string, before: string, after: string): Call => ({ kind: 'unread', file, before, after })
export const grep = (pattern: string, output: string): Call => ({ kind: 'grep', pattern, output })
/** A subagent is given a task, takes its own turns and reports. */
export const agent = (task: string, turns: readonly Step[], report: string): Call => {
  return { kind: 'agent', task: prose(task), turns, report: prose(report) }
}

/** Lets a text be indented with the code around it. */
function dedent(text: string): string {
  if (!text.startsWith('\n')) return text
  const lines = text.slice(1).trimEnd().split('\n')
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(margin)).join('\n')
}

/** Also joins the lines of a paragraph; a line that begins with a number, as in a list, stays one. */
function prose(text: string): string {
  return dedent(text)
    .replace(/(?<=。)\n/g, '')
    .replace(/(?<!\n)\n(?![\n\d])/g, ' ')
}
