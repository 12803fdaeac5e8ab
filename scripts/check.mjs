// `npm run check`: types, lint, format, docs.
import { bin, ensureInstalled, run } from './prepare.mjs'

ensureInstalled()
run(bin('tsc'), ['-p', '.'])
run(bin('tsc'), ['-p', 'tsconfig.browser.json'])
run(bin('oxlint'), ['--deny-warnings', 'src', 'test', 'scripts', 'bench', 'bin', 'lab'])
run(bin('oxfmt'), ['--check', 'src', 'test', 'scripts', 'bench', 'bin', 'lab'])
run(bin('vitest'), ['run', 'test/docs.test.ts', 'test/architecture.test.ts'])
