// The built program in a process that runs one command line after another, each as if it were the only one.
const path = require('node:path')
const { Readable, Writable } = require('node:stream')
const { version } = require('../../package.json')

const bin = path.resolve(__dirname, '../../bin/recall.js')
const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGWINCH']
const exit = process.exit

/** A stream, and what whoever reads the pipe behind it would get. */
function collector() {
  const parts = []
  const write = (part, _, done) => {
    parts.push(part)
    done()
  }
  return { stream: new Writable({ write }), text: () => Buffer.concat(parts).toString('utf8') }
}

function replace(name, value) {
  Object.defineProperty(process, name, { value, configurable: true, writable: true })
}

/** A process ends when nothing is left that it waits for; a database is closed when nobody holds a question to it. */
async function untilIdle(own) {
  for (let idle = 0, rounds = 0; idle < 3; rounds++) {
    await new Promise((resolve) => (rounds < 20 ? setImmediate(resolve) : setTimeout(resolve, 5)))
    idle = process.getActiveResourcesInfo().length > own ? 0 : idle + 1
  }
  globalThis.gc()
  await new Promise((resolve) => setImmediate(resolve))
}

/** Takes back what the command has asked to be told of; what it does at its end is done now. */
function endListening(before, code) {
  EVENTS.forEach((event, i) => {
    for (const listener of process.listeners(event)) {
      if (before[i].includes(listener)) continue
      process.removeListener(event, listener)
      if (event === 'exit') listener(code)
    }
  })
}

process.on('disconnect', () => exit(0))
process.on('message', async ({ args, env, cwd }) => {
  const own = process.getActiveResourcesInfo().length
  const before = EVENTS.map((event) => process.listeners(event))
  const [out, err] = [collector(), collector()]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  replace('argv', [process.execPath, bin, ...args])
  replace('stdin', Readable.from([]))
  replace('stdout', out.stream)
  replace('stderr', err.stream)
  process.exitCode = undefined
  process.chdir(cwd)
  process.umask(0o022)
  const answer = (code, then) => process.send({ code, out: out.text(), err: err.text() }, then)
  const end = (code = process.exitCode ?? 0) => answer(code, () => exit(code))
  process.exit = (code) => {
    end(code)
    throw new Error('the process has ended')
  }
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => {
    err.stream.write(`${error.stack}\n`)
    end(1)
  })
  const { main } = require('../../dist/main.cjs')
  await main(args, version)
  await untilIdle(own)
  const code = process.exitCode ?? 0
  endListening(before, code)
  process.exitCode = undefined
  answer(code)
})
