import { diskError, UserError } from '../model/errors.ts'
import type { OperationContext } from './operation.ts'

/**
 * A store that an older program has written is brought up to date by the first who meets it. What fails in a way that
 * nobody foresaw may fail because the store is damaged: then that is what is said.
 */
export async function onReadyStore<T>({ recall, watching }: OperationContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError && error.code === 'STORE_OLDER') {
      watching.onNote?.('bringing the store up to date, once')
      await recall.bringUpToDate()
      return work()
    }
    if (error instanceof UserError || diskError(error) !== null) throw error
    const damage = await recall.damage().catch(() => null)
    if (damage === null) throw error
    const hint = 'run `recall doctor --repair`; the old store is kept as a backup'
    throw new UserError('STORE_BROKEN', damage, hint, error)
  }
}
