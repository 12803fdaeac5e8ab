/** End of the name of a lane that holds what another lane has lost. */
export const LOST = '~lost'

/** The lane under which an evicted session is found: its digest stands in for what it said. */
export const DIGEST_LANE = '~digest'

/** Names that no transcript of the conversation itself has begin with this. */
export const NOT_A_TRANSCRIPT = '~'
