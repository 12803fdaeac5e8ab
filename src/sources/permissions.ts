import type { PermissionTarget } from '../model/permission.ts'
import { claudePermissions } from './claude/permissions.ts'
import { codexPermissions } from './codex/permissions.ts'
import { grokPermissions } from './grok/permissions.ts'

/** THE list of agents that can be told what they need not ask about. */
export const permissionTargets: readonly PermissionTarget[] = [claudePermissions, codexPermissions, grokPermissions]
