// `npm start`: from a fresh clone to the first answer.
import { ensureBuilt, ensureInstalled, root, run } from './prepare.mjs'
import path from 'node:path'

ensureInstalled()
await ensureBuilt()
run(process.execPath, [path.join(root, 'bin', 'recall.js'), 'welcome', ...process.argv.slice(2)])
