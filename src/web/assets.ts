import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Body } from './send.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The built page by name. Read once: what a request names is looked up here, and never on the disk. */
export function assetsIn(dir: URL): ReadonlyMap<string, Body> {
  const place = fileURLToPath(dir)
  return new Map(
    readdirSync(place).map((name) => [
      name,
      new Body(readFileSync(path.join(place, name)), TYPES[path.extname(name)] ?? 'application/octet-stream'),
    ]),
  )
}
