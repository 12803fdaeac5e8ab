/** Behind the agent's name in `hook run`: the start of a session is answered with a brief. */
export const BRIEF_FLAG = '--brief'
