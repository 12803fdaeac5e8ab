/** Words of questions and small talk that tell nothing about what is looked for. */
const WORDS = `
a about above after again all also am an and any anybody anyone anything are aren around as ask asked at away back be became
because been before being below between both but by can cannot come could couldn d did didn do does doesn doing don done down
during each either else ever every few for from further get gets getting give go goes going gone got had hadn has hasn have
haven having he hello her here hers herself hey hi him himself his how however i if in into is isn it its itself just keep kind
know let like ll look lot m made make many may maybe me mean might mine more most much must my myself need neither no nor not
now of off oh ok okay on once one only onto or other our ours ourselves out over own please put quite rather re really s said
same say says see seem seems she should shouldn show since so some somebody someone something soon still such sure t take tell
than thank thanks that the their theirs them themselves then there these they thing things think this those though through to
together told too toward try under until up upon us use used using ve very want wanted was wasn way we well went were weren
what whatever when where which while who whoever whom whose why will with within without won would wouldn yes yet you your
yours yourself
`
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))
