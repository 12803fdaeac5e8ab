import { isoTime } from '../model/time.ts'
import type { HowAnswer, WorkingCommand } from '../search/how.ts'
import { sessionFields, sessionFilter } from './filters.ts'
import { operation } from './operation.ts'
import { count, flag, instant, list, nullable, number, object, text } from './schema.ts'

const USUAL = 5

const command = object({
  command: text(),
  purpose: nullable(text()),
  count: count(),
  failed: count(),
  last_used: instant,
  project: nullable(text()),
  projects: list(text()),
  relevance: number(),
  low_confidence: flag(),
  evidence: list(text()),
})

export const how = operation({
  name: 'how',
  summary: 'the commands that worked before for a task',
  details:
    'Commands that went through where the task, or something like it, was spoken of; with how often, when last and where. ' +
    'What only looks around (ls, cat, git status, …) is left out unless the task names it.',
  effect: 'reads',
  isSlow: true,
  input: object({ task: text('what you want to do, in words') }, sessionFields(USUAL)),
  output: object({ task: text(), total: count(), commands: list(command) }),
  run(context, asked): Promise<HowAnswer> {
    return context.recall.evidence.how({ task: asked.task, filter: sessionFilter(context, asked, USUAL) })
  },
  document: ({ task, total, commands }: HowAnswer) => ({ task, total, commands: commands.map(commandDocument) }),
})

function commandDocument(found: WorkingCommand) {
  return {
    command: found.command,
    purpose: found.purpose,
    count: found.count,
    failed: found.failed,
    last_used: isoTime(found.lastUsed),
    project: found.projects[0] ?? null,
    projects: found.projects,
    relevance: found.relevance,
    low_confidence: found.lowConfidence,
    evidence: found.evidence,
  }
}
