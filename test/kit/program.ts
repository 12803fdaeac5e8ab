import path from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Run } from './cli.ts'

export interface CommandRun {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** The built program in a process that stays from one command to the next; whoever asks waits for the answer. */
export function startProgram(): (run: CommandRun) => Run {
  const { port1, port2: port } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(path.join(import.meta.dirname, 'program-thread.mjs'), {
    workerData: { port, answered },
    transferList: [port],
  })
  thread.unref()
  return (run) => {
    port1.postMessage(run)
    Atomics.wait(answered, 0, 0)
    Atomics.store(answered, 0, 0)
    return receiveMessageOnPort(port1)?.message as Run
  }
}
