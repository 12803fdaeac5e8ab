import type { Context, Given } from '../command.ts'

/** One subject of `recall stats`. */
export interface Report {
  readonly name: string
  readonly summary: string
  run(context: Context, given: Given): Promise<void>
}
