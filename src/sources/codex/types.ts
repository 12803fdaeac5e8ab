/**
 * What a rollout holds that is nothing to remember, with the reason. Everything else is mapped in
 * `records.ts`, `items.ts`, `events.ts` and `turn-items.ts`; a type in neither place is told as a Problem.
 */

type Reasons = Readonly<Record<string, string>>

const LIVE_VIEW = 'a live view of what other records say in full'
const REPEATED = 'repeats a call and its output, which stand as response items'
const CLIENT = 'internal state of the client'
const ASKED = 'a question to the person; the answer shows in the output of the call'
const VOICE = 'a conversation by voice, whose words stand as messages'

/** Types of whole lines. */
export const IGNORED_RECORDS: Reasons = {
  state: CLIENT,
  rollout_item: CLIENT,
  dynamic_tools_updated: 'definitions of tools',
  realtime_item: VOICE,
  inter_agent_communication_metadata: 'bookkeeping of messages between agents',
  retained_context: CLIENT,
  world_state: CLIENT,
  security_risk_score: 'a rating of a call by the service',
}

/** Types of `response_item`. */
export const IGNORED_ITEMS: Reasons = {
  ghost_snapshot: 'a commit made for undo; a rollback is told by `thread_rolled_back`',
  compaction_trigger: 'a request of the client; the compaction itself is told',
  additional_tools: 'definitions of tools',
  configuration_update: CLIENT,
  other: 'an empty placeholder',
}

/** Types of `event_msg`. */
export const IGNORED_EVENTS: Reasons = {
  agent_message_content_delta: LIVE_VIEW,
  agent_message_delta: LIVE_VIEW,
  agent_reasoning_delta: LIVE_VIEW,
  agent_reasoning_raw_content_delta: LIVE_VIEW,
  agent_reasoning_section_break: LIVE_VIEW,
  auth_recovery_completed: CLIENT,
  auth_recovery_started: CLIENT,
  background_event: LIVE_VIEW,
  collab_agent_interaction_begin: LIVE_VIEW,
  collab_agent_interaction_end: REPEATED,
  collab_agent_spawn_begin: LIVE_VIEW,
  collab_agent_spawn_end: REPEATED,
  collab_close_begin: LIVE_VIEW,
  collab_close_end: REPEATED,
  collab_resume_begin: LIVE_VIEW,
  collab_resume_end: REPEATED,
  collab_waiting_begin: LIVE_VIEW,
  collab_waiting_end: REPEATED,
  deprecation_notice: CLIENT,
  dynamic_tool_call_request: REPEATED,
  dynamic_tool_call_response: REPEATED,
  elicitation_abandoned: CLIENT,
  elicitation_request: ASKED,
  environment_connected: CLIENT,
  environment_disconnected: CLIENT,
  exec_command_output_delta: LIVE_VIEW,
  guardian_assessment: 'a rating of a call by the service',
  hook_completed: CLIENT,
  hook_started: CLIENT,
  image_generation_begin: LIVE_VIEW,
  image_generation_end: REPEATED,
  item_started: LIVE_VIEW,
  mcp_startup_complete: CLIENT,
  mcp_startup_update: CLIENT,
  model_verification: CLIENT,
  patch_apply_updated: LIVE_VIEW,
  plan_delta: LIVE_VIEW,
  plan_update: 'repeats the arguments of the `update_plan` call',
  raw_response_completed: LIVE_VIEW,
  raw_response_item: LIVE_VIEW,
  realtime_conversation_closed: VOICE,
  realtime_conversation_list_voices_response: VOICE,
  realtime_conversation_realtime: VOICE,
  realtime_conversation_sdp: VOICE,
  realtime_conversation_started: VOICE,
  reasoning_content_delta: LIVE_VIEW,
  reasoning_raw_content_delta: LIVE_VIEW,
  request_user_input: ASKED,
  safety_buffering: CLIENT,
  session_configured: CLIENT,
  shutdown_complete: CLIENT,
  sub_agent_activity: 'a view of a subagent, which has a rollout of its own',
  terminal_interaction: LIVE_VIEW,
  thread_queue_changed: CLIENT,
  turn_diff: 'the sum of the patches, which stand as calls',
  turn_moderation_metadata: CLIENT,
  undo_started: LIVE_VIEW,
  view_image_tool_call: REPEATED,
  web_search_begin: LIVE_VIEW,
}

/** Types of the item of `item_completed`. */
export const IGNORED_TURN_ITEMS: Reasons = {
  Extension: 'a view of a call made inside the `exec` program',
  FunctionCallOutput: REPEATED,
  HookPrompt: 'repeats a message, which stands as a response item',
  ImageGeneration: REPEATED,
  ImageView: REPEATED,
  Sleep: 'a pause of the client',
  SubAgentActivity: 'a view of a subagent, which has a rollout of its own',
}
