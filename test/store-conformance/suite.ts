import { describe } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { appending } from './appending.ts'
import { changes } from './changes.ts'

/** What every store promises. A new store joins with one line. */
export function storeConformance(name: string, open: () => Promise<Store>): void {
  describe(`store: ${name}`, () => {
    appending(open)
    changes(open)
  })
}
