import { parentPort, workerData } from 'node:worker_threads'
import { UserError } from './model/errors.ts'
import { OPERATIONS, type OperationName } from './operations/index.ts'
import type { OperationContext } from './operations/operation.ts'
import { perform } from './operations/perform.ts'
import { mendable, NO_MORE, type Answer, type Question, type ThreadStart } from './operations/threads.ts'
import { now, productFor, program, settingsFor, sourcesFor } from './product.ts'

const { env, cwd, store, group } = workerData as ThreadStart
const opened = open()

async function open(): Promise<OperationContext> {
  const settings = await settingsFor(env, store, group)
  const recall = productFor(settings, env, () => undefined)
  return { recall, settings, sources: sourcesFor(settings), env, cwd, now, program, watching: {} }
}

let answered: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (question: Question | typeof NO_MORE) => {
  answered = answered.then(() => (question === NO_MORE ? end() : reply(question)))
})

async function reply({ id, name, input }: Question): Promise<void> {
  parentPort?.postMessage(await answer(id, name as OperationName, input))
}

async function end(): Promise<void> {
  await opened.then(({ recall }) => recall.close()).catch(() => undefined)
  parentPort?.close()
}

async function answer(id: number, name: OperationName, input: unknown): Promise<Answer> {
  try {
    const operation = await OPERATIONS[name]()
    return { id, document: await perform<never, never, never>(await opened, operation as never, input) }
  } catch (error) {
    return error instanceof UserError ? { id, mendable: mendable(error) } : { id, bug: error }
  }
}
