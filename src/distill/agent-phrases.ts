import { phrases, small } from './phrases.ts'

const SAID_FIRST = 400
const SAID_LAST = 800

const DEFEAT = phrases(
  "i(?:'m| am| was|'ve been| have been) unable to|i(?:'m not| am not| was not| wasn't| haven't been| have not been| will not be| won't be) able to (?:get|make|fix|complete|finish|reproduce|proceed|continue|update|connect|solve|install|build|access|reach|resolve|do|create|download)",
  "(?:i |we )?(?:could not|couldn't|can ?not|can't) (?:get (?:it|this|the)|make (?:it|this|the)|fix|complete|finish|reproduce|proceed|continue|solve|resolve|install|build)",
  'unable to (?:complete|finish|proceed|continue|fix|solve|resolve|update|install|build|reproduce|connect)|(?:tests?|specs?|builds?|it|they|checks?) (?:is |are )?still (?:fails?|failing|broken|red)|still (?:failing|not working|broken|crash(?:ing|-looping)|hang(?:s|ing)|leaking|looping|timing out)',
  "did not succeed|without success|i (?:did not|didn't) (?:manage|succeed|get (?:it|this|that) (?:to )?work)|i (?:have )?failed to|remains? (?:broken|failing|unsolved|unresolved)|i(?: a|')m (?:stuck|blocked)|is blocked (?:by|on)|i give up",
  'konnte (?:ich )?(?:es |das |die |den )?nicht|(?:leider )?nicht gelungen|nicht (?:\\p{L}+ ){0,2}(?:herausfinden|herausgefunden|beheben|reproduzieren|nachvollziehen|nachstellen)|verstehe (?:ich )?(?:\\p{L}+ ){0,2}nicht',
  'не удалось|не смог(?:ла)?|не получилось|не воспроизв\\p{L}*',
  'no (?:pude|he podido|hemos podido|fue posible|logré|consigo|consigui\\p{L}*)|no (?:he |hemos |se ha )(?:encontr|averigu|determin|reproduc|solucion|resuelt|arregl|correg)\\p{L}*|sigue(?:n)? (?:fallando|en rojo|sin \\p{L}+)|quedan? [^.\\n]{1,40} (?:en rojo|fallando)',
  "(?:je n'ai|on n'a|nous n'avons|n'arrive) pas (?:\\p{L}+ )?(?:pu|réussi|trouvé|résolu|corrigé|compris|à)|não (?:consegui|foi possível|encontrei|descobri|resolvi|pude)|non (?:sono riuscit\\p{L}+|ho (?:trovato|capito|risolto|potuto))",
  'できませんでした|まだ失敗|(?:再現|解決|修正)でき(?:て)?(?:い)?(?:ません|なかった)|无法(?:完成|修复|解决|继续|复现|重现)|没能|仍然失败|仍有\\d*个?(?:测试)?失败|(?:해결|수정|재현|완료)[^.\\n]{0,10}(?:못했|수 없)',
)
const IMPOSSIBLE = phrases(
  "i(?:'m| am)? ?(?:can ?not|can't|won't|will not|not able to|unable to) (?:help|assist|do that|do this|provide that)",
  "(?:is|are|was)(?: simply)?(?: not|n't) possible(?! to tell)|(?:is|was) impossible|(?:i |i've |i have )?reverted (?:my|all|the) (?:changes|attempts?|edits)",
  'ist nicht möglich|dabei kann ich nicht helfen|невозможно',
)
const REST = phrases(
  "(?:is|are|'s|'re) not (?:yet )?(?:done|finished|complete[d]?|implemented|migrated|converted|translated|ported|covered) yet",
  'remaining (?:\\p{L}+ ){1,3}(?:is|are) (?:still|not|untouched|un\\p{L}+ed)|i stopped (?:here|there|because|after|at|before)|(?:is|are) (?:yet|still) to (?:do|be done|be written|be migrated)|(?:is|are) still (?:missing|open|to do|undone|unfinished)|left (?:to do|undone)',
  'fehlt(?:en)? noch|noch nicht fertig|ещё не (?:готово|сделан\\p{L}*)|осталось сделать',
)
const UNRELATED = phrases(
  '(?:pre-?existing|unrelated|not (?:related|caused)|already (?:failing|broken|failed)|known (?:test )?(?:fail\\p{L}*|issues?|errors?|flak\\p{L}*))|with(?: and |/| or )without (?:my|this|the|these) (?:change|patch|edit)s?|(?:is|are|was|were|there|too|fails?|happens?|occurs?) without (?:my|this|these) (?:change|patch|edit)s?|(?:failed|failing|fails?) before (?:my|the|this)|also (?:fails?|failing) on (?:main|master)|unabhängig von|не связан\\p{L}*',
)
const BLOCKING = phrases(
  'which (?:one|of|option|approach|\\p{L}+) (?:do|would|should)|before i (?:start|begin|proceed|go|continue|make|can)|should i|shall i|do you (?:want|prefer|have)|would you prefer|please (?:confirm|provide|share|clarify|tell|specify|let me know (?:which|what|how|whether))',
  '(?:can|could) you (?:please )?(?:confirm|provide|share|clarify|tell|specify|paste|start|check|grant|run)|how (?:do|would|should) (?:you|i|we)|what (?:do|would|should) (?:you|i)|i need (?:you|more|the|a few|to know)|before (?:touching|changing|starting|doing)|waiting for your|awaiting your|which \\p{L}+|go ahead\\?',
  'soll ich|möchtest du|welche[srnm]?|bitte (?:bestätige|gib)|какой|какую|мне (?:нужно|сделать)|подтвердите|уточните',
)
const OFFER = phrases(
  "would you like me to (?:also|add|write|commit|open|create|run|go|explain|show|update|push)|want me to|let me know if|feel free|i can also|if you(?:'d| would)? (?:like|want)|happy to|shall i also|should i also|anything else",
)

/** Work that waits for a word of the person; with an `if` it is an offer. */
const PROMISE = phrases(
  "(?<!(?:not|n't|to) )(?:tell me|let me know|say|pick|choose|confirm|give me|send me|reply with|decide(?: on)?|name) (?!if|when)[^.?!\\n]{1,120}(?:and|then|so|before) i(?:'ll|'d| will| can|(?: \\p{L}+){1,2})",
  'sag mir[^.?!\\n]{1,120}dann (?:\\p{L}+ )?ich',
)

/** The agent says that it did not get there. */
export function admitsDefeat(answer: string): boolean {
  return DEFEAT.test(ends(answer))
}

/** Others that could not do something are what a question may be about. */
const OF_OTHERS =
  /(?<!(?:^|[^\p{L}])(?:i|we|and|but|also))(?<=\p{L}) (?:could not|couldn't|can ?not|can't|failed to)(?= )/gu

/** The agent says of itself that it did not get there. */
export function admitsOwnDefeat(answer: string): boolean {
  return DEFEAT.test(ends(answer).replace(OF_OTHERS, ' did not'))
}

const HELP_OFFERED = phrases(
  "what (?:would you like|do you (?:want|need)|can i (?:help|do)|shall (?:we|i)|are we working)|how (?:can|may) i (?:help|assist)|ready (?:to help|when you are)|what's (?:on your mind|next|up)",
  'was kann ich|womit kann ich|wie kann ich (?:dir |ihnen )?helfen|чем (?:могу|я могу)|en qué puedo|que puis-je|comment puis-je',
  '有什么(?:可以|能)|何か(?:お手伝い|ご用)|どのような',
)
const SHORT_ANSWER = 240
const SHORT_PROMPT = 60

/** Nothing was asked for: all that the agent could say to it is what it might do. */
export function onlyGreets(prompt: string, answer: string): boolean {
  return prompt.length <= SHORT_PROMPT && answer.length <= SHORT_ANSWER && HELP_OFFERED.test(small(answer))
}

/** The agent says that it cannot be done at all, or that it will not do it. */
export function callsImpossible(answer: string): boolean {
  return IMPOSSIBLE.test(ends(answer))
}

const LEAD = 200
const LACKS = phrases(
  "i (?:do not|don't|did not|didn't) (?:know|have (?:the |any |enough |direct |network |internet )*(?:ability|access|permissions?|means|credentials|visibility|tools?|way))",
  "i (?:can ?not|can't|could not|couldn't|am not able to|was not able to|wasn't able to|am unable to|was unable to) (?:tell|say|determine|answer|access|open|run|execute|browse|search|find|fetch|retrieve|get|load|inspect|read|see|provide|help|assist|do (?:that|this|it|so)|perform|reach|connect|view|look|watch|hear|send|sign|log in)",
  "i(?:'m| am| was) (?:not able|unable) to|i wasn't able to|i (?:will not|won't|refuse to)|i(?:'m| am) not (?:going|willing|comfortable) to?|i(?:'d| would) rather not|i (?:must|have to|need to|will have to) (?:decline|refuse)|i(?:'m| am| was|wasn't| wasn't)(?: not)? (?:allowed|permitted|authori[sz]ed) to|i have no (?:way|access|means|ability|permission)|not something (?:that )?i(?:'ll| will| can|'m| am)|there(?:'s| is) no way for me|(?:does not|doesn't|did not|didn't|will not|won't) (?:let|allow|permit) me|nothing (?:that )?i (?:can|could)|(?:beyond|outside|out)(?: of)? (?:what i(?:'m| can| am)|my (?:abilities|capabilities|reach|means|powers?|remit))",
  '(?:das )?(?:weiß|kann) ich (?:leider |hier |das |dir )*nicht|ich (?:kann|darf|konnte) (?:das |dir |es |hier |leider |den |die )*nicht|ich habe (?:hier |leider )?keinen? (?:zugriff|zugang|möglichkeit)',
  '(?:я )?не (?:могу|знаю|имею доступа)|у меня нет (?:доступа|возможности)',
  "no (?:puedo|sé|tengo (?:acceso|permiso))|je ne (?:peux|sais) pas|je n'ai pas (?:accès|le droit)|não (?:posso|sei|tenho acesso)",
  '(?:我)?(?:无法|不能|没法|没有权限|不知道)|できません|分かりません|わかりません|権限がありません',
)

/** The agent says first of all that it has not the means, the right or the knowledge. */
export function lacksMeans(answer: string): boolean {
  return LACKS.test(small(answer.trimStart().slice(0, LEAD)))
}

const SELF =
  "(?:i|i'm|i'd|i've|i'll|me|my|we|here|this (?:environment|machine|sandbox|container|repository|repo|project|session|workspace))"
const DENIAL =
  "(?:no|not|\\p{L}+n't|nothing|none|nowhere|never|without|against|cannot|stop|decline|refuse|unable|impossible|lacks?|missing)"
const UNDONE = phrases(`${SELF} (?:[^.!?\\n]{0,80} )?${DENIAL}`, `${DENIAL} (?:[^.!?\\n]{0,80} )?${SELF}`)
const NEEDLESS = phrases(
  'already|nothing (?:to (?:change|do|fix|remove|update|commit)|needs|had to)|no (?:\\p{L}+ )?(?:change|action|work|update|fix)s? (?:is |are |was |were )?(?:needed|necessary|required)|(?:is|are) (?:in place|up to date|in use)|there (?:are|were|is) none|nothing (?:is|was|are|were) (?:outdated|broken|missing|wrong|left|affected|stale|unused|due|new|pending|out of date)|bereits|schon|уже|ya|déjà',
  '已经|すでに',
)

/** First of all the agent says no: of what was wanted it found, has or did nothing. */
export function saysNo(answer: string): boolean {
  return UNDONE.test(small(answer.trimStart().slice(0, LEAD)))
}

/** What was wanted is the case, the agent says. */
export function isNeedless(answer: string): boolean {
  return NEEDLESS.test(ends(answer))
}

const UNCHANGED = phrases(
  "(?:i|we|i've|we've)(?: have)? (?:made|did|done|changed|touched|edited) (?:nothing|no (?:\\p{L}+ )?(?:changes?|edits?|modifications?))|(?:i|we|and|so)(?: \\p{L}+)? (?:not|\\p{L}+n't) (?:changed?|edit(?:ed)?|touch(?:ed)?|modif(?:y|ied)) (?:any\\p{L}*|the|a)|no (?:\\p{L}+ )?changes? (?:was|were|has been|have been) made",
  'nothing (?:has been|was|is) (?:changed|edited|touched|modified)|left (?:it|everything|the \\p{L}+|all \\p{L}+) (?:as (?:it|they) (?:is|was|are|were)|alone|unchanged|untouched)',
  'nichts (?:geändert|verändert|angefasst)|keine änderung(?:en)? (?:gemacht|vorgenommen)|ничего не (?:менял|изменял|изменил)\\p{L}*|no (?:he|hice|se ha) (?:cambiado|cambios|hecho) ?(?:nada|ning\\p{L}+)?|rien (?:changé|modifié)|não (?:mudei|alterei) nada|没有(?:做|进行)?(?:任何)?(?:修改|改动|更改)|(?:何も)?変更(?:は|を)?(?:加えて|して)いません',
)

/** The agent says that it changed nothing. */
export function saysUnchanged(answer: string): boolean {
  return UNCHANGED.test(ends(answer))
}

const WITHDRAWN = phrases(
  "(?:i |i've |i have )?(?:reverted|rolled (?:it |everything |all |that )?back|undid|undone|restored|discarded)|put (?:it|everything|all|things|that|them) back|zurückgenommen|rückgängig|откатил\\p{L}*",
)

/** The agent says that it took its work back. */
export function saysWithdrawn(answer: string): boolean {
  return WITHDRAWN.test(ends(answer))
}

const LATER = phrases(
  "(?:is|are) still running|i(?:'ll| will) (?:tell|let|report|notify|update|come back to|get back to) (?:you )?[^.\\n]{0,60}(?:as soon as|once|when)|will take a while|(?:i(?:'ll| will)|you(?:'ll| will)|will be) [^.\\n]{0,80}(?:when|once|as soon as|after) [^.\\n]{0,60}(?:finish\\p{L}*|reports?|returns?|comes? back|exits?|ends?|ended|done|through|complete[sd]?)",
  '(?:has|have|is|are) (?:now )?(?:started|begun|under ?way|in progress|running)[^\\n]{0,160} (?:\\d+|an?|one|two|three|four|five|ten|some|several|few) (?:more )?(?:min\\p{L}*|hours?)|(?:will be|appears?) [^.\\n]{0,40}at the end',
  "(?:checks?|ci|pipelines?|builds?|jobs?|workflows?|runs?|suite) (?:\\p{L}+ ){0,3}(?:is|are) (?:\\p{L}+ ){0,2}(?:running|pending|queued|in progress|waiting)|(?:result|outcome|verdict)s? (?:\\p{L}+ )?(?:is|are)(?: not|n't) (?:in|there|known|available)",
  'läuft noch|laufen noch|ich melde mich|ещё выполняется|сообщу,? когда|sigue ejecutándose|te aviso cuando',
  '还在运行|完成后我会',
)

/** The agent says that what it started goes on. */
export function goesOnLater(answer: string): boolean {
  return LATER.test(ends(answer))
}

/** The agent says that part of what was asked is not done. */
export function leavesRest(answer: string): boolean {
  return REST.test(ends(answer))
}

/** To run something says that the work was tried where it is the work or its tests that is run. */
const RUN =
  '(?:run|ran|executed?)(?= (?:(?:it|this|that|them|these|any|anything|everything|locally|here|yet)(?!\\p{L})|(?:the |any |all |full |whole |unit |e2e |integration |test |existing |new )*(?:tests?|suites?|specs?|app|build|code|script|program|changes?|migrations?)(?!\\p{L}))|[.,;:]|$)'
const UNTRIED = phrases(
  `(?:could|can)(?:n't| not|not) (?:\\p{L}+ )?(?:test|verify|check|try|confirm|validate|exercise|${RUN})|(?:haven't|have not|did not|didn't|has not|hasn't) (?:been (?:able to )?|\\p{L}+ )?(?:test|tested|verify|verified|check|checked|tried|try|exercised?|${RUN})`,
  '(?:un|not (?:been |yet )?)(?:tested|verified|tried|exercised)|tests? (?:\\p{L}+ )?not (?:been )?run|neither [^.\\n]{1,60} nor [^.\\n]{1,60} (?:has|have|was|were|could be)(?: ever)?(?: been)? (?:tried|tested|run|verified|checked|exercised)|could only (?:check|verify|confirm|test|see) that (?:it|they|this|the \\p{L}+) (?:compiles?|builds?|parses?|loads?|type-?checks?|lints?)|without (?:testing|running|verifying|trying)',
  '(?:nicht|un|noch nicht|konnte (?:ich )?(?:es |das )?nicht) ?(?:getestet|geprüft|ausprobiert|testen|prüfen|ausprobieren)|не (?:проверял|тестировал|запускал)\\p{L}*',
  "(?:no|sin) (?:(?:lo|la|he|pude|se ha) )*(?:podido )?(?:prob|verific)(?:ado|ar|é)|(?:n'ai|n'a) pas (?:pu )?(?:test|vérifi|essay)\\p{L}*|não (?:testei|verifiquei|consegui testar)",
  '(?:未|没有?|没能|无法|尚未|还没)(?:经过)?(?:实际)?(?:测试|验证|运行)|(?:テスト|確認|検証)(?:は|が)?(?:していません|できていません|未)',
)
const HOPED = phrases(
  'should (?:now |all |just |still )*(?:work|pass|compile|build|run|behave|fix|resolve|solve|be (?:fixed|resolved|fine|ok|good|working))',
  'sollte (?:jetzt |nun )?(?:es |das )?(?:gehen|funktionieren|laufen|klappen)|должно (?:\\p{L}+ )?работать|debería (?:ya )?(?:funcionar|pasar)|devrait (?:maintenant )?(?:fonctionner|marcher|passer)|应该(?:就)?(?:可以|能|没问题|好)|はずです',
)

/** The agent says that it did not try what it made. */
export function isUntried(answer: string): boolean {
  return UNTRIED.test(ends(answer))
}

/** The agent only hopes that what it made is good. */
export function isHoped(answer: string): boolean {
  return HOPED.test(ends(answer))
}

const FAILURE = phrases(
  "failed|fails|is failing|could not|couldn't|cannot|can't|unable to|(?:was|were|is|are) (?:rejected|denied|declined|blocked|refused|missing|unavailable|not available)",
)
const FINE = phrases(
  '(?:no|zero|0) (?:errors?|failures?|issues?)|all (?:\\p{L}+ )?(?:pass|passed|passing|green|good)|now (?:works|passes)',
)

/** The agent speaks of something that failed and not of all being well. */
export function reportsFailure(answer: string): boolean {
  const text = ends(answer)
  return FAILURE.test(text) && !FINE.test(text)
}

/** The agent says that what fails has nothing to do with its work. */
export function blamesOthers(answer: string): boolean {
  return UNRELATED.test(ends(answer))
}

/** The agent cannot go on without an answer: more than an offer to do more. */
export function asksBack(answer: string): boolean {
  const last = small(answer.trimEnd().slice(-SAID_LAST)).split('\n').slice(-6).join('\n')
  if (PROMISE.test(last)) return true
  if (!last.includes('?') && !/please (?:confirm|provide|share|clarify|specify)/.test(last)) return false
  const question = last.slice(0, last.lastIndexOf('?') + 1) || last
  const sentences = question.split(/(?<=[.!?])\s+/).slice(-3)
  return sentences.some((sentence) => BLOCKING.test(sentence) && !OFFER.test(sentence))
}

/** Any question that is more than an offer stands in its last words. */
export function asksAtAll(answer: string): boolean {
  const sentences = small(answer.slice(-SAID_LAST)).split(/(?<=[.!?])\s+/)
  return sentences.some((sentence) => sentence.endsWith('?') && !OFFER.test(sentence))
}

/** How an answer begins and ends, in small letters. */
export function ends(answer: string): string {
  const text =
    answer.length > SAID_FIRST + SAID_LAST ? `${answer.slice(0, SAID_FIRST)}\n${answer.slice(-SAID_LAST)}` : answer
  return small(text)
}
