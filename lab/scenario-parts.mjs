// What scenarios are made of.

/** The agents that recall reads. */
export const ALL = ['claude', 'codex', 'grok']

/** A scenario that only some agents can play. */
export const only = (agents, scenario) => Object.assign(scenario, { only: [agents].flat() })

// Grok refuses summaries that are too short to be true.
export const SUMMARY = `<summary>${'The user wants to remember where the key is. The key is under the mat. Nothing else was asked or done so far. '.repeat(8)}</summary>`
