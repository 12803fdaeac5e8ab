// Asks the program of program-loop.cjs for whoever waits for the answer, and starts it anew where it has ended.
import { fork } from 'node:child_process'
import path from 'node:path'
import { workerData } from 'node:worker_threads'

const { port, answered } = workerData
const loop = path.join(import.meta.dirname, 'program-loop.cjs')

let child = null

function start(env) {
  const started = fork(loop, {
    env: { PATH: env.PATH, TZ: 'UTC' },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  started.on('exit', () => {
    if (child === started) child = null
  })
  return started
}

function ask(request) {
  child ??= start(request.env)
  const asked = child
  return new Promise((resolve) => {
    const settle = (answer) => {
      asked.off('message', settle)
      asked.off('exit', died)
      resolve(answer)
    }
    const died = (code, signal) => settle({ code, out: '', err: `the program ended with ${signal ?? code}` })
    asked.on('message', settle)
    asked.on('exit', died)
    asked.send(request)
  })
}

port.on('message', async (request) => {
  port.postMessage(await ask(request))
  Atomics.store(answered, 0, 1)
  Atomics.notify(answered, 0)
})
