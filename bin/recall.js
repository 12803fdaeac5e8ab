#!/usr/bin/env node
const argv = process.argv.slice(2)
const BRIEF_MS = 2000

if (argv[0] === 'hook' && argv[1] === 'run' && !argv.includes('--help')) runHook()
else runProgram()

/** An agent waits for this: it loads one small file, says nothing unless a brief is wanted, and succeeds whatever happens. */
function runHook() {
  const end = () => process.exit(0)
  process.on('uncaughtException', end)
  process.umask(0o077)
  const { hook } = require('../dist/hook.cjs')
  const program = [process.execPath, __filename]
  const answer = async (wish) => {
    if (wish === null) return end()
    setTimeout(end, BRIEF_MS)
    const { brief } = require('../dist/brief.cjs')
    process.stdout.on('error', end)
    process.stdout.write(await brief(wish, process.env), end)
  }
  hook(argv.slice(2), { env: process.env, stdin: () => process.stdin, program })
    .then(answer)
    .catch(end)
}

async function runProgram() {
  const { existsSync, readFileSync } = require('node:fs')
  const path = require('node:path')
  const { version } = JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8'))
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.on('error', ({ code, message }) => {
      if (code === 'EPIPE') process.exit(0)
      refuse(`the answer cannot be written (${message})`, 'give it another place')
      process.exit(4)
    })
    process.stdout.write(`${version}\n`)
    return
  }
  const built = path.join(__dirname, '../dist/main.cjs')
  if (!existsSync(built)) return refuse('this clone is not built yet', 'run `npm start` in it once')
  try {
    const { main } = require(built)
    await main(argv, version)
  } catch (error) {
    const why = String(error).split('\n')[0]
    refuse(
      `a part of it is missing or damaged (${why})`,
      'run `npm start` if this is a clone, else install recall again',
    )
  }
}

function refuse(message, hint) {
  process.stderr.write(`recall: ${message}\n  ${hint}\n`)
  process.exitCode = 2
}
