import { isObject, parseObjects } from '../kit/json.ts'

/** Arguments as an object; a text that is none stands under `input`. */
export function argumentsOf(value: unknown, isJson: boolean): unknown {
  if (isObject(value)) return value
  if (isJson && typeof value === 'string') {
    const parsed = value.trimStart().startsWith('{') ? parseObjects(value) : null
    if (parsed?.length === 1) return parsed[0]
    if (value.trim() === '') return {}
  }
  return value === undefined || value === null ? {} : { input: value }
}
