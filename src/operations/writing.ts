import { flag, type Schema } from './schema.ts'

/** What an operation takes that writes to the store, which has one writer at a time. */
export const wait: Schema<boolean> = flag('if another recall is writing, wait for it')
