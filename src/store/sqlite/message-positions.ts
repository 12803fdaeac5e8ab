/** Messages of a session's second transcript count from here, of its third from twice as far, … */
export const MESSAGES_OF_A_TRANSCRIPT = 1_000_000

/** Where the messages of the lane `l` count from, as the view `messages` has it: a subagent's block goes by its rank. */
export const MESSAGE_BASE = `CASE WHEN l.message_base < 1000000000 THEN l.message_base
  ELSE ${MESSAGES_OF_A_TRANSCRIPT} * (SELECT count(DISTINCT o.message_base) FROM lane o
    WHERE o.session = l.session AND o.message_base < l.message_base) END`
