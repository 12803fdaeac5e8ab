import { UserError } from '../model/errors.ts'
import type { OptionValues } from './command.ts'

export function flag(values: OptionValues, name: string): boolean {
  return values[name] === true
}

export function word(values: OptionValues, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export function count(values: OptionValues, name: string): number | undefined {
  const text = word(values, name)
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text))
    throw new UserError('USAGE', `--${name} takes a whole number, not ${JSON.stringify(text)}`, `e.g. --${name} 20`)
  return Number(text)
}
