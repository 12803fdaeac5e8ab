import type { GroupAgent, TranscriptText } from '../model/group-agent.ts'
import { readableTitle } from '../model/titles.ts'
import { cleanName, fallbackName } from './archive.ts'
import { unlessSpoilt, within, type Directory } from './directory.ts'
import { isSessionId, sessionsOf, type GroupPlaces } from './places.ts'

const MAX_INDEX_BYTES = 16 * 1024 * 1024

export interface FoundTranscript extends TranscriptText {
  /** What the agent itself calls it beside the transcript. */
  readonly summary: string | null
}

/** The transcript of a session in its group's own directory; null if it is not there. */
export function transcriptOf(places: GroupPlaces, group: string, sessionId: string): FoundTranscript | null {
  const { root, agent } = places
  if (!isSessionId(sessionId)) return null
  return within(root, [...sessionsOf(group, agent), agent.transcripts], (projects) => {
    const names = projects
      .entries()
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    for (const name of names.sort((a, b) => Number(b === agent.usual) - Number(a === agent.usual))) {
      const dir = projects.child(name)
      if (dir === null) continue
      try {
        const transcript = readTranscript(dir, agent, agent.transcriptName(sessionId), sessionId)
        if (transcript !== null) return transcript
      } finally {
        dir.close()
      }
    }
    return null
  })
}

/** A transcript in a directory, with what the agent calls it beside it; null if it is not there. */
export function readTranscript(
  dir: Directory,
  agent: GroupAgent,
  file: string,
  sessionId: string,
): FoundTranscript | null {
  const transcript = dir.withFile(file, (place) => agent.read(place))
  if (transcript === null) return null
  const index = dir.text(agent.index, MAX_INDEX_BYTES)
  return { ...transcript, summary: index === null ? null : agent.summaryIn(index, sessionId) }
}

/** What a session is called if nobody says: by its agent, by what was asked in it, or by the time. */
export function nameOf(
  { summary, title, messages }: FoundTranscript,
  at: number,
  redact: (text: string) => string,
): string {
  const prompts = messages.filter(({ speaker }) => speaker === 'user').slice(0, 6)
  const named = summary ?? title ?? readableTitle(prompts.map(({ text }) => text))
  return (named === null ? '' : cleanName(named, redact)) || fallbackName(at)
}

/** When somebody last wrote to a session of the group; null if there is none. */
export function lastActivity({ root, agent }: GroupPlaces, group: string): number | null {
  const times = unlessSpoilt(() =>
    within(root, [...sessionsOf(group, agent), agent.transcripts], (projects) =>
      projects
        .entries()
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => {
          const dir = projects.child(name)
          if (dir === null) return []
          try {
            const files = dir
              .entries()
              .filter((entry) => entry.isFile() && entry.name.endsWith(agent.transcriptName('')))
            return files.map((file) => dir.modifiedAt(file.name))
          } finally {
            dir.close()
          }
        }),
    ),
  )
  return times === null || times.length === 0 ? null : Math.max(...times)
}
