import { expect, test } from 'vitest'
import { COMMAND_GROUPS, groupOf } from './command-groups.ts'
import { COMMANDS } from './commands.ts'

const grouped = Object.values(COMMAND_GROUPS).flat()

test('every command stands in one group of the help, and the first six are what most people need', () => {
  expect(Object.keys(COMMANDS).filter((name) => !grouped.includes(name))).toEqual([])
  expect(grouped.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([])
  expect(new Set(grouped).size).toBe(grouped.length)
  expect(Object.values(COMMAND_GROUPS)[0]).toHaveLength(6)
})

test('a command that no group names is still in the help', () => {
  expect(groupOf('constructor')).toBe('Others')
})
