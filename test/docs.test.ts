import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadCommands } from '../src/cli/commands.ts'
import { apiPage, cliPage, settingsPage } from '../src/cli/docs.ts'
import { toolReference } from '../src/mcp/tool-reference.ts'
import { toolsFor } from '../src/mcp/tools.ts'
import { OPERATIONS } from '../src/operations/index.ts'
import { SETTINGS, SOURCE_SETTINGS } from '../src/settings/settings.ts'
import { sources } from '../src/sources/index.ts'
import { IGNORED_ATTACHMENTS, IGNORED_PROGRESS, IGNORED_RECORDS, IGNORED_SYSTEM } from '../src/sources/claude/types.ts'

const commands = await loadCommands()
const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => (existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '')

/** `npm run docs` writes the pages; otherwise they must be as the program would write them. */
function generated(file: string, page: string): void {
  if (process.env['UPDATE_DOCS']) writeFileSync(path.join(root, file), page)
  expect(read(file)).toBe(page)
}

test('docs/cli.md tells what the commands take', () => {
  generated('docs/cli.md', cliPage(commands))
})

test('docs/api.md tells what the library offers', async () => {
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
  generated('docs/api.md', apiPage(operations))
})

test('docs/mcp.md tells what the tools take', () => {
  const [before, after] = read('docs/mcp.md').split(/<!-- tools -->[\s\S]*<!-- \/tools -->/)
  const tools = toolReference(toolsFor({ isReadOnly: false }))
  generated('docs/mcp.md', `${before}<!-- tools -->\n\n${tools}\n\n<!-- /tools -->${after}`)
})

test('docs/settings.md tells what can be set', () => {
  generated(
    'docs/settings.md',
    settingsPage(
      [...Object.values(SETTINGS), ...Object.values(SOURCE_SETTINGS)],
      '$XDG_CONFIG_HOME/recall/config.toml',
    ),
  )
})

test('every source has its page of what is mapped and what is not', () => {
  expect(
    sources.filter((source) => read(`docs/formats/${source.name}.md`) === '').map((source) => source.name),
  ).toEqual([])
})

test('the page on Claude Code names every type that is not kept', () => {
  const page = read('docs/formats/claude.md')
  const ignored = [...Object.keys(IGNORED_RECORDS), ...IGNORED_ATTACHMENTS, ...IGNORED_PROGRESS, ...IGNORED_SYSTEM]
  expect(ignored.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})

describe('README.md', () => {
  const readme = read('README.md')

  test('names only commands that exist', () => {
    const known = new Set([...commands.map((command) => command.name), 'help', '--version', '--help'])
    const named = [...readme.matchAll(/^(?:\$ )?recall ([a-z-]+)/gm)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('points only at files that are there', () => {
    const links = [...readme.matchAll(/\]\(((?!http)[^)#]+)/g)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !existsSync(path.join(root, link)))).toEqual([])
  })
})

test('the documents speak of the project alone', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  ]
  expect(pages.filter((page) => /shared\/(corpus|design|seeds)|\bissue [2-9]\b/.test(read(page)))).toEqual([])
})
