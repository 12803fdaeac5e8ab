/** The last parts of each path, as many as it takes to tell it from the others. */
export function shortNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  let open = [...new Set(paths)]
  for (let count = 1; open.length > 0; count++) {
    const alike = new Map<string, string[]>()
    for (const path of open) {
      const tail = lastParts(path, count)
      alike.set(tail, [...(alike.get(tail) ?? []), path])
    }
    open = []
    for (const [tail, group] of alike) {
      if (group.length > 1 && group.some((path) => lastParts(path, count + 1) !== tail)) open.push(...group)
      else for (const path of group) names.set(path, group.length > 1 ? path : tail)
    }
  }
  return names
}

function lastParts(path: string, count: number): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '')
  return parts.length === 0 ? path : parts.slice(-count).join('/')
}
