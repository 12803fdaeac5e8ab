// `npm run thirty-days`: sessions of three agents grow, shrink, move, fork and vanish from day to day, while recall
// indexes and sweeps with little room; after each day every promise about what is kept is checked.
import { bundled } from '../test/faults/bundle.mjs'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

ensureInstalled()
if (!process.argv.includes('--bin')) await ensureBuilt()
const { main } = await bundled('thirty-days', root)
process.exitCode = await main(root, process.argv.slice(2))
