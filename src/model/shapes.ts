import { isoTime } from './time.ts'
import { baseName, projectOf, type SessionRecord } from './session.ts'

export const SCHEMA_VERSION = 1

/** A session as every face shows it in JSON. Names are a public contract: added to, never renamed. */
export function sessionJson(session: SessionRecord): Record<string, unknown> {
  const { tokens, startedAt, endedAt } = session
  const seconds = startedAt === null || endedAt === null ? null : Math.round((endedAt - startedAt) / 1000)
  const project = projectOf(session)
  return {
    id: session.shortId,
    session_uid: session.uid,
    source: session.longSource,
    flavor: session.flavor,
    source_path: session.sourcePath,
    source_session_id: session.nativeId,
    native_session_id: session.nativeId,
    title: session.title,
    project,
    repo: project === null ? null : baseName(project),
    domain: session.domain,
    cwd: session.cwd,
    git_repo: session.gitRepo,
    git_branch: session.gitBranch,
    branches: session.branches,
    model: session.model,
    started_at: isoTime(startedAt),
    ended_at: isoTime(endedAt),
    duration_seconds: seconds,
    message_count: session.messageCount,
    tool_count: session.toolCount,
    thread_count: session.threadCount,
    input_tokens: tokens?.input ?? null,
    output_tokens: tokens?.output ?? null,
    outcome: session.outcome,
    cost: {
      input_tokens: tokens?.input ?? null,
      output_tokens: tokens?.output ?? null,
      cache_tokens: tokens === null ? null : tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h,
      wall_clock_s: seconds,
      turns: session.promptCount,
      retries: session.retryCount,
    },
    task_ref: session.taskRef,
    parent_uid: session.parentUid,
    subagent: session.isSubagent,
    automated: session.automated,
    is_complete: session.isComplete,
    source_bytes: session.sourceBytes,
    file_mtime: session.fileMtime,
    file_size: session.fileSize,
    schema_version: SCHEMA_VERSION,
    discovered_at: isoTime(session.discoveredAt),
    indexed_at: isoTime(session.ingestedAt),
    ingested_at: isoTime(session.ingestedAt),
    analyzed_at: isoTime(session.analyzedAt),
    evicted_at: isoTime(session.evictedAt),
    evict_reason: session.evictReason,
    part_evicted_at: isoTime(session.partEvictedAt),
    tags: session.tags,
  }
}
