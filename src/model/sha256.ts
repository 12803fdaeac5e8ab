let crypto: typeof import('node:crypto') | null = null

/** SHA-256. Loads what it needs when it is first asked: who only looks whether files have changed does without. */
export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64url'): string {
  return (crypto ??= process.getBuiltinModule('node:crypto')).hash('sha256', data, encoding)
}
