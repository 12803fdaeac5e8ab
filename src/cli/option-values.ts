import { UserError } from '../model/errors.ts'
import type { Given } from './command.ts'

export function flag(given: Given, name: string): boolean {
  return given[name] === true
}

export function word(given: Given, name: string): string | undefined {
  const value = given[name]
  return typeof value === 'string' ? value : undefined
}

export function count(given: Given, name: string): number | undefined {
  const text = word(given, name)
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text))
    throw new UserError('USAGE', `--${name} takes a whole number, not ${JSON.stringify(text)}`, `e.g. --${name} 20`)
  return Number(text)
}
