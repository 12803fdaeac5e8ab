// `npm test`: installs and builds what the tests need, then runs them. Arguments go to the test runner.
import { bin, ensureBuilt, ensureInstalled, run } from './prepare.mjs'

ensureInstalled()
await ensureBuilt()
run(bin('vitest'), ['run', ...process.argv.slice(2)])
