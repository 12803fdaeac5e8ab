import { ends } from './agent-phrases.ts'
import { phrases, small } from './phrases.ts'

const STANCE = phrases(
  "(?:i|i'll|i'd|i've|me|my|myself|mine)(?: [^.!?\\n]{0,60})? (?:draw (?:the|a) line|pass on|sit (?:this|that|it) (?:one )?out|leave (?:it|this|that|them|the \\p{L}+|those|these) (?:alone|be)|(?:stay|steer|keep|step) (?:out|clear|away)|stop (?:here|short)|take (?:no )?part|be (?:a )?part|lend \\p{L}+|advise against|object)",
  "(?:where|here)(?:'s| is) (?:where )?(?:i|my line)|(?:i|i'll|i'd) pass|cross(?:es|ing)? (?:a|the|my) line|(?:can|could|will|would)(?:n't| not) (?:in good conscience|be (?:a )?part|take part|support|facilitate|participate)|da(?:bei|ran) (?:mache|beteilige) ich|в этом (?:я )?не участвую",
)
const HARM = phrases(
  "(?:il|un)legal\\p{L}*|unlawful\\p{L}*|unethical\\p{L}*|fraud\\p{L}*|phishing|malware|spyware|stalk\\p{L}*|harass\\p{L}*|dishonest\\p{L}*|decei\\p{L}*|decepti\\p{L}*|mislead\\p{L}*|fabricat\\p{L}*|forg(?:e|ed|ery|ing)|impersonat\\p{L}*|harmful|malicious|against the law|crime|criminal|(?:violat|breach|break|infring)\\p{L}* (?:\\p{L}+ ){0,4}(?:terms|law|laws|privacy|licen[cs]e|gdpr|policy|policies|rules)|without (?:their|her|his) (?:consent|knowledge|permission)|behind (?:their|her|his|your) backs?|(?:is|are)(?:n't| not) (?:ok|okay|right|ethical|fair)",
)

/** In an answer to which nothing was done: the agent will not do it. What it says of harm counts where work was wanted. */
export function willNot(answer: string, order: boolean): boolean {
  const text = ends(answer)
  return STANCE.test(text) || (order && HARM.test(text))
}

/** Whether something was done is what a person asks. */
const DOUBT = phrases(
  '(?:did|have|has) you (?:really |actually |even |already )?\\p{L}+|are you sure (?:that )?you|you (?:said|claimed|told me) [^.\\n]{0,60}(?:but|did|really)',
  'hast du (?:\\p{L}+ ){0,6}(?:wirklich|auch|tatsächlich)|(?:de verdad|realmente) (?:lo )?has|as-tu vraiment|ты (?:точно|действительно)',
)
const CONCEDED =
  /^(?:no|nope|not (?:yet|really)|you(?:'re| are) right|good catch|sorry|my (?:mistake|apologies)|i apologi[sz]e|nein|du hast recht|tienes razón|no,|tu as raison|non|нет|ты прав)(?![\p{L}])/u

/** Asked whether it did something, the agent owns that it did not. */
export function ownsUp(asked: string, answer: string): boolean {
  return DOUBT.test(small(asked)) && CONCEDED.test(small(answer.trimStart()))
}

const OMITTED = phrases(
  "(?:is|are|'s|'re) (?:still |yet |currently )?(?:missing|outstanding|left out|untouched|unchanged|undone|pending)|(?:stays?|remains?) (?:where|as|at|on|the same|unchanged|untouched)|(?:is|are)(?:n't| not) (?:(?:in|there|done|included|covered|part of it|on it)(?: yet)?(?=[.,:;]|$)|(?:yet )?(?:done|added|implemented|migrated|converted|translated|ported|updated|moved|written|fixed))",
  "i(?:'ve| have)? (?:skipped|omitted|left (?:out|off|alone)|deferred|postponed|(?:did not|didn't|have not|haven't) (?:do|done|touch|touched|add|added|update|updated|get to|change|changed|convert|converted|migrate|migrated|translate|translated))",
  'fehlt(?:en)?(?: noch)?|(?:habe ich )?(?:ausgelassen|weggelassen)|не (?:сделан\\p{L}*|добавлен\\p{L}*)|пропустил\\p{L}*',
)
/** Words of this length are about the matter; shorter ones are in every sentence. */
const TELLING_WORD = /[\p{L}\p{N}_-]{4,}/gu
const COMMON: ReadonlySet<string> = new Set(
  'this that with from into what when then them they have make made sure should also just only your page file files code test tests everything'.split(
    ' ',
  ),
)
/** What a prompt wants to be left as it is. */
const EXEMPT =
  /(?<![\p{L}\p{N}_])(?:except|apart from|but not|not|without|don't|do not|leav(?:e|ing)|keep(?:ing)?|skip\p{L}*|exclud\p{L}*)(?![\p{L}\p{N}_])[^.;\n]*/gu
/** Tests are in every answer; that they were to be written is in few prompts. */
const TESTS_WANTED = phrases(
  '(?:write|add|create|include|with|and|plus) (?:\\p{L}+ ){0,3}(?:tests?|specs?)',
  '(?:schreib\\p{L}*|ergänz\\p{L}*|mit|und|samt) (?:\\p{L}+ ){0,3}tests?|(?:escribe|añade|con|écris|ajoute|avec|escreva|com) (?:\\p{L}+ ){0,3}(?:tests?|pruebas|testes)|(?:напиши|добавь|с|и) (?:\\p{L}+ ){0,3}тест\\p{L}*',
)
const TESTS_OMITTED = phrases(
  "(?:not|n't)(?: yet)? (?:been )?(?:written|added|created) (?:any |the |new )*(?:\\p{L}+ )?(?:tests?|specs?)|(?:did not|didn't) (?:write|add|create) (?:any |the |new )*(?:\\p{L}+ )?(?:tests?|specs?)|(?:tests?|specs?) (?:\\p{L}+ ){0,3}(?:not|n't)(?: yet)? (?:been )?(?:written|added|there)",
  'tests? [^.\\n]{0,40}noch nicht|noch keine (?:\\p{L}+ )?tests?|(?:tests?|pruebas) [^.\\n]{0,40}(?:todavía no|aún no|pas encore)|(?:todavía no|aún no|pas encore) [^.\\n]{0,40}(?:tests?|pruebas)|тест\\p{L}* [^.\\n]{0,40}ещё не|ещё не [^.\\n]{0,40}тест\\p{L}*',
)
const AS_ASKED = phrases(
  'as (?:you )?(?:\\p{L}+ )?(?:asked|wanted|requested|agreed|said|told|instructed|specified|intended)',
)

/** The agent says of something that was asked for by name that it left it out. */
export function leavesOut(asked: string, answer: string): boolean {
  if (TESTS_WANTED.test(small(asked)) && TESTS_OMITTED.test(ends(answer))) return true
  const wanted = new Set(
    (small(asked).replace(EXEMPT, ' ').match(TELLING_WORD) ?? []).filter((word) => !COMMON.has(word)),
  )
  const sentences = ends(answer).split(/(?<=[.!?:;])\s+|\n/)
  return sentences.some((sentence) => {
    const at = OMITTED.exec(sentence)
    if (at === null || AS_ASKED.test(sentence)) return false
    const words = sentence.slice(0, at.index + at[0].length + 60).match(TELLING_WORD) ?? []
    return words.some((word) => wanted.has(word))
  })
}
