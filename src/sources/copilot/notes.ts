import { titleText } from '../../model/facts.ts'
import { oneLine, plural } from '../../model/text.ts'
import { asObject, asText } from '../kit/json.ts'
import { remember, type ItemWriter } from './item-writer.ts'

const MAX_NOTE = 2000

export function mapStart(writer: ItemWriter): void {
  const { data } = writer
  const [version, model] = [asText(data['copilotVersion']), asText(data['selectedModel'])]
  if (version !== null) writer.tell('version', version)
  if (model !== null && model !== 'auto') writer.tell('model', model)
  mapContext(writer)
}

export function mapResume(writer: ItemWriter): void {
  mapStart(writer)
  writer.note('resumed')
}

/** Where the session is, in either form. */
export function mapContext(writer: ItemWriter): void {
  const place = asObject(writer.data['context']) ?? writer.data
  const [cwd, branch] = [asText(place['cwd']), asText(place['branch'])]
  if (cwd !== null && !writer.knows('cwd')) writer.tell('cwd', cwd)
  if (branch !== null) writer.onBranch(branch)
}

export function mapModel(writer: ItemWriter): void {
  const { data } = writer
  const model = asText(data['newModel']) ?? asText(data['chosenModel'])
  if (model === null || model === 'auto' || !writer.isOwn) return
  const isChange = writer.knows('model')
  writer.tell('model', model)
  if (isChange && data['previousModel'] !== undefined) writer.note(`model: ${model}`)
}

export function mapTitle(writer: ItemWriter): void {
  const title = asText(writer.data['title'])
  if (title !== null) writer.facts({ agentTitle: titleText(title) })
}

/** What the service said for good. Tries before it are not logged. */
export function mapError(writer: ItemWriter): void {
  const { data } = writer
  const text = oneLine(asText(data['message']) ?? asText(data['errorType']) ?? 'error', MAX_NOTE)
  writer.event({ kind: 'error', role: 'system', text, marks: { turn: 'failed' } })
}

export function mapInfo(writer: ItemWriter): void {
  const text = asText(writer.data['message'])
  if (text !== null) writer.note(oneLine(text, MAX_NOTE))
}

export function mapMode(writer: ItemWriter): void {
  const mode = asText(writer.data['newMode']) ?? asText(writer.data['mode'])
  if (mode !== null) writer.note(`mode: ${mode}`)
}

export function mapTruncation(writer: ItemWriter): void {
  writer.note('the oldest messages were left out of the context')
}

export function mapCleared(writer: ItemWriter): void {
  writer.note('context cleared')
}

/** A person took back a prompt and all that followed. */
export function mapRewind(writer: ItemWriter): void {
  const from = writer.prompts.get(asText(writer.data['upToEventId']) ?? '')
  const to = writer.lane.pos - 1
  const taken = from === undefined ? [] : [...writer.prompts].filter(([, pos]) => pos >= from)
  for (const [id] of taken) writer.prompts.delete(id)
  writer.note(from === undefined ? 'rewound' : `${plural(taken.length, 'turn')} taken back`, {
    takenBack: taken.length,
  })
  if (from !== undefined && from <= to) writer.supersede(from, to)
}

export function mapTaskComplete(writer: ItemWriter): void {
  const summary = asText(writer.data['summary'])
  writer.note(summary === null ? 'task complete' : `task complete\n\n${summary}`)
}

export function mapHandoff(writer: ItemWriter): void {
  const summary = asText(writer.data['summary'])
  writer.note(summary === null ? 'handed over' : `handed over\n\n${summary}`)
}

/** Every answer ends a turn of the client; the person's ends with the answer that asks for nothing more. */
export function mapTurnEnd(writer: ItemWriter): void {
  if (!writer.agent.done) return
  writer.agent.done = false
  writer.note('turn completed', { turn: 'completed' })
}

export function mapUserRequest(writer: ItemWriter): void {
  writer.agent.done = false
}

export function mapSubagentStart(writer: ItemWriter): void {
  const call = asText(writer.data['toolCallId'])
  const agent = asText(writer.record['agentId'])
  if (call !== null && agent !== null) remember(writer.started, call, agent)
  writer.note(subagentNote(writer, 'started'))
}

export function mapSubagentEnd(writer: ItemWriter): void {
  const error = asText(writer.data['error'])
  const failed = writer.record['type'] === 'subagent.failed'
  writer.note(subagentNote(writer, failed ? `failed${error === null ? '' : `: ${error}`}` : 'completed'))
}

function subagentNote({ data }: ItemWriter, state: string): string {
  const names = [asText(data['agentName']), asText(data['agentDescription']) ?? asText(data['agentDisplayName'])]
  return oneLine(`subagent (${names.filter((name) => name !== null).join(': ')}) ${state}`, MAX_NOTE)
}

export function mapSkill(writer: ItemWriter): void {
  const name = asText(writer.data['name'])
  if (name !== null) writer.note(`skill ${name}`)
}

const BY_PERSON = /^user|^remote_command$/

export function mapAbort(writer: ItemWriter): void {
  const reason = asText(writer.data['reason']) ?? 'user_abort'
  writer.agent.done = false
  const text = `aborted: ${reason}`
  if (!BY_PERSON.test(reason)) return writer.note(text, { turn: 'aborted' })
  const marks = { interrupted: true, turn: 'interrupted' } as const
  writer.event({ kind: 'human_intervention', role: 'user', text, marks })
}
