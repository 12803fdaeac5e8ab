import { workerData } from 'node:worker_threads'
import { serveReader, type ReadTask } from './ingest/reader.ts'
import { sources } from './sources/index.ts'

void serveReader(sources, workerData as ReadTask)
