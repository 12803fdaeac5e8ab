import { beforeAll, describe, test } from 'vitest'
import { conformanceChecks, type Laid } from '../src/plugins/conformance.ts'
import type { Source, TranscriptReader } from '../src/sources/source.ts'

export interface SourceFixture {
  /** Lays one ordinary transcript down and says where. Called anew for each test. */
  lay(): Laid
}

/** What every source promises. A new source joins with one line. */
export function sourceConformance(source: Source, fixture: SourceFixture): void {
  describe(`source: ${source.name}`, () => {
    let reader: TranscriptReader
    beforeAll(async () => {
      reader = await source.reader()
    })

    for (const check of conformanceChecks) {
      if (check.ofLines && source.holdsMany) continue
      test(check.name, () => check.run(source, reader, () => fixture.lay()))
    }
  })
}
