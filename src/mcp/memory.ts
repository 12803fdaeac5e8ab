import { UserError } from '../model/errors.ts'
import { plural } from '../model/text.ts'
import { OPERATIONS, type OperationName, type OperationNamed } from '../operations/index.ts'
import type { DocumentOf, InputOf, OperationContext } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import { onReadyStore } from '../operations/ready-store.ts'

/** Reading so little takes less than anybody would wait for: 300 ms. */
const QUICK_BYTES = 1_000_000
const QUICK_FILES = 12
/** Questions in quick succession look at the disk once. */
const LOOK_AGAIN_MS = 3000
/** Sessions of one caller: its own and those it has started. */
const MOST_OWN = 20

/** What the tools ask: the operations, for one agent that has a session of its own. */
export interface Memory {
  ask<Name extends OperationName>(
    name: Name,
    input: InputOf<OperationNamed<Name>>,
  ): Promise<DocumentOf<OperationNamed<Name>>>
  /** Whether this is the session of whoever asks, or one that it has started: no answer to them. */
  isCaller(session: { readonly session_uid: string; readonly parent_uid: string | null }): boolean
  /** Reads what is new if that is quick; what is still not read, in words, or null. */
  refreshed(): Promise<string | null>
  /** An id for the operations: "this" is the session of whoever asks, "last" the newest other. */
  named(id: string): Promise<string>
  readonly mayWrite: boolean
  readonly cwd: string
}

export interface MemoryOptions {
  /** Ids of the sessions of whoever asks. */
  readonly callers: () => ReadonlySet<string>
  readonly isReadOnly: boolean
}

export function memoryOf(whole: OperationContext, { callers, isReadOnly }: MemoryOptions): Memory {
  const context = isReadOnly ? { ...whole, recall: unchanging(whole.recall) } : whole
  let looked = { at: -Infinity, note: null as string | null }
  let asking: ReadonlySet<string> = new Set()
  const memory: Memory = {
    async ask(name, input) {
      const operation = await OPERATIONS[name]()
      return perform<never, never, never>(context, operation as never, input)
    },
    isCaller: ({ session_uid: uid, parent_uid: parent }) => asking.has(uid) || (parent !== null && asking.has(parent)),
    async refreshed() {
      if (context.now() - looked.at >= LOOK_AGAIN_MS) {
        const note = await onReadyStore(context, () => readWhatIsNew(context, isReadOnly))
        looked = { at: context.now(), note }
      }
      asking = await uidsOf(context, callers())
      return looked.note
    },
    async named(id) {
      if (id === 'last') return newestOther()
      const [own] = asking
      if (id !== 'this') return id
      if (own !== undefined) return own
      throw new UserError('NOT_FOUND', 'which session is yours is not known', 'give its session_uid')
    },
    mayWrite: !isReadOnly,
    cwd: context.cwd,
  }
  return memory

  /** The newest that is not the caller's; runs of programs only if there is nothing else. */
  async function newestOther(): Promise<string> {
    for (const automated of [false, true]) {
      const { sessions } = await memory.ask('list', { limit: 1 + MOST_OWN, automated })
      const other = sessions.find((session) => !memory.isCaller(session))
      if (other !== undefined) return other.session_uid
    }
    throw new UserError('NOT_FOUND', 'there is no session yet', '`recall index` reads what there is')
  }
}

/** A store of an older program would be written to by whoever reads it first. */
function unchanging(recall: OperationContext['recall']): OperationContext['recall'] {
  const hint = 'any other command of recall brings it up to date'
  const bringUpToDate = () =>
    Promise.reject(new UserError('STORE_OLDER', 'the store is of an older program, and nothing may be changed', hint))
  return Object.assign(Object.create(recall) as typeof recall, { bringUpToDate })
}

async function uidsOf({ recall }: OperationContext, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const uids = await Promise.all(
    [...ids].map((id) =>
      recall.find(id).then(
        ({ uid }) => uid,
        () => id,
      ),
    ),
  )
  return new Set(uids)
}

async function readWhatIsNew({ recall, now }: OperationContext, isReadOnly: boolean): Promise<string | null> {
  const waiting = await recall.waiting()
  if (waiting.changed === 0) return null
  const isQuick = waiting.bytes <= QUICK_BYTES && waiting.changed <= QUICK_FILES
  if (isQuick && !isReadOnly && (await isRead(recall))) return null
  const minutes = waiting.since === null ? 0 : Math.round((now() - waiting.since) / 60_000)
  const age = minutes < 1 ? '' : `, the first of them written ${ageOf(minutes)} ago`
  return `not read yet: ${plural(waiting.changed, 'transcript')}${age}. What is not found may be there; \`recall index\` reads them`
}

function ageOf(minutes: number): string {
  if (minutes < 120) return `${minutes} min`
  return minutes < 2880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`
}

/** Somebody else may be writing, or nobody may. */
async function isRead(recall: OperationContext['recall']): Promise<boolean> {
  try {
    await recall.index()
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}
