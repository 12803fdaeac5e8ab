import path from 'node:path'
import { openForWriting } from '../src/store/open.ts'
import { tempDir } from './kit/home.ts'
import { storeConformance } from './store-conformance/suite.ts'

storeConformance('SQLite', async () => openForWriting(path.join(tempDir(), 'recall.db'), () => 1))
