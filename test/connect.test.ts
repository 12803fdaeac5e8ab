import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { bin, cleanEnv, recallCli, recallJson } from './kit/cli.ts'
import { tempDir } from './kit/home.ts'

const CLAUDE = '{"numStartups":3,\n "mcpServers": {"other": {"command":"x"}}, "oauth": {"t": "é"}}'
const CODEX =
  '# mine\nmodel = "gpt"\n\n[mcp_servers.other]\ncommand = "x" # keep\n\n[projects."/w"]\ntrust_level = "trusted"'
const GROK = '[cli]\r\nauto_update = false\r\n'
const HOOKS = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bell"}]}]}}'

interface Place {
  readonly home: string
  readonly env: Record<string, string>
}

function place(): Place {
  const home = tempDir()
  for (const dir of ['.claude', '.codex', '.grok']) mkdirSync(path.join(home, dir))
  const put = (name: string, text: string) => writeFileSync(path.join(home, name), text, { mode: 0o640 })
  put('.claude.json', CLAUDE)
  put('.claude/settings.json', HOOKS)
  put('.codex/config.toml', CODEX)
  put('.codex/hooks.json', HOOKS)
  put('.grok/config.toml', GROK)
  const env = cleanEnv(home)
  return { home, env }
}

/** Every file and directory below the home, with its bytes and its mode. */
function everything({ home }: Place): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const told = (name: string) => {
    const stat = statSync(path.join(home, name))
    const text = stat.isFile() ? readFileSync(path.join(home, name), 'latin1') : ''
    return `${(stat.mode & 0o777).toString(8)} ${text}`
  }
  return Object.fromEntries(names.toSorted().map((name) => [name, told(name)]))
}

const read = ({ home }: Place, name: string) => readFileSync(path.join(home, name), 'utf8')
const server = (env: Record<string, string>) => ({
  command: process.execPath,
  args: [bin, 'mcp'],
  env: { XDG_DATA_HOME: env['XDG_DATA_HOME'], XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] },
})

describe.each(['claude', 'codex', 'grok'])('recall connect %s', (agent) => {
  test.each([[[]], [['--hooks', '--skill']], [['--brief', '--skill']]])(
    'then --remove gives back every byte: %j',
    (options) => {
      const there = place()
      const before = everything(there)
      expect(recallCli(there.env, 'connect', agent, ...options, '--yes').code).toBe(0)
      const connected = everything(there)
      expect(connected).not.toEqual(before)
      expect(recallJson(there.env, 'connect', agent, ...options, '--yes')).toMatchObject({ code: 0, changed: false })
      expect(everything(there)).toEqual(connected)
      const status = recallJson(there.env, 'connect', 'status')['agents'] as Record<string, unknown>[]
      expect(status.find((row) => row['agent'] === agent)).toMatchObject({
        server: true,
        skill: options.length > 0,
        hooks: options.length > 0,
      })
      expect(recallCli(there.env, 'connect', agent, '--remove', '--yes').code).toBe(0)
      expect(everything(there)).toEqual(before)
    },
  )

  test('in a project it names no place of this machine, and leaves nothing when it goes', () => {
    const there = place()
    const before = everything(there)
    const stand = process.cwd()
    process.chdir(there.home)
    try {
      expect(recallCli(there.env, 'connect', agent, '--project', '--skill', '--yes').code).toBe(0)
      const changed = Object.entries(everything(there)).filter(([name, told]) => before[name] !== told)
      expect(changed.length).toBeGreaterThan(1)
      expect(changed.map(([, told]) => told).join('')).not.toContain(bin)
      expect(recallCli(there.env, 'connect', agent, '--project', '--remove', '--yes').code).toBe(0)
      expect(recallCli(there.env, 'connect', agent, '--project', '--hooks', '--yes').code).toBe(2)
    } finally {
      process.chdir(stand)
    }
    expect(everything(there)).toEqual(before)
  })
})

test('the server is what each agent reads, with the variables it needs', () => {
  const there = place()
  for (const agent of ['claude', 'codex', 'grok']) recallCli(there.env, 'connect', agent, '--yes')
  const claude = JSON.parse(read(there, '.claude.json'))
  expect(claude.mcpServers).toEqual({ other: { command: 'x' }, recall: { type: 'stdio', ...server(there.env) } })
  expect(claude.oauth).toEqual({ t: 'é' })
  const codex = parse(read(there, '.codex/config.toml'))
  expect(codex).toMatchObject({ model: 'gpt', mcp_servers: { other: { command: 'x' }, recall: server(there.env) } })
  expect(read(there, '.codex/config.toml').startsWith(CODEX)).toBe(true)
  expect(parse(read(there, '.grok/config.toml'))).toMatchObject({ mcp_servers: { recall: server(there.env) } })
  expect(read(there, '.grok/config.toml').match(/(?<!\r)\n/)).toBeNull()
})

test.each([
  ['codex', '.codex/config.toml', /\n+model = "gpt"/, '\nmodel = "other"'],
  ['claude', '.claude.json', '"numStartups": 3', '"numStartups": 4'],
])('what others write meanwhile stays when ours goes: %s', (agent, name, old, now) => {
  const there = place()
  recallCli(there.env, 'connect', agent, '--yes')
  const file = path.join(there.home, name)
  writeFileSync(file, read(there, name).replace(old, now))
  expect(recallCli(there.env, 'connect', agent, '--remove', '--yes').code).toBe(0)
  const left = read(there, name)
  expect(left).toContain(now.trim())
  expect(left).not.toContain('recall')
  expect(existsSync(`${file}.recall-mcp-backup`)).toBe(false)
})

test('hooks that were there before stay, and so does a notify beside them', () => {
  const there = place()
  for (const agent of ['claude', 'codex']) recallCli(there.env, 'hook', 'install', agent, '--yes')
  const before = everything(there)
  for (const agent of ['claude', 'codex']) {
    expect(recallCli(there.env, 'connect', agent, '--brief', '--yes').code).toBe(0)
    expect(recallCli(there.env, 'connect', agent, '--remove', '--yes').code).toBe(0)
  }
  expect(everything(there)).toEqual(before)
  for (const agent of ['claude', 'codex']) recallCli(there.env, 'hook', 'uninstall', agent, '--yes')
  expect(read(there, '.codex/config.toml')).toBe(CODEX)
})

test.each([
  ['claude', '.claude.json', '{"mcpServers":{"recall":{"command":"theirs"}}}', /another server called recall/],
  ['claude', '.claude.json', '{"mcpServers":[]}', /is no object/],
  ['codex', '.codex/config.toml', 'mcp_servers = { a = { command = "x" } }\n', /edited safely/],
  ['codex', '.codex/config.toml', '[mcp_servers.recall]\ncommand = "theirs"\n', /another server called recall/],
  ['grok', '.grok/config.toml', 'model =', /is not TOML/],
])('refuses and changes nothing: %s %s %j', (agent, name, text, why) => {
  const there = place()
  writeFileSync(path.join(there.home, name), text)
  const before = everything(there)
  const { code, err } = recallCli(there.env, 'connect', agent, '--yes')
  expect(code).toBe(2)
  expect(err).toMatch(why)
  expect(err).toContain(name)
  expect(everything(there)).toEqual(before)
})

test('says what the agent will ask, and that Grok passes over a brief', () => {
  const there = place()
  expect(recallCli(there.env, 'connect', 'grok', '--brief', '--yes').err).toContain('no brief was set up')
  expect(read(there, '.grok/hooks/recall.json')).not.toContain('--brief')
  expect(recallCli(there.env, 'connect', 'codex', '--brief', '--yes').err).toMatch(/trusted/)
  const { hooks } = JSON.parse(read(there, '.codex/hooks.json'))
  expect(hooks.SessionStart[0].hooks[0].command).toContain('hook run codex --brief')
  expect(hooks.Stop[1].hooks[0].command).not.toContain('--brief')
  expect(recallCli(there.env, 'connect', 'kei').code).toBe(2)
})
