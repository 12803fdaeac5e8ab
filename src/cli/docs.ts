import { apiReference, methodOf, type Described } from '../operations/api-reference.ts'
import type { Setting } from '../settings/settings.ts'
import { groupOf, inGroups } from './command-groups.ts'
import { optionsOf, type Command, type Option } from './command.ts'

const GENERATED = '<!-- Written by `npm run docs` from the program itself; a test fails when it is stale. -->'

/** docs/cli.md: every command with everything it takes. */
export function cliPage(commands: readonly Command[]): string {
  const ordered = inGroups(commands)
  const parts = ordered.map((command) => {
    const args = command.args.map((arg) => (arg.required ? `<${arg.name}>` : `[${arg.name}${arg.many ? '…' : ''}]`))
    const usage = ['recall', command.name, ...args, ...(command.options.length > 0 ? ['[options]'] : [])].join(' ')
    return [
      `## recall ${command.name}`,
      `${capital(command.summary)}.${command.details ? ` ${command.details}` : ''}`,
      `\`\`\`\n${usage}\n\`\`\``,
      ...(command.args.length > 0 ? [command.args.map((arg) => `- \`${arg.name}\`: ${arg.help}`).join('\n')] : []),
      optionTable(optionsOf(command)),
      `Examples:\n\n\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``,
    ].join('\n\n')
  })
  return [GENERATED, '# Commands', contents(ordered), EVERYWHERE, ...parts].join('\n\n') + '\n'
}

function contents(commands: readonly Command[]): string {
  const groups = new Map<string, string[]>()
  for (const { name } of commands) {
    const group = groupOf(name)
    groups.set(group, [...(groups.get(group) ?? []), `[${name}](#recall-${name})`])
  }
  return [...groups].map(([group, links]) => `- **${group}**: ${links.join(' · ')}`).join('\n')
}

const EVERYWHERE = `With \`--json\` a command prints one JSON object (\`schema_version\`, snake_case, times in UTC) and nothing else on standard output; a failure prints \`{"error":{"code","message","hint"}}\`, with \`candidates\` where an id means several sessions. Progress, warnings and advice go to standard error.

What is printed cannot steer a terminal, whatever a log holds: control characters and marks that turn the direction of text are shown for what they are (\`␛\`, \`\\u202e\`), colours and characters that nobody sees are left out, and a name with a newline in it stays on one line. JSON escapes them and means the same. Stored bytes as they are come only from \`recall show blob://…\` and \`recall digest --json\`, and only off a terminal.

What writes into files that are not recall's own (\`hook install\`, \`stats bash --apply\`, \`permissions undo\`, \`schedule install\` and their undoing) shows the change first. On a terminal it asks; elsewhere, and with \`--json\`, it needs \`--yes\`, or it writes nothing and exits with 2. \`--dry-run\` only shows.

A session is named by its uid (\`claude:…\`), its short id, 6 or more characters of either, or \`last\`: the newest. An event of it is named \`#45\` in the main thread and \`#k3f9x2a.12\` in another, such as a subagent's; \`recall show\` and \`recall search\` print these, \`--around\` takes them (three characters of a thread's name are enough), and so does every command behind an id: \`recall show last#45\`. JSON has both \`seq\`, the number behind it, and \`pointer\`. Neither ever changes. A shell takes a \`#\` at the start of a word for a comment: leave it out there.

A date or time without a zone is local time where it is typed; \`2024-01-15T10:30Z\` and \`…+02:00\` name their zone.

\`--fields a,b.c\`, where a command takes it, keeps only these fields of each row of its list and leaves the rest of the document as it is; a dot leads into an object: \`recall search deploy --json --fields session.title,snippet\`.

| exit code | meaning |
| --- | --- |
| 0 | done, also with problems met, an empty list or no hits |
| 1 | a named thing is not there, or a check has findings |
| 2 | wrong usage, an ambiguous id, a bad config file |
| 3 | another recall is writing to the store |
| 4 | the store is missing, damaged, newer than this program, or the disk fails |
| 70 | a bug in recall |
| 130 | interrupted |`

/** docs/api.md: every method of the library. */
export function apiPage(operations: readonly Described[]): string {
  const intro = `Every method of what [openRecall](library.md) gives, with what it takes and what it answers. A \`Session\` is what \`recall list --json\` tells of one; every document also has \`schema_version\`.`
  const names = operations.map(({ name }) => `[${methodOf(name)}](#${methodOf(name).toLowerCase()})`).join(' · ')
  return [GENERATED, '# Methods of the library', intro, names, apiReference(operations)].join('\n\n') + '\n'
}

/** docs/settings.md: the table of settings. */
export function settingsPage(settings: readonly Setting<unknown>[], configPath: string): string {
  const rows = settings.map(
    (setting) =>
      `| \`${setting.key}\` | ${setting.default} | ${(setting.env ?? []).map((name) => `\`${name}\``).join(', ') || '–'} | ${setting.flag ? `\`${setting.flag}\`` : '–'} | ${setting.help} |`,
  )
  const intro = `recall needs no configuration. What can be set is read from \`${configPath}\` (TOML), then from the environment, then from flags; the last one wins, and of two variables the first named. A key that recall does not know is an error that names it.`
  const example =
    '```toml\n[store]\ndb_path = "/data/recall.db"\n\n[sources.claude]\nroots = ["~/.claude", "/mnt/old-laptop/.claude"]\n```'
  return (
    [
      GENERATED,
      '# Settings',
      intro,
      `| key | default | environment | flag | meaning |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`,
      example,
    ].join('\n\n') + '\n'
  )
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => `| \`${option.flags}\` | ${option.help} |`)
  return `| option | meaning |\n| --- | --- |\n${rows.join('\n')}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
