import type { Grant } from '../capture/grants.ts'
import { choice, count, list, nullable, object, text } from './schema.ts'

/** An application of rules as documents have it. */
export const grantFields = {
  id: count(),
  at: text(),
  agent: text(),
  scope: choice(['project', 'user']),
  dir: nullable(text()),
  file: text(),
  rules: list(object({ rule: text(), pattern: text() })),
  backup: nullable(text()),
  undone_at: nullable(text()),
}

export function grantDocument({ undoneAt, ...grant }: Grant) {
  return { ...grant, undone_at: undoneAt }
}
