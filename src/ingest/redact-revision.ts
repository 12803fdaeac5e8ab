/** Raised when the rules change what they find: what was stored before may hold what they find now. */
export const REDACTION_REVISION = 8
