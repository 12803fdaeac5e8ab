import type { ArchivedMessage, GroupAgent, TranscriptText } from '../../model/group-agent.ts'
import { asArray, asObject, asString, asText, type Json } from '../kit/json.ts'
import { LineReader } from '../kit/lines.ts'
import { isIgnored, parseLine } from './decode.ts'
import { isHuman, isSent, slashCommand, withoutContext } from './human.ts'

/** Claude Code in a container: its directory is mounted from the group's, its working directory is `/workspace/group`. */
export const claudeInGroups: GroupAgent = {
  source: 'claude',
  home: '.claude',
  instructions: 'CLAUDE.md',
  firstFiles: {
    'settings.json': `${JSON.stringify(
      {
        env: {
          // Teams of agents; instructions of directories beside the working one; its own notes.
          CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1',
          CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
          CLAUDE_CODE_DISABLE_AUTO_MEMORY: '0',
        },
      },
      null,
      2,
    )}\n`,
  },
  directories: ['projects', 'session-env', 'todos', 'shell-snapshots', 'debug', 'plans', 'skills'],
  skills: 'skills',
  transcripts: 'projects',
  usual: '-workspace-group',
  transcriptName: (sessionId) => `${sessionId}.jsonl`,
  index: 'sessions-index.json',
  summaryIn,
  read,
}

function summaryIn(index: string, sessionId: string): string | null {
  try {
    const entries = asArray(asObject(JSON.parse(index))?.['entries']).map((entry) => asObject(entry))
    return asText(entries.find((entry) => entry?.['sessionId'] === sessionId)?.['summary'])
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function read(file: string): TranscriptText {
  const messages: ArchivedMessage[] = []
  let customTitle: string | null = null
  let agentTitle: string | null = null
  let summary: string | null = null
  let startedAt: string | null = null
  let lastAssistant: string | null = null
  for (const { bytes } of new LineReader(file, null)) {
    if (bytes === null || isIgnored(bytes) || isResultAlone(bytes)) continue
    for (const record of parseLine(bytes) ?? []) {
      startedAt ??= asText(record['timestamp'])
      const type = asString(record['type'])
      if (type === 'custom-title') customTitle = asText(record['customTitle']) ?? customTitle
      else if (type === 'ai-title') agentTitle = asText(record['aiTitle']) ?? agentTitle
      else if (type === 'summary') summary = asText(record['summary']) ?? summary
      if (record['isSidechain'] === true) continue
      const text = type === 'user' ? userText(record) : type === 'assistant' ? assistantText(record) : ''
      if (type === 'assistant') lastAssistant = asText(record['uuid']) ?? lastAssistant
      if (text !== '') messages.push({ speaker: type === 'user' ? 'user' : 'assistant', text })
    }
  }
  return { messages, title: customTitle ?? agentTitle ?? summary, startedAt, lastAssistant }
}

const CONTENT = Buffer.from('"content":[{"')
const RESULT = /^(?:type":"tool_result"|tool_use_id":")/
const TEXT = Buffer.from('{"type":"text"')
const SIDE_BY_SIDE = 64

/** True for what is known by its first bytes to be the output of a tool and nothing else: most of a transcript. */
function isResultAlone(bytes: Buffer): boolean {
  const at = bytes.subarray(0, 2048).indexOf(CONTENT)
  if (at === -1) return false
  const start = at + CONTENT.length
  return RESULT.test(bytes.toString('latin1', start, start + SIDE_BY_SIDE)) && !bytes.includes(TEXT, start)
}

/** What a person wrote; nothing where the client put words into their mouth. */
function userText(record: Json): string {
  const content = asObject(record['message'])?.['content']
  const raw = typeof content === 'string' ? content : texts(content, (part) => part['type'] !== 'tool_result')
  const words = slashCommand(raw)?.text ?? (withoutContext(raw) || (isSent(record) ? raw.trim() : ''))
  return isHuman(record, words) ? words : ''
}

function assistantText(record: Json): string {
  const content = asObject(record['message'])?.['content']
  return texts(content, (part) => part['type'] === 'text')
}

function texts(content: unknown, isWanted: (part: Json) => boolean): string {
  return asArray(content)
    .map((value) => {
      const part = asObject(value)
      return part !== null && isWanted(part) ? (asString(part['text']) ?? '') : ''
    })
    .filter((text) => text !== '')
    .join('\n')
}
