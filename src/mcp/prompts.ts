import { UserError } from '../model/errors.ts'
import { quoted } from './quote.ts'

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

/** Something a person asks by its name. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  text(given: Readonly<Record<string, string>>): string
}

/** THE list of prompts. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'continue',
    title: 'Continue where we left off',
    description: 'Find the latest work in this project and go on with it',
    arguments: [{ name: 'project', description: 'part of its path, if it is another', required: false }],
    text: ({ project }) =>
      `Go on where we left off. Ask recall's recent_work${project ? ` with project ${JSON.stringify(quoted(project))}` : ''} for the latest sessions, read the end of the one that is unfinished or newest with read_session, and say in a few lines what was asked, what is done, what is open or failed, and what you would do next. Then wait for me.`,
  },
  {
    name: 'what_do_we_know',
    title: 'What do we know about …',
    description: 'Gather what past sessions say about something',
    arguments: [{ name: 'topic', description: 'what it is about', required: true }],
    text: ({ topic = '' }) =>
      `What do we know about ${JSON.stringify(quoted(topic))}? Ask recall: search_memory in a few different words, find_solution if it is an error, a task or a file; read what matters with read_session. Sum up what was found, decided and tried, each with its date, project and session_uid + pointer, and say what is uncertain or contradicts itself.`,
  },
]

export function promptNamed(name: string, given: Readonly<Record<string, string>>): { prompt: Prompt; text: string } {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (prompt === undefined)
    throw new UserError(
      'NOT_FOUND',
      `there is no prompt ${JSON.stringify(name)}`,
      PROMPTS.map((one) => one.name).join(', '),
    )
  const missing = prompt.arguments.find((one) => one.required && !given[one.name])
  if (missing !== undefined) throw new UserError('USAGE', `${missing.name} is missing`, `give ${missing.name}`)
  return { prompt, text: prompt.text(given) }
}
