// Writes src/insight/prices/table.ts from the price list of the npm package @pydantic/genai-prices.
// `node scripts/prices.mjs` fetches the package into a temporary directory; nothing of it is needed at run time.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bin } from './prepare.mjs'

const PACKAGE = '@pydantic/genai-prices'
const OUT = path.resolve(import.meta.dirname, '../src/insight/prices/table.ts')
// Later providers do not overwrite names of earlier ones.
const PROVIDERS = [
  'anthropic',
  'openai',
  'x-ai',
  'google',
  'zai',
  'zhipuai',
  'moonshotai',
  'deepseek',
  'minimax',
  'aws',
]
const TEXT_MODEL =
  /^(?:claude|gpt-[45]|gpt-[6-9]|codex|o[1-9]|grok|gemini|glm|kimi|deepseek|minimax|regional\.anthropic)/
const OTHER_KIND = /audio|voice|realtime|tts|transcribe|image|vision|embedding|search|live|research|:/

const dir = mkdtempSync(path.join(tmpdir(), 'prices-'))
try {
  const { providers, version, dated } = load(dir)
  const rows = new Map()
  const named = new Set()
  for (const id of PROVIDERS) {
    for (const model of providers.find((one) => one.id === id)?.models ?? []) {
      const rates = ratesAt(model.prices, dated, id === 'anthropic' || id === 'aws')
      const names = namesOf(model, id).filter((name) => !named.has(name))
      if (rates === null || names.length === 0) continue
      for (const name of names) named.add(name)
      const key = `${id} ${JSON.stringify(rates)}`
      rows.set(key, [...(rows.get(key) ?? []), ...names])
    }
  }
  writeFileSync(OUT, render(rows, version, dated))
  execFileSync(bin('oxfmt'), [OUT])
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function load(into) {
  execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', into], { cwd: into })
  execFileSync('sh', ['-c', 'tar xzf *.tgz'], { cwd: into })
  const { version } = JSON.parse(readFileSync(path.join(into, 'package/package.json'), 'utf8'))
  const times = JSON.parse(execFileSync('npm', ['view', PACKAGE, 'time', '--json'], { encoding: 'utf8' }))
  // The list is not exported; it is the first constant of the bundle.
  const code = readFileSync(path.join(into, 'package/dist/index.cjs'), 'utf8')
  const name = /const (\w+)=\[\{id:"/.exec(code)?.[1]
  const providers = new Function('exports', 'require', `${code};return ${name}`)({}, () => ({}))
  return { providers, version, dated: times[version].slice(0, 10) }
}

function namesOf(model, provider) {
  if (provider === 'aws') return model.id.startsWith('regional.anthropic') ? [normal(model.id)] : []
  const texts = []
  const walk = (match) => {
    for (const inner of match.or ?? match.and ?? []) walk(inner)
    texts.push(match.equals ?? match.starts_with ?? match.contains)
  }
  walk(model.match)
  const names = [model.id, ...texts].filter((text) => typeof text === 'string').map(normal)
  return [...new Set(names)].filter((name) => TEXT_MODEL.test(name) && !OTHER_KIND.test(name) && !/[-@.]$/.test(name))
}

/** Must do what `priceOf` does to a name. */
function normal(name) {
  return name
    .toLowerCase()
    .replace(/^x-ai\//, '')
    .replace(/-v\d+:\d+$/, '')
    .replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
    .replace(/(?<=^claude-sonnet-4)(?:-2025|@)$/, '')
}

/** Null if there is no single price: none for tokens, or another one at another time of day. */
function ratesAt(prices, dated, doublesForAnHour) {
  const all = Array.isArray(prices) ? prices : [{ prices }]
  if (all.some(({ constraint }) => constraint !== undefined && constraint.start_date === undefined)) return null
  const current = all.findLast(({ constraint }) => constraint === undefined || constraint.start_date <= dated)
  const {
    input_mtok: input,
    output_mtok: output,
    cache_read_mtok: read,
    cache_write_mtok: write,
  } = current?.prices ?? {}
  const hour = current?.prices.cache_write_1h_mtok
  if (input === undefined || output === undefined) return null
  const at = (price, long) => (typeof price === 'object' ? (long ? price.tiers[0].price : price.base) : price)
  const five = (long) => [
    at(input, long),
    at(output, long),
    at(read ?? input, long),
    at(write ?? input, long),
    hour !== undefined ? at(hour, long) : doublesForAnHour ? at(input, long) * 2 : at(write ?? input, long),
  ]
  return typeof input === 'object' ? [...five(false), [input.tiers[0].start, ...five(true)]] : five(false)
}

function render(rows, version, dated) {
  const lines = [...rows].map(([key, names]) => `  ['${names.join(' ')}', ${key.slice(key.indexOf('[') + 1, -1)}],`)
  return `// Written by scripts/prices.mjs from ${PACKAGE} ${version}. Do not edit; the config overrides it.

/** USD for a million tokens: input, output, cache read, cache write for 5 minutes, cache write for an hour. */
export type Rates = readonly [input: number, output: number, read: number, write5m: number, write1h: number]

/** Names of a model without date, region and provider; its rates; and those above a number of prompt tokens, if they differ. */
export type PriceRow = readonly [names: string, ...rates: Rates, long?: readonly [above: number, ...rates: Rates]]

/** The day the list was published. */
export const PRICES_DATED = '${dated}'

export const PRICE_TABLE: readonly PriceRow[] = [
${lines.join('\n')}
]
`
}
