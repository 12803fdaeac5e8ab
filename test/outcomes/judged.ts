import { productOn, tempDir } from '../kit/home.ts'
import type { Ending } from './terminal-script.ts'
import { writeClaude } from './write-claude.ts'
import { writeCodex } from './write-codex.ts'
import { writeGrok } from './write-grok.ts'

export interface Judged {
  readonly ending: Ending
  readonly outcome: string
  readonly confidence: number
  readonly reasons: readonly string[]
}

const WRITERS = { claude: writeClaude, codex: writeCodex, grok: writeGrok }

/** Writes the logs of these sessions, lets the whole product read them and returns what it says of each. */
export async function judgeAll(endings: readonly Ending[]): Promise<Judged[]> {
  const home = tempDir()
  const uids = endings.map((ending, number) => WRITERS[ending.shape](home, ending, number))
  const { recall } = productOn(home)
  await recall.index()
  await recall.analyze({ all: true })
  const judged: Judged[] = []
  for (const [i, ending] of endings.entries()) {
    const digest = JSON.parse((await recall.digest(uids[i]!)) ?? '{}') as Omit<Judged, 'ending'> & {
      outcome_confidence?: number
      outcome_reasons?: string[]
    }
    judged.push({
      ending,
      outcome: digest.outcome,
      confidence: digest.outcome_confidence ?? 0,
      reasons: digest.outcome_reasons ?? [],
    })
  }
  await recall.close()
  return judged
}
