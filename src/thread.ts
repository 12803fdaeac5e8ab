import { workerData } from 'node:worker_threads'
import { serveReader } from './ingest/reader.ts'
import { sources } from './sources/index.ts'

serveReader(sources, workerData).catch((error: unknown) => {
  // Thrown outside of any promise it ends the thread, whatever Node is told to do with promises that fail.
  setImmediate(() => {
    throw error
  })
})
