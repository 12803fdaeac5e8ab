import path from 'node:path'
import { openForWriting } from '../src/store/open.ts'
import { storeConformance } from './store-conformance/suite.ts'
import { tempDir } from './kit/home.ts'
import { vectorConformance } from './vector-conformance.ts'

storeConformance('SQLite', async () => openForWriting(path.join(tempDir(), 'recall.db'), () => 1))
vectorConformance('SQLite', async () => openForWriting(path.join(tempDir(), 'recall.db'), () => 1))
