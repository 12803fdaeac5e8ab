/** Types of records that say nothing of the conversation, or say again what another one does. `model.*` is ignored, too. */
export const IGNORED: ReadonlySet<string> = new Set(
  `system.message assistant.turn_start assistant.turn_retry assistant.intent assistant.reasoning assistant.idle assistant.usage
  assistant.message_start assistant.message_delta assistant.reasoning_delta assistant.streaming_delta assistant.tool_call_delta
  assistant.server_tool_progress assistant.fusion_phase_started assistant.fusion_phase_completed assistant.fusion_phase_failed
  tool.execution_partial_result tool.execution_progress tool_search.activated
  session.compaction_start session.usage_checkpoint session.usage_info session.idle session.permissions_changed
  session.remote_steerable_changed session.plan_changed session.todos_changed session.workspace_file_changed
  session.schedule_created session.schedule_cancelled session.schedule_rearmed session.autopilot_objective_changed
  session.mode_notice_delivered session.session_limits_changed session.tools_updated session.background_tasks_changed
  session.skills_loaded session.custom_agents_updated session.mcp_servers_loaded session.mcp_server_status_changed
  session.extensions_loaded session.binary_asset session.managed_settings_resolved session.managed_settings_enforced
  session.fusion_route_started session.fusion_route_failed session.fusion_resolved session.fusion_completed
  session.custom_notification session.canvas_opened session.canvas_closed session.canvas_recorded session.canvas_removed
  session.canvas_registry_changed session.canvas_unavailable session.extensions.attachments_pushed
  subagent.configured subagent.selected subagent.deselected hook.start hook.end hook.progress pending_messages.modified
  user_input.requested user_input.completed elicitation.requested elicitation.completed sampling.requested
  sampling.completed mcp.oauth_required mcp.oauth_completed mcp.headers_refresh_required mcp.headers_refresh_completed
  mcp.tools_list_changed mcp.resources_list_changed mcp.prompts_list_changed mcp_app.tool_call_complete
  external_tool.requested external_tool.completed command.queued command.execute command.completed commands.changed
  capabilities.changed exit_plan_mode.requested exit_plan_mode.completed auto_mode_switch.requested
  auto_mode_switch.completed session_limits_exhausted.requested session_limits_exhausted.completed
  factory.run_updated factory.run_started factory.run_settled ui.ephemeral_query`
    .split(/\s+/)
    .filter((name) => name !== ''),
)
