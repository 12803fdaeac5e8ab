// `npm run soak`: tests that make up their cases or their logs, with more and larger ones than `npm test` takes.
import { bin, ensureBuilt, ensureInstalled, run } from './prepare.mjs'

const SUITES = ['src/ingest/redact-work.test.ts', 'test/reader-fuzz.test.ts', 'test/retention.test.ts']

ensureInstalled()
await ensureBuilt()
run(bin('vitest'), ['run', ...SUITES, ...process.argv.slice(2)], { RECALL_TEST_SOAK: '1' })
