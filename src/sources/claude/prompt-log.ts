/** All prompts of all sessions, beside the directory of transcripts. */
export const PROMPT_LOG = 'history.jsonl'
