#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'

const packageFile = new URL('../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8'))
const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const built = new URL('../dist/main.js', import.meta.url)
  if (existsSync(built)) {
    const { main } = await import(built.href)
    await main(argv, version)
  } else {
    process.stderr.write('recall: this clone is not built yet\n  run `npm start` in it once\n')
    process.exitCode = 2
  }
}
