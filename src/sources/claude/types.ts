/**
 * Record types of a transcript that carry nothing to remember, with the reason. Everything else is
 * mapped in `records.ts`; a type in neither place is told as a Problem.
 */
export const IGNORED_RECORDS: Readonly<Record<string, string>> = {
  'file-history-snapshot': 'backups of edited files, for undo',
  'queue-operation': 'bookkeeping of queued prompts; the prompts themselves are attachments or user records',
  'last-prompt': 'a repeat of the latest prompt',
  'permission-mode': 'a setting of the client',
  mode: 'a setting of the client',
  'teleported-from': 'where a remote session came from; its messages follow',
  'agent-name': 'a label of the client',
  'agent-color': 'a label of the client',
  'agent-setting': 'a setting of the client',
  'atis-latch': 'internal state of the client',
  'isolation-latch': 'internal state of the client',
  'worktree-state': 'internal state of the client',
  'bridge-session': 'internal state of the client',
  'attribution-snapshot': 'internal state of the client',
  'content-replacement': 'internal state of the client',
  'fork-context-ref': 'internal state of the client',
  'marble-origami-commit': 'internal state of the client',
  'marble-origami-snapshot': 'internal state of the client',
  'speculation-accept': 'internal state of the client',
  tag: 'a label of the client',
}

/** Kinds of `attachment` that are context for the model, not words of anybody. `queued_command` is mapped. */
export const IGNORED_ATTACHMENTS: ReadonlySet<string> = new Set([
  'agent_listing_delta',
  'async_hook_response',
  'auto_mode',
  'auto_mode_exit',
  'command_permissions',
  'compact_file_reference',
  'companion_intro',
  'date_change',
  'deferred_tools_delta',
  'deferred_tools_record',
  'diagnostics',
  'directory',
  'edited_text_file',
  'environment',
  'file',
  'hook_additional_context',
  'hook_blocking_error',
  'hook_cancelled',
  'hook_error_during_execution',
  'hook_non_blocking_error',
  'hook_stopped_continuation',
  'hook_success',
  'hook_system_message',
  'invoked_skills',
  'mcp_instructions_delta',
  'mcp_resource',
  'model',
  'nested_memory',
  'opened_file_in_ide',
  'output_style',
  'plan_file_reference',
  'plan_mode',
  'plan_mode_exit',
  'plan_mode_reentry',
  'relevant_memories',
  'selected_lines_in_ide',
  'skill_listing',
  'task_reminder',
  'task_status',
  'todo_reminder',
  'total_tokens_reminder',
  'ultrathink_effort',
])

/** `system` records that only time or list what other records say. */
export const IGNORED_SYSTEM: ReadonlySet<string> = new Set(['stop_hook_summary', 'away_summary', 'bridge_status'])

/** `progress` records: a live view of what a result record says in full later. `agent_progress` is mapped. */
export const IGNORED_PROGRESS: ReadonlySet<string> = new Set([
  'bash_progress',
  'hook_progress',
  'mcp_progress',
  'powershell_progress',
  'query_update',
  'search_results_received',
  'skill_progress',
  'waiting_for_task',
])
