// What kinds of records real agents write, and which of them docs/formats says nothing of.
// usage: node types.mjs --home DIR
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** Where each agent writes, and the names that a record of it goes by. */
const LOGS = {
  claude: [['.claude/projects', /\.jsonl$/, claudeNames]],
  codex: [
    ['.codex/sessions', /\.jsonl$/, codexNames],
    ['.codex/archived_sessions', /\.jsonl$/, codexNames],
  ],
  grok: [
    ['.grok/sessions', /updates\.jsonl$/, ({ params }) => [params?.update?.sessionUpdate]],
    ['.grok/sessions', /events\.jsonl$/, ({ type }) => [type]],
    ['.grok/sessions', /chat_history\.jsonl$/, ({ type }) => [type]],
  ],
}
/** Families that the pages name as a whole. */
const FAMILIES = [/^mcp_/, /^goal_/, /^todo_gate_/, /^laziness_/]

function claudeNames({ type, subtype, attachment, data }) {
  return [type, type === 'system' && subtype, attachment?.type, type === 'progress' && data?.type]
}

function codexNames({ type, payload }) {
  return [type, payload?.type, payload?.type === 'item_completed' && payload.item?.type]
}

/** How often each kind of record occurs in a home, by agent. */
export function typesIn(home) {
  const counts = {}
  for (const [agent, logs] of Object.entries(LOGS)) {
    const found = (counts[agent] = {})
    for (const [dir, named, namesOf] of logs) {
      if (!existsSync(join(home, dir))) continue
      for (const name of readdirSync(join(home, dir), { recursive: true }).filter((file) => named.test(file)))
        for (const record of recordsOf(join(home, dir, name)))
          for (const type of namesOf(record).filter(Boolean)) found[type] = (found[type] ?? 0) + 1
    }
  }
  return counts
}

/** Those that the page of their agent does not name. */
export function undocumented(home) {
  return Object.entries(typesIn(home)).flatMap(([agent, counts]) => {
    const page = readFileSync(join(import.meta.dirname, `../docs/formats/${agent}.md`), 'utf8')
    const words = new Set(page.match(/[\w-]+/g))
    return Object.keys(counts)
      .filter((type) => !words.has(type) && !FAMILIES.some((family) => family.test(type)))
      .map((type) => `${agent} ${type}`)
  })
}

function recordsOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { home: { type: 'string' } } })
  for (const [agent, counts] of Object.entries(typesIn(values.home)))
    console.log(
      `${agent}: ${Object.entries(counts)
        .map(([type, n]) => `${type} ${n}`)
        .join(', ')}`,
    )
  for (const type of undocumented(values.home)) console.log(`docs/formats says nothing of ${type}`)
}
