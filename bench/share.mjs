#!/usr/bin/env node
/**
 * Says what a home is made of: how many of its bytes are prompts, answers, thinking and shell
 * commands, and how many distinct terms they hold.
 *
 *   node bench/share.mjs DIR
 */
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { wording } from './wording.mjs'

const [home] = process.argv.slice(2)
if (home === undefined) {
  console.error('usage: node bench/share.mjs DIR')
  process.exit(2)
}

const root = join(home, '.claude', 'projects')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'))
/** @type {Record<string, number>} */
const bytesOf = { prompts: 0, answers: 0, thinking: 0, commands: 0 }
/** @type {Map<string, number>} */
const records = new Map()
const terms = new Set()
const fileSizes = []
let total = 0

for (const path of files) {
  const before = total
  for await (const line of createInterface({ input: createReadStream(join(root, path)), crlfDelay: Infinity })) {
    total += Buffer.byteLength(line) + 1
    const record = JSON.parse(line)
    const kind = record.subtype === undefined ? record.type : `${record.type}/${record.subtype}`
    records.set(kind, (records.get(kind) ?? 0) + 1)
    for (const [label, text] of wording(record)) {
      bytesOf[label] += Buffer.byteLength(text)
      for (const term of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) terms.add(term)
    }
  }
  fileSizes.push(total - before)
}

fileSizes.sort((a, b) => a - b)
const worded = Object.values(bytesOf).reduce((sum, bytes) => sum + bytes, 0)
const percent = (/** @type {number} */ part) => `${((100 * part) / total).toFixed(1)} %`
console.log(
  `files ${files.length}, bytes ${total}, median ${fileSizes[files.length >> 1]}, largest ${fileSizes.at(-1)}`,
)
for (const [label, bytes] of Object.entries(bytesOf)) console.log(`${label} ${bytes} (${percent(bytes)})`)
console.log(`together ${worded} (${percent(worded)}), distinct terms ${terms.size}`)
console.log([...records].map(([kind, count]) => `${kind} ${count}`).join(', '))
