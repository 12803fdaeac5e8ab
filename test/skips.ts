import { noBrowser } from './browser/find.ts'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Names every skipped test with its reason; where recorded logs are required, a skip is a failure. */
export default class Skips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped: string[] = []
    let pages = 0
    for (const module of modules) {
      const tests = [...module.children.allTests('skipped')]
      if (module.moduleId.includes('/test/browser/') && noBrowser !== false) pages += tests.length
      else skipped.push(...tests.map((test) => `${test.fullName}: ${reason(test)}`))
    }
    if (pages > 0) {
      process.stdout.write(
        `skipped: ${pages} tests of the page: ${noBrowser} (apt install chromium, or set CHROME_PATH)\n`,
      )
      if (process.env['RECALL_REQUIRE_BROWSER']) process.exitCode = 1
    }
    for (const line of skipped) process.stdout.write(`skipped: ${line}\n`)
    if (skipped.length > 0 && process.env['RECALL_REQUIRE_CORPUS'] && process.env['RECALL_CORPUS_PRESENT']) {
      process.stdout.write('a test that needs the recorded logs was skipped although they are there\n')
      process.exitCode = 1
    }
  }
}

function reason(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'no reason given'
}
