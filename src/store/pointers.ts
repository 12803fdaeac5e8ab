/** A session that was put aside, under the name it can be found by. */
export interface HistoryEntry {
  readonly id: number
  readonly group_folder: string
  readonly session_id: string
  readonly name: string
  readonly created_at: string
  readonly archived_at: string
}

/** What is put into the history: once, however often it is asked for. */
export interface Bookmark {
  readonly sessionId: string
  readonly name: string
  readonly createdAt: string
  readonly archivedAt: string
}

/** Which session is active in each group, and which were before. Holds no conversation. */
export interface Pointers {
  get(group: string): string | undefined
  set(group: string, sessionId: string): void
  delete(group: string): void
  /** The newest first. */
  history(group: string): HistoryEntry[]
  /** Puts a bookmark into the history; the active session stays. */
  bookmark(group: string, bookmark: Bookmark): HistoryEntry
  /** Makes an entry of the group's own history active again and takes it out of there; undefined if it has no such. */
  restore(group: string, id: number): string | undefined
  /** Puts a session into the history, and no session is active; both or neither. */
  clear(group: string, bookmark: Bookmark): void
  /** `restore`, before which the active session is put into the history; all or nothing. */
  resume(group: string, id: number, saved: Bookmark | null): void
  /** Takes out all that is known of a group; what it was. */
  remove(group: string): void
  close(): void
}

/** Held by one at a time on this machine; given back when its process ends, however that ends. */
export interface Claim {
  release(): void
}
