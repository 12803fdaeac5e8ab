#!/usr/bin/env node
/**
 * What an agent must read to know what was done before: with recall's tools, with grep over the transcripts, with
 * archives of the conversations. Sixty tasks over the demo and a generated home.
 *
 *   node bench/mcp/run.mjs [--more] [--json] [--misses]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { build } from 'esbuild'
import { DEMO_TASKS } from './demo-tasks.mjs'
import { generatedTasks } from './generated-tasks.mjs'
import { MORE_TASKS } from './more-tasks.mjs'
import { transcriptsIn, withArchives, withGrep, withTools } from './readers.mjs'

const ROOT = path.resolve(import.meta.dirname, '../..')
const RECALL = path.join(ROOT, 'bin/recall.js')
/** What an agent would spend on a look into the past, and after how much it has long given up. */
const ENOUGH = 4000
const GIVEN_UP = 60_000

const { values } = parseArgs({
  options: { more: { type: 'boolean' }, json: { type: 'boolean' }, misses: { type: 'boolean' } },
})
const scratch = mkdtempSync(path.join(tmpdir(), 'recall-bench-mcp-'))
try {
  const { countTokens } = await bundled('src/model/tokens.ts')
  const { writeDemoHome } = await bundled('src/demo/demo.ts')
  const demo = path.join(scratch, 'demo')
  writeDemoHome(demo, Date.parse('2026-11-01T12:00:00Z'))
  report(values.more ? await measure(demo, MORE_TASKS, countTokens) : await sixty(demo, countTokens))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function sixty(demo, countTokens) {
  const generated = path.join(scratch, 'generated')
  run(path.join(ROOT, 'bench/retrieval/generate.mjs'), ['--out', generated])
  return [
    ...(await measure(demo, DEMO_TASKS, countTokens)),
    ...(await measure(generated, generatedTasks(generated), countTokens)),
  ]
}

async function measure(home, tasks, countTokens) {
  const env = { HOME: home, PATH: process.env.PATH, XDG_DATA_HOME: path.join(home, 'data'), TZ: 'UTC' }
  run(RECALL, ['index'], env)
  const transcripts = transcriptsIn(home)
  const archives = await conversations(env)
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [RECALL, 'mcp'], env, cwd: home }))
  const ask = (name, input) => client.callTool({ name, arguments: input })
  const results = []
  for (const task of tasks)
    results.push({
      ...task,
      tools: await tokensUntil(withTools(ask, task), task.answers, countTokens),
      grep: await tokensUntil(withGrep(transcripts, task), task.answers, countTokens),
      archives: await tokensUntil(withArchives(archives, task), task.answers, countTokens),
    })
  await client.close()
  return results
}

/** Tokens read until the answer is among them; null if it never is. */
async function tokensUntil(readings, answers, countTokens) {
  let tokens = 0
  for await (const text of readings) {
    const plain = text.replaceAll('\\n', ' ').replaceAll('\\"', '"').replaceAll('\\\\', '\\').replace(/\s+/g, ' ')
    const places = answers.map((answer) => plain.indexOf(answer.replace(/\s+/g, ' '))).filter((at) => at >= 0)
    if (places.length > 0) return tokens + countTokens(text)
    tokens += countTokens(text)
    if (tokens > GIVEN_UP) return null
  }
  return null
}

/** Conversations as markdown, a file a session. */
async function conversations(env) {
  const { openRecall } = await import('../../dist/library.cjs')
  const recall = await openRecall({ env, threads: 0 })
  const { sessions } = await recall.list({ all: true, limit: 0 })
  const archives = []
  for (const { session_uid: uid, title } of sessions) {
    const { messages } = await recall.show({ id: uid, without_outputs: true })
    const said = messages
      .filter(({ content }) => content)
      .map(({ role, content }) => `**${role === 'user' ? 'User' : 'G2'}**: ${cut(content)}`)
    archives.push({ file: `${uid}.md`, text: [`# ${title}`, ...said].join('\n\n') })
  }
  await recall.close()
  return archives
}

function cut(text) {
  return text.length > 2000 ? `${text.slice(0, 2000)}...` : text
}

function report(results) {
  const ways = ['tools', 'grep', 'archives']
  const sums = Object.fromEntries(
    ways.map((way) => {
      const tokens = results.map((result) => result[way])
      const within = tokens.filter((one) => one !== null && one <= ENOUGH).length
      return [
        way,
        {
          within,
          found: tokens.filter((one) => one !== null).length,
          median: median(tokens.map((one) => one ?? GIVEN_UP)),
        },
      ]
    }),
  )
  if (values.json) return console.log(JSON.stringify({ tasks: results.length, enough: ENOUGH, sums, results }))
  console.log(`${results.length} tasks: answer found within ${ENOUGH} tokens · found at all · median of tokens read`)
  for (const way of ways)
    console.log(
      `  ${way.padEnd(9)} ${String(sums[way].within).padStart(3)} (${Math.round((100 * sums[way].within) / results.length)} %) · ${String(sums[way].found).padStart(3)} · ${sums[way].median}`,
    )
  if (values.misses)
    for (const { id, how, question, answers, tools } of results.filter(
      (one) => one.tools === null || one.tools > ENOUGH,
    ))
      console.log(`miss ${id} ${how} ${JSON.stringify(question)}: ${tools} · ${JSON.stringify(answers[0])}`)
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function run(script, args, env = process.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`${path.basename(script)} ${args[0]} ended with ${status}: ${stderr}`)
  return stdout
}

/** A module of the program, which is written in TypeScript. */
async function bundled(entry) {
  const outfile = path.join(scratch, `${path.basename(entry, '.ts')}.mjs`)
  await build({
    entryPoints: [path.join(ROOT, entry)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}
