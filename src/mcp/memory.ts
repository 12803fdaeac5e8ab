import { OPERATIONS, type OperationName, type OperationNamed } from '../operations/index.ts'
import type { DocumentOf, InputOf, OperationContext } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'

/** Reading so little that an agent need not wait for it. */
const QUICK_BYTES = 3_000_000
const QUICK_FILES = 20
/** Questions in quick succession look at the disk once. */
const LOOK_AGAIN_MS = 3000

/** What the tools ask: the operations, for one agent that has a session of its own. */
export interface Memory {
  ask<Name extends OperationName>(
    name: Name,
    input: InputOf<OperationNamed<Name>>,
  ): Promise<DocumentOf<OperationNamed<Name>>>
  /** The session of whoever asks, which is no answer to them. */
  isCaller(uid: string): boolean
  /** Reads what is new if that is quick; what is still not read, in words, or null. */
  refreshed(): Promise<string | null>
  readonly cwd: string
}

export interface MemoryOptions {
  readonly callers: ReadonlySet<string>
  readonly isReadOnly: boolean
}

export function memoryOf(context: OperationContext, { callers, isReadOnly }: MemoryOptions): Memory {
  let looked = { at: -Infinity, note: null as string | null }
  return {
    async ask(name, input) {
      const operation = await OPERATIONS[name]()
      return perform<never, never, never>(context, operation as never, input)
    },
    isCaller: (uid) => callers.has(uid),
    async refreshed() {
      if (context.now() - looked.at < LOOK_AGAIN_MS) return looked.note
      const note = await readWhatIsNew(context, isReadOnly)
      looked = { at: context.now(), note }
      return note
    },
    cwd: context.cwd,
  }
}

async function readWhatIsNew({ recall, now }: OperationContext, isReadOnly: boolean): Promise<string | null> {
  const waiting = await recall.waiting().catch(() => null)
  if (waiting === null || waiting.files === 0) return null
  const isQuick = waiting.bytes <= QUICK_BYTES && waiting.files <= QUICK_FILES
  if (isQuick && !isReadOnly) {
    const isRead = await recall.index().then(
      () => true,
      () => false,
    )
    if (isRead) return null
  }
  const minutes = waiting.since === null ? null : Math.max(1, Math.round((now() - waiting.since) / 60_000))
  const age = minutes === null ? '' : `, the oldest changed ${minutes} min ago`
  return `${waiting.files} transcripts are not read yet${age}: what is not found may be in them (\`recall index\` reads them)`
}
