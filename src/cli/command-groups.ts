/** What commands are for, in the order of the help; the first are what most people need. A command that none names stands last. */
export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Most used': ['search', 'browse', 'list', 'show', 'cost', 'index'],
  Find: ['similar', 'how', 'fix', 'files', 'blame'],
  'Go on': ['resume', 'handoff', 'brief'],
  Read: ['serve', 'digest', 'diff', 'retro', 'signals', 'patterns'],
  Count: ['stats', 'time', 'claim', 'sql'],
  Keep: [
    'sweep',
    'analyze',
    'budget',
    'tag',
    'untag',
    'title',
    'bookmark',
    'pin',
    'unpin',
    'decide',
    'forget',
    'rescue',
    'backup',
    'restore',
  ],
  Share: ['export', 'import', 'sync', 'archive', 'note', 'env'],
  Groups: ['group', 'session'],
  'Set up': [
    'status',
    'doctor',
    'source',
    'permissions',
    'secrets',
    'connect',
    'mcp',
    'hook',
    'watch',
    'schedule',
    'exec',
    'demo',
    'welcome',
    'completion',
  ],
}

const OTHERS = 'Others'

export function groupOf(command: string): string {
  return Object.entries(COMMAND_GROUPS).find(([, names]) => names.includes(command))?.[0] ?? OTHERS
}

/** Things with a name in the order of the groups. */
export function inGroups<T extends { readonly name: string }>(commands: readonly T[]): T[] {
  const order = Object.values(COMMAND_GROUPS).flat()
  const place = ({ name }: T) => (order.includes(name) ? order.indexOf(name) : order.length)
  return commands.toSorted((a, b) => place(a) - place(b))
}
