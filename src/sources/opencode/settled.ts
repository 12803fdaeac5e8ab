import { asObject } from '../kit/json.ts'
import type { Ahead, Message } from './rows.ts'

/**
 * True if a message will not change any more in what it says: an answer that has ended, words of a person that are
 * there. An answer that a killed process left is done with when the person says something else.
 */
export function isSettled({ data, parts, isRemoved }: Message, ahead: Ahead): boolean {
  if (isRemoved || data === null || ahead === 'prompt') return true
  if (data['role'] === 'user') return parts.length > 0
  return typeof asObject(data['time'])?.['completed'] === 'number' && !parts.some((part) => isRunning(part))
}

function isRunning(part: Message['parts'][number]): boolean {
  const status = asObject(part?.['state'])?.['status']
  return status === 'pending' || status === 'running'
}
