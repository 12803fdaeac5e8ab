/** Words of questions and small talk that tell nothing about what is looked for. */
const WORDS = `
a am an and any are aren as at be been being but by can could couldn d did didn do does doesn doing don for from had hadn has
hasn have haven he her hers him his how i if in into is isn it its itself ll m me might mine must my of on or our ours re s shall
she should shouldn so t than that the their theirs them then there these they this those to us ve was wasn we were weren what
when where which while who whom whose why will with won would wouldn you your yours
`
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))
