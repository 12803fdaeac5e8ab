// `npm run faults`: let every write, sync, rename … of a command fail in turn, kill it there, cut the power there; then
// let it run once more: the store must end as if nothing had happened. See CONTRIBUTING.md.
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'
import { bundled } from '../test/faults/bundle.mjs'

ensureInstalled()
if (!process.argv.includes('--bin')) await ensureBuilt()
const { main } = await bundled('main', root)
process.exitCode = await main(root, process.argv.slice(2))
