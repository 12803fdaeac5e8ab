import type { Source } from './source.ts'

/** What stands for a plugin where its module is not loaded: its name. */
export function unloaded(name: string): Source {
  return {
    name,
    longName: name,
    label: name,
    revision: 0,
    roots: () => [],
    owns: () => false,
    skips: () => true,
    reader: async () => ({
      read() {
        throw new Error(`${name} is not loaded`)
      },
    }),
    resume: () => null,
  }
}
