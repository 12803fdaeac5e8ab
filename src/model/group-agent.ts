/** One message of a conversation as an archive tells it. */
export interface ArchivedMessage {
  readonly speaker: 'user' | 'assistant'
  readonly text: string
}

/** What a transcript says of itself beside its messages; all of it is known once the messages have been read. */
export interface TranscriptText {
  readonly messages: readonly ArchivedMessage[]
  /** What the session was called, by a person or by the agent; null if by nobody. */
  readonly title: string | null
  /** As the transcript spells it. */
  readonly startedAt: string | null
  /** Where a run may go on that has loaded the session. */
  readonly lastAssistant: string | null
}

/** An agent whose sessions groups are made of: how its own directory is laid out. */
export interface GroupAgent {
  /** The source that reads it. */
  readonly source: string
  /** Its own directory. */
  readonly home: string
  /** The file of standing instructions. */
  readonly instructions: string
  /** What its directory begins with, by the names of the files. */
  readonly firstFiles: Readonly<Record<string, string>>
  /** Directories in it that it expects. */
  readonly directories: readonly string[]
  readonly skills: string
  /** The directory whose directories hold transcripts; in a container they lie in the first of these. */
  readonly transcripts: string
  readonly usual: string
  transcriptName(sessionId: string): string
  /** Beside transcripts: what the agent calls them. */
  readonly index: string
  summaryIn(index: string, sessionId: string): string | null
  /** Reads a file with no more in memory than its messages. */
  read(file: string): TranscriptText
}
