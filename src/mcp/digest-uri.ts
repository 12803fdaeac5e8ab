const DIGEST = 'recall://digest/'

export const DIGEST_TEMPLATE = `${DIGEST}{session}`

/** The name of a session's digest as a resource. */
export function digestUri(uid: string): string {
  return `${DIGEST}${encodeURIComponent(uid)}`
}

/** The session whose digest this names; null for other names. */
export function digestSession(uri: string): string | null {
  if (!uri.startsWith(DIGEST)) return null
  try {
    return decodeURIComponent(uri.slice(DIGEST.length))
  } catch {
    return null
  }
}
