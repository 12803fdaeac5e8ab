import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
type Json = Record<string, unknown>
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const json = (file: string): Json => JSON.parse(read(file))
const pkg = json('package.json')

/** Only these names, and these of them at least. */
function expectKeys(value: unknown, allowed: readonly string[], required: readonly string[]): void {
  const keys = Object.keys(value as Json)
  expect(keys.filter((key) => !allowed.includes(key))).toEqual([])
  expect(required.filter((key) => !keys.includes(key))).toEqual([])
}

const isText = expect.stringMatching(/\S/)
const AUTHOR = ['name', 'email', 'url']
const METADATA = ['name', 'version', 'description', 'author', 'homepage', 'repository', 'license', 'keywords']
/** Lower case, digits, hyphens and periods; no two of them side by side. */
const NAME = /^(?!.*(?:--|\.\.))(?=.{1,64}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/

/** A path that a manifest may name: within the plugin, and there. */
function expectWithin(place: unknown): void {
  expect(place).toMatch(/^\.\//)
  expect(path.relative(root, path.join(root, String(place)))).not.toMatch(/^\.\./)
  expect(existsSync(path.join(root, String(place)))).toBe(true)
}

test.each([
  ['.claude-plugin/plugin.json', (it: Json) => [it['version']]],
  ['.claude-plugin/marketplace.json', (it: Json) => (it['plugins'] as Json[]).map((plugin) => plugin['version'])],
  ['.codex-plugin/plugin.json', (it: Json) => [it['version']]],
  ['plugin.json', (it: Json) => [it['version']]],
  ['server.json', (it: Json) => [it['version'], ...(it['packages'] as Json[]).map((one) => one['version'])]],
])('%s has the version of the package', (file, versions) => {
  for (const version of versions(json(file))) expect(version).toBe(pkg['version'])
})

describe('Agent Plugins 1.0', () => {
  test('plugin.json is a closed manifest', () => {
    const manifest = json('plugin.json')
    expectKeys(manifest, ['$schema', ...METADATA, 'extensions'], ['$schema', 'name'])
    expect(manifest['$schema']).toBe('https://agent-plugins.org/schemas/1.0.0/plugin.schema.json')
    expect(manifest['name']).toMatch(NAME)
    expectKeys(manifest['author'], AUTHOR, [])
    for (const word of manifest['keywords'] as unknown[]) expect(word).toEqual(isText)
  })

  test('mcp.json names the server as one of stdio', () => {
    const config = json('mcp.json')
    expectKeys(config, ['$schema', 'mcpServers'], ['$schema', 'mcpServers'])
    expect(config['$schema']).toBe('https://agent-plugins.org/schemas/1.0.0/mcp.schema.json')
    const { recall, ...others } = config['mcpServers'] as Record<string, Json>
    expect(others).toEqual({})
    expectKeys(recall, ['type', 'command', 'args', 'env', 'cwd'], ['type', 'command'])
    expect(recall).toEqual({ type: 'stdio', command: 'recall', args: ['mcp'] })
  })

  test('the skill is one of the Agent Skills, and short', () => {
    const [, head = '', body = ''] = /^---\n([\s\S]+?)\n---\n([\s\S]+)$/.exec(read('skills/recall/SKILL.md')) ?? []
    const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
    expectKeys(
      fields,
      ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'],
      ['name', 'description'],
    )
    expect(fields['name']).toBe('recall')
    expect(fields['name']).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(String(fields['description']).length).toBeLessThanOrEqual(1024)
    expect(body.split('\n').length).toBeLessThan(60)
  })
})

describe('Claude Code', () => {
  test('.claude-plugin/plugin.json names itself and its server; the skill is found by its place', () => {
    const manifest = json('.claude-plugin/plugin.json')
    const components = ['commands', 'agents', 'skills', 'hooks', 'mcpServers', 'lspServers', 'outputStyles']
    expectKeys(manifest, ['$schema', ...METADATA, ...components], ['name', 'version', 'description'])
    expect(manifest['name']).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(manifest['mcpServers']).toEqual({ recall: { command: 'recall', args: ['mcp'] } })
    expectKeys(manifest['author'], AUTHOR, ['name'])
  })

  test('.claude-plugin/marketplace.json lists it', () => {
    const market = json('.claude-plugin/marketplace.json')
    expectKeys(
      market,
      ['$schema', 'name', 'owner', 'metadata', 'description', 'version', 'plugins'],
      ['name', 'owner', 'plugins'],
    )
    expect(market['name']).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expectKeys(market['owner'], ['name', 'email'], ['name'])
    const [plugin, ...others] = market['plugins'] as Json[]
    expect(others).toEqual([])
    expectKeys(plugin, [...METADATA, 'source', 'category', 'tags', 'strict'], ['name', 'source'])
    expect(plugin?.['name']).toBe(json('.claude-plugin/plugin.json')['name'])
    expectWithin(plugin?.['source'])
  })
})

test('.codex-plugin/plugin.json points at what is there, and at no hooks', () => {
  const manifest = json('.codex-plugin/plugin.json')
  expectKeys(manifest, [...METADATA, 'skills', 'mcpServers', 'apps', 'hooks', 'interface'], ['name'])
  expect(manifest['name']).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expectWithin(manifest['skills'])
  expectWithin(manifest['mcpServers'])
  expect(statSync(path.join(root, String(manifest['skills']))).isDirectory()).toBe(true)
  // Without this, Codex would look for the hooks of others.
  expect(manifest['hooks']).toEqual({})
  const shown = manifest['interface'] as Json
  expectKeys(
    shown,
    [
      'displayName',
      'shortDescription',
      'longDescription',
      'developerName',
      'category',
      'capabilities',
      'defaultPrompt',
    ],
    ['displayName', 'shortDescription'],
  )
  const prompts = shown['defaultPrompt'] as string[]
  expect(prompts.length).toBeLessThanOrEqual(3)
  for (const prompt of prompts) expect(prompt.length).toBeLessThanOrEqual(128)
})

test('server.json is what the MCP registry takes, and the package says that it is this server', () => {
  const server = json('server.json')
  expectKeys(
    server,
    [
      '$schema',
      'name',
      'title',
      'description',
      'repository',
      'version',
      'websiteUrl',
      'icons',
      'packages',
      'remotes',
      '_meta',
    ],
    ['$schema', 'name', 'description', 'version', 'packages'],
  )
  expect(server['$schema']).toBe('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json')
  expect(server['name']).toMatch(/^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(server['name']).toBe(pkg['mcpName'])
  expect(String(server['description']).length).toBeLessThanOrEqual(100)
  expect(server['version']).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
  const [one, ...others] = server['packages'] as Json[]
  expect(others).toEqual([])
  expect(one).toMatchObject({ registryType: 'npm', identifier: pkg['name'], transport: { type: 'stdio' } })
  expect(one?.['packageArguments']).toEqual([{ type: 'positional', value: 'mcp' }])
})

test('what is packed holds all of it', () => {
  const files = pkg['files'] as string[]
  for (const name of ['skills', '.claude-plugin', '.codex-plugin', 'plugin.json', 'mcp.json', 'server.json'])
    expect(files).toContain(name)
})
