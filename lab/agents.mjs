// How each real agent is installed, pointed at the stub, and driven without a terminal.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

// No secret: the agents only want the variable to be there, and the stub never looks at it.
const KEY = 'lab-key-not-a-secret'

const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
]

/**
 * Each agent has
 *   setup     files for a new HOME (written once, so that hooks and rules installed later stay)
 *   env       what it gets beside PATH, HOME, TERM and LANG
 *   args      the command line of a step { prompt, id, resume, fork, approve, mcp, version, flags }
 *   live      the command line for a terminal { id, cwd, home }; `latest`, the id of the session it just made
 *   stdin     what it reads from standard input, if not nothing
 *   cannot    the scenarios it cannot play
 *   node      the version of Node.js it needs, if not that of the lab
 *   launcher  true if its program only starts another one, which must hear signals, too
 *   namesItself  true if it gives its sessions ids of its own; else the lab does, by `id`
 *   session   the id of the session, from what the run printed
 *   tools     the same actions in this agent's own calls
 *   serve     how its own server is started, for what no command line can do
 *   hooks     the file with its hooks (all three have the same form), and a flag to trust them
 */
export const agents = {
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.326',
    model: 'claude-opus-5-5',
    setup: (home) => {
      put(
        join(home, '.claude.json'),
        json({ hasCompletedOnboarding: true, customApiKeyResponses: { approved: [KEY], rejected: [] } }),
      )
      put(join(home, '.claude/settings.json'), json({ cleanupPeriodDays: 3650 }))
    },
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: ({ prompt, input, id, resume, fork, approve, mcp, flags = [] }) => [
      '-p',
      ...(input ? [] : [prompt]),
      '--output-format',
      input ? 'stream-json' : 'json',
      ...(input ? ['--input-format', 'stream-json', '--verbose'] : []),
      ...(resume ? ['--resume', resume] : []),
      ...(fork ? ['--fork-session'] : []),
      ...(id ? ['--session-id', id] : []),
      // As root the bypass mode is refused; naming the tools does the same.
      ...(approve ? ['--allowedTools', 'Bash Edit Write Read Agent WebSearch mcp__lab'] : []),
      ...(mcp
        ? [
            '--strict-mcp-config',
            '--mcp-config',
            json({ mcpServers: { lab: { command: mcp[0], args: mcp.slice(1) } } }),
          ]
        : []),
      ...flags,
    ],
    live: ({ id, cwd, home, flags }) => {
      const path = join(home, '.claude.json')
      const known = JSON.parse(readFileSync(path, 'utf8'))
      put(path, json({ ...known, projects: { ...known.projects, [cwd]: { hasTrustDialogAccepted: true } } }))
      return [
        '--session-id',
        id,
        '--permission-mode',
        'default',
        '--allowedTools',
        'Bash(node:*) Bash(sleep:*) Bash(echo:*)',
        ...flags,
      ]
    },
    session: (out) => out.match(/"session_id":"([0-9a-f-]{36})"/)?.[1],
    hooks: { file: '.claude/settings.json' },
    tools: {
      sh: (command) => ({ tool: 'Bash', input: { command, description: 'A command of the lab' } }),
      read: (path) => ({ tool: 'Read', input: { file_path: path } }),
      write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
      edit: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_string: from, new_string: to } }),
      ask: (question, labels) => ({
        tool: 'AskUserQuestion',
        input: {
          questions: [
            {
              question,
              header: 'Choice',
              multiSelect: false,
              options: labels.map((label) => ({ label, description: `The ${label}` })),
            },
          ],
        },
      }),
      mcp: (name, input) => ({ tool: `mcp__lab__${name}`, input }),
      sub: (prompt) => ({
        tool: 'Agent',
        input: { description: 'A task of the lab', prompt, subagent_type: 'general-purpose', run_in_background: false },
      }),
    },
  },

  codex: {
    package: '@openai/codex',
    version: '0.169.0',
    model: 'gpt-5.5',
    namesItself: true,
    setup: (home, url) => {
      put(
        join(home, '.codex/config.toml'),
        `model = "gpt-5.5"
model_provider = "lab"
check_for_update_on_startup = false

[analytics]
enabled = false

[feedback]
enabled = false

[model_providers.lab]
name = "lab"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
request_max_retries = 2
stream_max_retries = 2
`,
      )
    },
    env: () => ({ LAB_KEY: KEY }),
    args: ({ prompt, resume, fork, approve, mcp, flags = [] }) => [
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...(approve ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
      ...(mcp ? ['-c', `mcp_servers.lab={command=${json(mcp[0])},args=${json(mcp.slice(1))}}`] : []),
      ...flags,
      ...(resume ? [fork ? 'fork' : 'resume', resume] : []),
      prompt,
    ],
    live: ({ cwd, flags }) => [
      '-c',
      `projects={${json(cwd)}={trust_level="trusted"}}`,
      '-c',
      // Or it wants to talk about a newer model first.
      'notice.model_migrations={"gpt-5.5"="gpt-6-sol"}',
      ...flags,
    ],
    session: (out) => out.match(/"thread_id":"([0-9a-f-]{36})"/)?.[1],
    // By its name, which begins with the time; a thread that goes on from an earlier place has an id of its own behind it.
    latest: (home) =>
      readdirSync(join(home, '.codex/sessions'), { recursive: true })
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .at(-1)
        ?.match(/([0-9a-f-]{36})(?:_[0-9a-f-]{36})?\.jsonl$/)?.[1],
    hooks: { file: '.codex/hooks.json', flag: '--dangerously-bypass-hook-trust' },
    tools: {
      sh: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
      read: (path) => ({ tool: 'exec_command', input: { cmd: `cat ${path}` } }),
      write: (path, content) =>
        patch(
          `*** Add File: ${path}\n${content
            .trimEnd()
            .split('\n')
            .map((line) => `+${line}`)
            .join('\n')}`,
        ),
      edit: (path, from, to) => patch(`*** Update File: ${path}\n@@\n-${from}\n+${to}`),
      mcp: (name, input) => ({ tool: name, namespace: 'mcp__lab', input }),
      sub: (message) => ({
        tool: 'spawn_agent',
        namespace: 'collaboration',
        input: { message, task_name: 'lab_task' },
      }),
      wait: () => ({ tool: 'wait_agent', namespace: 'collaboration', input: { timeout_ms: 20_000 } }),
      // `inner` is for the checks alone: what the program calls.
      program: (raw, inner) => ({ tool: 'exec', namespace: 'functions', raw, inner }),
    },
  },

  grok: {
    package: '@xai-official/grok',
    version: '1.0.41',
    model: 'grok-4.5',
    setup: (home, url) => {
      put(
        join(home, '.grok/config.toml'),
        `[cli]
auto_update = false

[models]
default = "grok-4.5"
max_retries = 2

[features]
telemetry = false
feedback = false

[telemetry]
trace_upload = false

[model."grok-4.5"]
base_url = "${url}/v1"
api_key = "${KEY}"
`,
      )
    },
    // The proxy serves settings, model lists and the like; the stub answers all that with 404.
    env: (url) => ({
      XAI_API_KEY: KEY,
      GROK_CLI_CHAT_PROXY_BASE_URL: url,
      GROK_TELEMETRY_ENABLED: '0',
      GROK_TELEMETRY_TRACE_UPLOAD: '0',
    }),
    args: ({ prompt, id, resume, fork, approve, flags = [] }) => [
      '-p',
      prompt,
      '--output-format',
      'json',
      '--no-auto-update',
      ...(resume ? ['--resume', resume] : []),
      ...(fork ? ['--fork-session'] : []),
      ...(id ? ['--session-id', id] : []),
      ...(approve ? ['--always-approve'] : []),
      ...flags,
    ],
    live: ({ id, flags }) => ['--no-auto-update', '--session-id', id, ...flags],
    // Grok takes MCP servers from files only, and those of a project only if it is trusted.
    addMcp: (home, mcp) => {
      const path = join(home, '.grok/config.toml')
      const text = readFileSync(path, 'utf8')
      if (!text.includes('[mcp_servers.lab]'))
        put(path, `${text}\n[mcp_servers.lab]\ncommand = ${json(mcp[0])}\nargs = ${json(mcp.slice(1))}\n`)
    },
    session: (out) => out.match(/"sessionId": ?"([0-9a-f-]{36})"/)?.[1],
    hooks: { file: '.grok/hooks/lab.json' },
    tools: {
      sh: (command) => ({ tool: 'run_terminal_command', input: { command, description: 'A command of the lab' } }),
      read: (path) => ({ tool: 'read_file', input: { target_file: path } }),
      write: (path, content) => ({ tool: 'write', input: { file_path: path, content } }),
      edit: (path, from, to) => ({
        tool: 'search_replace',
        input: { file_path: path, old_string: from, new_string: to },
      }),
      ask: (question, labels) => ({
        tool: 'ask_user_question',
        input: {
          questions: [
            {
              question,
              header: 'Choice',
              multiSelect: false,
              options: labels.map((label) => ({ label, description: `The ${label}` })),
            },
          ],
        },
      }),
      mcp: (name, input) => ({ tool: 'use_tool', input: { tool_name: `lab__${name}`, tool_input: input } }),
      sub: (prompt) => ({
        tool: 'spawn_subagent',
        input: { prompt, description: 'A task of the lab', background: false },
      }),
      plan: (steps) => ({
        tool: 'todo_write',
        input: { merge: false, todos: steps.map(([content, status], i) => ({ id: String(i + 1), content, status })) },
      }),
    },
  },

  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    model: 'lab-large',
    namesItself: true,
    launcher: true,
    setup: (home, url) => {
      const model = (name, context) => ({
        name,
        reasoning: true,
        tool_call: true,
        limit: { context, output: 8000 },
        cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      })
      put(
        join(home, '.config/opencode/opencode.json'),
        json({
          autoupdate: false,
          share: 'disabled',
          model: 'lab/lab-large',
          small_model: 'lab/lab-small',
          provider: {
            lab: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Lab',
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: { 'lab-large': model('Lab large', 200_000), 'lab-small': model('Lab small', 200_000) },
            },
            // The other language: here what is written to the cache is told, and thinking is signed.
            labanthropic: {
              npm: '@ai-sdk/anthropic',
              name: 'Lab, other language',
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: { 'lab-large': model('Lab large', 200_000) },
            },
          },
        }),
      )
    },
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_SHARE: '1',
    }),
    // As an argument a prompt of several words would be logged in quotes.
    stdin: ({ prompt }) => prompt,
    args: ({ resume, fork, approve, version, flags = [] }) => [
      'run',
      ...(since(version, '1.0') ? ['--format', 'json'] : []),
      ...(resume ? ['--session', resume] : []),
      ...(fork ? ['--fork'] : []),
      ...(approve && since(version, '1.14')
        ? [since(version, '1.18') ? '--auto' : '--dangerously-skip-permissions']
        : []),
      ...flags,
    ],
    addMcp: (home, mcp) => {
      const path = join(home, '.config/opencode/opencode.json')
      const config = JSON.parse(readFileSync(path, 'utf8'))
      put(path, json({ ...config, mcp: { lab: { type: 'local', command: mcp, enabled: true } } }))
    },
    session: (out) => out.match(/"sessionID":"(ses_\w+)"/)?.[1],
    serve: { args: ['serve', '--hostname', '127.0.0.1', '--port', '0'], ready: /listening on (http:\S+)/ },
    tools: {
      sh: (command) => ({ tool: 'bash', input: { command, description: 'A command of the lab' } }),
      read: (path) => ({ tool: 'read', input: { filePath: path } }),
      write: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
      edit: (path, from, to) => ({ tool: 'edit', input: { filePath: path, oldString: from, newString: to } }),
      mcp: (name, input) => ({ tool: `lab_${name}`, input }),
      sub: (prompt) => ({
        tool: 'task',
        input: { description: 'A task of the lab', prompt, subagent_type: 'general' },
      }),
      plan: (steps) => ({
        tool: 'todowrite',
        input: {
          todos: steps.map(([content, status], i) => ({ id: String(i + 1), content, status, priority: 'medium' })),
        },
      }),
    },
  },

  copilot: {
    package: '@github/copilot',
    version: '1.0.102',
    cannot: ['fork'],
    model: 'claude-sonnet-5.5',
    launcher: true,
    setup: (home) => put(join(home, '.copilot/config.json'), json({ banner: 'never', autoUpdate: false })),
    // No account is asked for when there is a provider of one's own, and nothing is called when offline.
    env: (url, cache) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'claude-sonnet-5.5',
      // It unpacks 235 MB of itself.
      COPILOT_CACHE_HOME: join(cache, 'copilot-unpacked'),
    }),
    args: ({ prompt, id, resume, approve, mcp, flags = [] }) => [
      '-p',
      prompt,
      '--output-format',
      'json',
      ...(resume ? ['--resume', resume] : []),
      ...(id ? ['--session-id', id] : []),
      ...(approve ? ['--allow-all-tools'] : []),
      ...(mcp
        ? [
            '--additional-mcp-config',
            json({ mcpServers: { lab: { type: 'local', command: mcp[0], args: mcp.slice(1), tools: ['*'] } } }),
          ]
        : []),
      ...flags,
    ],
    session: (out) => out.match(/"sessionId":"([0-9a-f-]{36})"/)?.[1],
    tools: {
      sh: (command) => ({ tool: 'bash', input: { command, description: 'A command of the lab' } }),
      read: (path) => ({ tool: 'view', input: { path } }),
      write: (path, content) => ({ tool: 'create', input: { path, file_text: content } }),
      edit: (path, from, to) => ({ tool: 'edit', input: { path, old_str: from, new_str: to } }),
      mcp: (name, input) => ({ tool: `lab-${name}`, input }),
      sub: (prompt) => ({
        tool: 'task',
        input: { description: 'A task of the lab', prompt, agent_type: 'general-purpose', name: 'lab-task' },
      }),
    },
  },

  qwen: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    model: 'lab-large',
    launcher: true,
    setup: (home) =>
      put(
        join(home, '.qwen/settings.json'),
        json({
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          security: { auth: { selectedType: 'openai' } },
        }),
      ),
    env: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'lab-large' }),
    args: ({ prompt, id, resume, fork, approve, mcp, flags = [] }) => [
      '--output-format',
      'json',
      ...(resume ? ['--resume', resume] : []),
      ...(fork ? ['--fork-session'] : []),
      ...(id && !fork ? ['--session-id', id] : []),
      ...(approve ? ['--yolo'] : []),
      ...(mcp ? ['--mcp-config', json({ mcpServers: { lab: { command: mcp[0], args: mcp.slice(1) } } })] : []),
      ...flags,
      prompt,
    ],
    session: (out) => out.match(/"session_id":"([0-9a-f-]{36})"/)?.[1],
    tools: {
      sh: (command) => ({
        tool: 'run_shell_command',
        input: { command, description: 'A command of the lab', is_background: false },
      }),
      read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
      write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
      edit: (path, from, to) => ({ tool: 'edit', input: { file_path: path, old_string: from, new_string: to } }),
      mcp: (name, input) => ({ tool: `mcp__lab__${name}`, input }),
      sub: (prompt) => ({
        tool: 'agent',
        input: {
          description: 'A task of the lab',
          prompt,
          subagent_type: 'general-purpose',
          run_in_background: false,
        },
      }),
    },
  },

  pi: {
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    cannot: ['denied', 'subagent', 'mcp', 'compact'],
    node: '24',
    model: 'lab-large',
    setup: (home, url) => {
      put(
        join(home, '.pi/agent/models.json'),
        json({
          providers: {
            lab: {
              baseUrl: `${url}/v1`,
              api: 'openai-completions',
              apiKey: KEY,
              models: [
                {
                  id: 'lab-large',
                  name: 'Lab large',
                  reasoning: true,
                  input: ['text'],
                  contextWindow: 200_000,
                  maxTokens: 8000,
                  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
                },
              ],
            },
          },
        }),
      )
      put(join(home, '.pi/agent/settings.json'), json({ defaultProvider: 'lab', defaultModel: 'lab-large' }))
    },
    env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
    args: ({ prompt, id, resume, fork, flags = [] }) => [
      '--print',
      '--mode',
      'json',
      '--thinking',
      'medium',
      ...(resume ? [fork ? '--fork' : '--session', resume] : []),
      ...(id && !fork ? ['--session-id', id] : []),
      ...flags,
      prompt,
    ],
    session: (out) => out.match(/"type":"session"[^}]*?"id":"([0-9a-f-]{36})"/)?.[1],
    tools: {
      sh: (command) => ({ tool: 'bash', input: { command } }),
      read: (path) => ({ tool: 'read', input: { path } }),
      write: (path, content) => ({ tool: 'write', input: { path, content } }),
      edit: (path, from, to) => ({ tool: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
    },
  },

  kimi: {
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    cannot: ['denied', 'fork', 'compact'],
    node: '24',
    model: 'lab-large',
    namesItself: true,
    setup: (home, url) =>
      put(
        join(home, '.kimi-code/config.toml'),
        `default_model = "lab"

[providers.lab]
type = "openai"
base_url = "${url}/v1"
api_key = "${KEY}"

[models.lab]
provider = "lab"
model = "lab-large"
max_context_size = 200000
capabilities = ["thinking", "tool_use"]
`,
      ),
    env: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' }),
    args: ({ prompt, resume, flags = [] }) => [
      '--prompt',
      prompt,
      '--output-format',
      'stream-json',
      ...(resume ? ['--session', resume] : []),
      ...flags,
    ],
    addMcp: (home, mcp) =>
      put(join(home, '.kimi-code/mcp.json'), json({ mcpServers: { lab: { command: mcp[0], args: mcp.slice(1) } } })),
    session: (out) => out.match(/"session_id":"([\w-]+)"/)?.[1],
    tools: {
      sh: (command) => ({ tool: 'Bash', input: { command } }),
      read: (path) => ({ tool: 'Read', input: { path } }),
      write: (path, content) => ({ tool: 'Write', input: { path, content } }),
      edit: (path, from, to) => ({ tool: 'Edit', input: { path, old_string: from, new_string: to } }),
      mcp: (name, input) => ({ tool: `mcp__lab__${name}`, input }),
      sub: (prompt) => ({ tool: 'Agent', input: { description: 'A task of the lab', prompt } }),
      plan: (steps) => ({
        tool: 'TodoList',
        input: { todos: steps.map(([title, status]) => ({ title, status })) },
      }),
    },
  },

  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    model: 'gemini-2.5-pro',
    launcher: true,
    cannot: ['fork', 'mcp', 'compact', 'subagent'],
    setup: (home) =>
      put(
        join(home, '.gemini/settings.json'),
        json({
          general: { enableAutoUpdate: false, disableAutoUpdate: true },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        }),
      ),
    env: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
    args: ({ prompt, id, resume, approve, flags = [] }) => [
      '--model',
      'gemini-2.5-pro',
      '--output-format',
      'json',
      ...(resume ? ['--resume', resume] : []),
      ...(id ? ['--session-id', id] : []),
      ...(approve ? ['--yolo'] : []),
      ...flags,
      '--prompt',
      prompt,
    ],
    session: (out) => out.match(/"session_id": ?"([0-9a-f-]{36})"/)?.[1],
    tools: {
      sh: (command) => ({ tool: 'run_shell_command', input: { command, description: 'A command of the lab' } }),
      read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
      write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
      edit: (path, from, to) => ({
        tool: 'replace',
        input: { file_path: path, old_string: from, new_string: to, instruction: 'Add instead of subtracting' },
      }),
    },
  },
}

/** The path of the agent's program; installed from the registry the first time. */
export function program(name, { cache, version = agents[name].version }) {
  const dir = join(cache, `${name}-${version}`)
  const bin = join(dir, 'node_modules/.bin', name)
  if (!existsSync(bin)) {
    mkdirSync(dir, { recursive: true })
    put(join(dir, 'package.json'), '{"private":true}\n')
    execFileSync(
      'npm',
      [
        'install',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        `${agents[name].package}@${version}`,
        // Some need a newer Node.js than the lab itself; the registry has that, too.
        ...(agents[name].node ? [`node@${agents[name].node}`] : []),
      ],
      { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] },
    )
  }
  return bin
}

/** Let an agent call `command` on every event that concerns sessions. What is in the file already stays. */
export function addHooks(name, home, command) {
  const path = join(home, agents[name].hooks.file)
  const settings = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const hooks = { ...settings.hooks }
  for (const event of HOOK_EVENTS) {
    const groups = (hooks[event] ?? []).filter((group) => !group.hooks.some((hook) => hook.command === command))
    hooks[event] = [...groups, { hooks: [{ type: 'command', command, timeout: 10 }] }]
  }
  put(path, `${JSON.stringify({ ...settings, hooks }, null, 2)}\n`)
}

/** Nothing of the machine's own environment reaches an agent. */
export function environment(name, { home, url, cache, bin }) {
  const PATH = agents[name].node ? `${dirname(bin)}${delimiter}${process.env.PATH}` : process.env.PATH
  return { PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', ...agents[name].env(url, cache) }
}

const json = JSON.stringify
const since = (version, first) => version.localeCompare(first, 'en', { numeric: true }) >= 0
const patch = (body) => ({ tool: 'apply_patch', raw: `*** Begin Patch\n${body}\n*** End Patch\n` })

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
