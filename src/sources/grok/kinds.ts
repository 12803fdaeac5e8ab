/**
 * Kinds of updates that carry nothing to remember, with the reason. All others are mapped in `entries.ts`;
 * a kind in neither place is told as a Problem.
 */
export const IGNORED_UPDATES: Readonly<Record<string, string>> = {
  available_commands_update: 'a list for the client',
  current_mode_update: 'a setting of the client',
  config_option_update: 'a setting of the client',
  session_info_update: 'repeats the title, which the summary holds',
  diff_review: 'a request to the client; the edit is a tool call',
  auto_continue_completed: 'a signal to the client',
  auto_recovery_started: 'a retry of a request, told when it is given up',
  memory_flush_started: 'bookkeeping of the agent’s memory files',
  memory_flush_completed: 'bookkeeping of the agent’s memory files',
  memory_dream_completed: 'bookkeeping of the agent’s memory files',
  memory_session_saved: 'bookkeeping of the agent’s memory files',
  memory_files: 'bookkeeping of the agent’s memory files',
  feedback_request: 'a survey',
  relay_sync_status: 'state of a connection',
  hook_annotation: 'a note of a hook for the screen',
  hook_run_started: 'hooks of the user’s own',
  hook_execution: 'hooks of the user’s own',
  hooks_changed: 'configuration',
  plugins_changed: 'configuration',
  plugin_updates_installed: 'configuration',
  session_status: 'a status line',
  session_recap: 'a repeat of the conversation in short',
  session_recap_unavailable: 'a signal to the client',
  last_turn_summary: 'a repeat of the conversation in short',
  subagent_progress: 'a live view; the subagent is a session of its own',
  background_tasks: 'a live view; starts and ends are told apart',
  tool_call_delta_chunk: 'arguments while they are being written; the call follows whole',
  image_compressed: 'a note for the screen',
  image_dropped: 'a note for the screen',
  workflow_updated: 'a live view of an orchestration whose agents are sessions of their own',
  goal_updated: 'a live view of an orchestration whose agents are sessions of their own',
  response_started: 'framing of a response',
  reasoning_completed: 'an encrypted signature',
  response_completed: 'usage of one call, which the usage of the turn sums up',
  pending_interaction: 'a live view',
  interaction_resolved: 'a live view',
}

/** Types of telemetry that the transcript tells better, or that time what only the client cares for. */
export const IGNORED_TELEMETRY: Readonly<Record<string, string>> = {
  loop_started: 'one per call of the model; told only where it repeats a step that got no answer',
  phase_changed: 'what the screen shows',
  first_token: 'a latency',
  tool_started: 'the call stands in the transcript',
  tool_completed: 'the result stands in the transcript; how the call ended is joined to it there',
  permission_requested: 'its answer follows',
}

/** Families of telemetry by the start of their names. */
export const IGNORED_TELEMETRY_FAMILIES = ['mcp_', 'goal_', 'todo_gate_', 'laziness_'] as const
