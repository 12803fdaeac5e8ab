import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { conformanceChecks, type Laid } from './conformance.ts'
import { asObject } from '../sources/kit/json.ts'
import type { Source } from '../sources/source.ts'
import { PluginFault, guarded } from './described.ts'

/** One promise of a source, and why it does not keep it; null if it does. */
export interface TriedCheck {
  readonly name: string
  readonly fault: string | null
}

/** Tries everything that every source promises on the sample that the module brings along. */
export async function* tryPlugin(source: Source, module: unknown): AsyncGenerator<TriedCheck> {
  const sample = asObject(asObject({ ...(module as object) })?.['sample'])
  if (sample === null || Object.keys(sample).length === 0)
    throw new PluginFault(
      "it has no sample: `export const sample = { 'sessions/a.jsonl': '…' }`, one ordinary transcript",
    )
  const reader = guarded(await source.reader(), source.name, () => undefined)
  for (const check of conformanceChecks) {
    if (check.ofLines && source.holdsMany) continue
    const dir = mkdtempSync(path.join(tmpdir(), 'recall-source-'))
    let laid = 0
    const lay = () => laySample(sample, source, path.join(dir, String(laid++)))
    try {
      check.run(source, reader, lay)
      yield { name: check.name, fault: null }
    } catch (error) {
      yield { name: check.name, fault: error instanceof Error ? error.message : String(error) }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }
}

function laySample(sample: Readonly<Record<string, unknown>>, source: Source, root: string): Laid {
  const files = Object.entries(sample).map(([name, text]) => {
    const file = path.resolve(root, name)
    if (!file.startsWith(root + path.sep) || typeof text !== 'string')
      throw new PluginFault(`its sample names ${JSON.stringify(name)}, which is no text below a root`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  })
  const owned = files.find((file) => source.owns(path.relative(root, file)))
  if (owned === undefined) throw new PluginFault('it owns no file of its own sample')
  return {
    unit: { path: owned, root },
    bytes: readFileSync(owned),
    append: (bytes) => appendFileSync(owned, bytes),
    truncate: (bytes) => truncateSync(owned, bytes),
  }
}
