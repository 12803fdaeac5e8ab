// `npm run bench`: our figures beside our peers', in one run.
import { ensureBuilt, ensureInstalled, root, run } from './prepare.mjs'
import path from 'node:path'

ensureInstalled()
await ensureBuilt()
run(process.execPath, [path.join(root, 'bench', 'run.mjs'), ...process.argv.slice(2)])
