import path from 'node:path'
import { archiveName, archiveText, keepArchive } from './archive.ts'
import { within } from './directory.ts'
import { isGroupInstructions } from './groups.ts'
import { CONVERSATIONS, groupDir, isGroupName, type GroupPlaces } from './places.ts'
import { nameOf, readTranscript } from './transcripts.ts'

/** What an agent says before it makes a conversation shorter. */
export interface Compaction {
  readonly sessionId: string | null
  readonly transcriptPath: string
  /** Where the agent works. */
  readonly cwd: string | null
}

const MAX_INSTRUCTIONS = 4 * 1024 * 1024

/**
 * Archives a conversation while it is whole. Only for groups: seen from the host, by where the transcript lies; in a
 * container, by the instructions where the agent works. Null if it is no group's, or if there is nothing to tell.
 */
export function archiveBeforeCompaction(
  places: GroupPlaces,
  { sessionId, transcriptPath, cwd }: Compaction,
): string | null {
  const target = onHost(places, transcriptPath) ?? inContainer(places, cwd)
  if (target === null) return null
  const { agent, assistantName, redact, now } = places
  const id = sessionId ?? path.parse(transcriptPath).name
  const transcript = within(path.dirname(transcriptPath), [], (dir) =>
    readTranscript(dir, agent, path.basename(transcriptPath), id),
  )
  if (transcript === null || transcript.messages.length === 0) return null
  const at = now()
  const name = nameOf(transcript, at, redact)
  const text = archiveText({ name, at, messages: transcript.messages, assistantName, redact })
  return within(target.root, target.parts, (dir) => keepArchive(dir, archiveName(name, at, id.slice(0, 8)), text), true)
}

interface Target {
  readonly root: string
  readonly parts: readonly string[]
}

function onHost({ root, agent }: GroupPlaces, transcriptPath: string): Target | null {
  const [group = '', home] = path.relative(path.join(root, 'data', 'sessions'), transcriptPath).split(path.sep)
  if (!isGroupName(group) || home !== agent.home) return null
  return { root, parts: [...groupDir(group), CONVERSATIONS] }
}

function inContainer({ agent }: GroupPlaces, cwd: string | null): Target | null {
  if (cwd === null || !path.isAbsolute(cwd)) return null
  const text = within(cwd, [], (dir) => dir.text(agent.instructions, MAX_INSTRUCTIONS))
  return text !== null && isGroupInstructions(text) ? { root: cwd, parts: [CONVERSATIONS] } : null
}
