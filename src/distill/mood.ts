/** Moods are told by short prompts; in a long one the same words are about the matter itself. */
const MAX_PROMPT = 400
const SAID_FIRST = 400
const SAID_LAST = 800

/** Scripts that put no space between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** Phrases as whole words, where the script has them, in small letters; `\b` would know no Cyrillic. */
function phrases(...lists: readonly string[]): RegExp {
  const spaced = lists.filter((list) => !UNSPACED.test(list)).join('|')
  const whole = String.raw`(?<![\p{L}\p{N}_])(?:${spaced})(?![\p{L}\p{N}_])`
  return new RegExp([whole, ...lists.filter((list) => UNSPACED.test(list))].join('|'), 'u')
}

const GAVE_UP = phrases(
  "never ?mind|forget (?:it|about it|this|that)|i'?(?:ll| will) [^.!?\\n]{1,40} (?:myself|by hand|manually)",
  "i give up|giving up|let'?s (?:leave|drop|scrap|abandon|stop) (?:it|this|that|here)|(?:leave|drop|scrap|abandon) (?:it|the (?:branch|idea|attempt|whole thing))|(?:some other|another) (?:day|time)|not worth it|this is (?:useless|hopeless|going nowhere)",
  'laisse tomber|tant pis|je (?:vais )?(?:le )?(?:fais|faire) moi-même|d[ée]jalo|olvídalo|lo hago yo(?: mism[oa])?|no vale la pena|deixa (?:pra lá|isso)|esquece',
  'もういい|諦め|やめ(?:て|ます|よう)|自分でやり|算了|不用了|我自己来|放弃',
  'vergiss (?:es|das)|lass (?:es|das|gut sein)|ich mach(?:e)? (?:das|es) selbst|egal|hat keinen sinn',
  'забей|забудь|не надо|ладно,? (?:я )?сам|сделаю сам(?:а)?|бросаем|хватит',
)
const THANKS = phrases(
  'thanks|thank you|thx|ty|cheers|perfect|excellent|awesome|brilliant|lgtm|well done|nice(?: work| one|ly done)?|great(?: work| job)?|love it|amazing',
  "looks (?:good|great|perfect)|(?:it |that |this )?works(?: now| great| perfectly| like a charm)|that'?s it|ship it|good job|good work|(?:that'?s )?good enough|that(?:'ll| will) do|all (?:good|set)",
  'danke(?: dir| schön)?|super|perfekt|prima|klasse|passt(?: so)?|reicht so|funktioniert jetzt|läuft',
  'спасибо|отлично|супер|идеально|работает|класс|круто|то что надо',
  '(?:muchas )?gracias|perfecto|genial|ya funciona|merci(?: beaucoup)?|parfait|(?:ça|cela) marche|impeccable|obrigad[oa]|perfeito|grazie|perfetto',
  'ありがとう|助かりました|完璧|いい感じ|谢谢|多谢|太好了|完美|可以了',
)
const COMPLAINT = phrases(
  'still (?!need|want|like|prefer|think|have to|would|use|valid|relevant|necessary|required|possible|supported|open|ok|okay|good|fine|apply|applies|make|makes|true)\\p{L}+',
  "(?:does|did|do)(?:n'?t| not) work|not working|isn'?t working|same (?:error|problem|issue|thing|result)|that'?s (?:wrong|not (?:right|it|what))|(?:not|(?:is|was)n'?t) what i",
  "you (?:broke|forgot|missed|ignored)|(?:it'?s|that'?s|this is) (?:worse|broken|wrong)|now it'?s (?:broken|worse)|nothing (?:changed|works|happens)|no change|made it worse",
  'geht (?:immer noch )?nicht|funktioniert (?:immer noch )?nicht|immer noch|schon wieder|falsch|das ist nicht',
  'не работает|всё ещё|все еще|всё равно|все равно|опять|снова не|не то|неправильно|стало хуже|сломал(?:ось|а)?',
  "siguen? (?:sin|fallando|igual|rot[oa]|mal)|(?:todavía|aún) (?:falla|no (?:funciona|va))|no funciona|(?:está|es) mal|el mismo error|(?:ne )?(?:marche|fonctionne) (?:toujours )?pas|toujours (?:pas|la même|cassé|le même)|c'est (?:faux|cassé)|même erreur|não funciona|ainda (?:falha|dá erro)|continua (?:falhando|quebrad[oa]|com erro)|non funziona",
  'まだ(?:直|動|エラー|同じ|だめ|ダメ|おかし)|動(?:きません|かない|いていません)|直って(?:い)?(?:ません|ない)|同じエラー|^(?:違い|間違)|还是(?:不|没|报|一样|有问题)|仍然(?:不|没|报|失败)|没有(?:用|效果|变化)|没修好|同样的(?:错误|问题)|^不(?:行|对)|^错了|(?:弄|改)错了',
)
const CORRECTION = phrases(
  "as i (?:said|wrote|asked)|i (?:said|told you|asked you|meant)|why did you|you (?:should(?:n'?t)? have|were supposed to|keep)|not like that|(?:that|this|it)(?:'s| is| was) (?:wrong|not (?:right|correct|what|how|it|true|working|\\p{L}+ing))|wrong (?:file|branch|one|approach|place|way|direction)",
  'nicht so|ich (?:hatte|habe) (?:doch )?gesagt|ich wollte|warum hast du',
  'не так|не надо было|я (?:же )?(?:сказал|просил|имел)а?|зачем ты|почему ты',
  'así no|eso no|te (?:dije|pedí)|pas comme ça|je (?:t|v)(?:ous )?ai (?:dit|demandé)|não (?:é )?(?:isso|assim)|eu (?:disse|pedi)',
  'そうではな|そうじゃな|と言いました|不是(?:这|那)|我(?:说|要)的是',
)
/** Words that say so only where a prompt begins with them. */
const OBJECTION =
  /^(?:no|nope|wrong|stop|wait|don'?t|do not|actually|nein|falsch|halt|stopp|нет|стой|подожди|неправильно|non|não|attends|espera)(?![\p{L}\p{N}_])/u
const TAKEN_BACK = phrases(
  '(?:revert|undo|roll ?back|discard|throw away) (?:it|this|that|these|those|all|everything|the|your|my|changes?)|reset --hard|put it back',
  'mach(?:e)? (?:das|es|alles) rückgängig|zurücksetzen',
  'верни (?:как было|обратно|всё|все)|откати|отмени',
  'revierte(?:lo)?|deshaz(?:lo)?|deshacer (?:todo|eso|esto)|annule (?:tout|ça|les|tes)|reviens en arrière|desfaz|reverte',
  '元に戻し|取り消し|撤销|回滚|还原|恢复原',
)

/** A prompt that says stop and not what to stop doing: `stop using tabs` is an order. */
const HALT =
  /^(?:ok(?:ay)?,? |no,? |please )*(?:stop|cancel|abort|halt|quit|enough|stopp|стоп)(?: (?:it|this|that|here|now|please|everything|all|for (?:now|today)))*\s*(?:$|[.,;:!—–-])/
const TAKEN_NOTE =
  /^(?:(?:ah|oh|ok|okay|k|alright|all right|fine|cool|good|got it|understood|i see|noted|makes sense|fair enough|sounds good|gut|verstanden|alles klar|хорошо|ясно|понятно|ладно|vale|de acuerdo|entendido|d'accord|はい|了解(?:です|しました)?|わかりました|好(?:的|吧)?|嗯|明白(?:了)?)[\s,.!,。!]*)+$/u
/** Something to do, beside what else a prompt says. */
const MORE = phrases(
  "(?:now|next|also|then|please|can you|could you|let'?s|jetzt|bitte|noch|dann) (?!for|that|on|it works)\\p{L}+",
)

function inPrompt(prompt: string, mood: RegExp): boolean {
  return prompt.length <= MAX_PROMPT && mood.test(small(prompt.trim()))
}

/** The person wants no more of it. */
export const gaveUp = (prompt: string): boolean => inPrompt(prompt, GAVE_UP) || inPrompt(prompt, HALT)
/** The person is content: thanks without a complaint or a correction beside them. */
export const isThanks = (prompt: string): boolean => inPrompt(prompt, THANKS) && !isCorrection(prompt)
/** The person has taken note, and says no more. */
export const takesNote = (prompt: string): boolean => TAKEN_NOTE.test(small(prompt.trim()))
/** There is more to do. */
export const asksMore = (prompt: string): boolean => inPrompt(prompt, MORE)
/** What was done does not do. */
export const isComplaint = (prompt: string): boolean => inPrompt(prompt, COMPLAINT)
/** The person wants what was done undone. */
export const takesBack = (prompt: string): boolean => inPrompt(prompt, TAKEN_BACK)
/** The person says that the agent went the wrong way. */
export function isCorrection(prompt: string): boolean {
  if (inPrompt(prompt, COMPLAINT)) return true
  if (ASKS_POLITELY.test(small(prompt.trim()))) return false
  return inPrompt(prompt, OBJECTION) || inPrompt(prompt, CORRECTION) || inPrompt(prompt, TAKEN_BACK)
}

/** A request, whatever else it mentions. */
const ASKS_POLITELY = /^(?:ok(?:ay)?,? |please |and |so |also )*(?:can|could|would|will|should) (?:you|we|i)\b/

const GREETING = phrases(
  "hi+|hello|hey+|yo|good (?:morning|afternoon|evening|day)|how are you(?: doing)?(?: today)?|what'?s up|are you there|ping|test(?:ing)?|hallo|guten (?:morgen|tag|abend)|moin|servus|hola|buenos días|buenas (?:tardes|noches)|bonjour|salut|ciao|olá|привет|здравствуй(?:те)?|добрый (?:день|вечер)|доброе утро",
  '你好|您好|早上好|在吗|こんにちは|おはよう(?:ございます)?',
)

/** A greeting or a single word: nothing that could succeed or fail. */
export function isTrivial(prompt: string): boolean {
  const text = small(prompt.trim())
  if (/^\/|[?？]$/.test(text) && !GREETING.test(text)) return false
  const rest = text
    .replace(new RegExp(GREETING, 'gu'), '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return rest === '' || /^(?:there|claude|codex|grok|everyone|[\p{N}]+)$/u.test(rest)
}

/** A prompt that wants an answer, not a change. */
export function isQuestion(prompt: string): boolean {
  const text = prompt.trim().slice(0, 100).toLowerCase()
  if (/^(?:can|could|would|will) you (?!tell|explain|show|say)/.test(text)) return false
  return (
    /[?？]$|(?:ですか|ますか|吗|呢)[。.]?$/.test(prompt.trimEnd()) ||
    /^(?:what|where|why|how|which|who|when|is|are|does|do|did|explain|describe|tell me|summari[sz]e|list|compare|was|wie|warum|wo|welche|что|как|почему|где|зачем|объясни|qué|cómo|dónde|por qué|explica(?:me)?|explícame|pourquoi|comment|où|explique)(?![\p{L}\p{N}_])/u.test(
      text,
    )
  )
}

const DEFEAT = phrases(
  "i(?:'m| am| was|'ve been| have been) unable to|i(?:'m not| am not| was not| wasn't| haven't been| have not been| will not be| won't be) able to (?:get|make|fix|complete|finish|reproduce|proceed|continue|update|connect|solve|install|build|access|reach|resolve|do|create|download)",
  "(?:i |we )?(?:could not|couldn't|can ?not|can't) (?:get (?:it|this|the)|make (?:it|this|the)|fix|complete|finish|reproduce|proceed|continue|solve|resolve|install|build)",
  'unable to (?:complete|finish|proceed|continue|fix|solve|resolve|update|install|build|reproduce|connect)|(?:tests?|specs?|builds?|it|they|checks?) (?:is |are )?still (?:fails?|failing|broken|red)|still (?:failing|not working|broken)',
  "did not succeed|without success|i (?:have )?failed to|remains? (?:broken|failing|unsolved|unresolved)|i(?: a|')m (?:stuck|blocked)|is blocked (?:by|on)|i give up",
  'konnte (?:ich )?(?:es |das |die |den )?nicht|(?:leider )?nicht gelungen|не удалось|не смог(?:ла)?|не получилось',
  "no (?:pude|he podido|fue posible|logré)|je n'ai pas (?:pu|réussi)|não (?:consegui|foi possível)|sigue(?:n)? fallando",
  'できませんでした|まだ失敗|无法(?:完成|修复|解决|继续)|没能|仍然失败|仍有\\d*个?(?:测试)?失败',
)
const IMPOSSIBLE = phrases(
  "i(?:'m| am)? ?(?:can ?not|can't|won't|will not|not able to|unable to) (?:help|assist|do that|do this|provide that)",
  "(?:is|are|was)(?: simply)?(?: not|n't) possible(?! to tell)|(?:is|was) impossible|(?:i |i've |i have )?reverted (?:my|all|the) (?:changes|attempts?|edits)",
  'ist nicht möglich|dabei kann ich nicht helfen|невозможно',
)
const REST = phrases(
  "(?:is|are|'s|'re) not (?:yet )?(?:done|finished|complete[d]?|implemented|migrated|converted|translated|ported|covered) yet",
  '(?:is|are) (?:yet|still) to (?:do|be done|be written|be migrated)|(?:is|are) still (?:missing|open|to do|undone|unfinished)|left (?:to do|undone)',
  'fehlt(?:en)? noch|noch nicht fertig|ещё не (?:готово|сделан\\p{L}*)|осталось сделать',
)
const UNRELATED = phrases(
  '(?:pre-?existing|unrelated|not (?:related|caused)|already (?:failing|broken|failed)|known (?:test )?(?:fail\\p{L}*|issues?|errors?|flak\\p{L}*))|with(?: and |/| or )without (?:my|this|the|these) (?:change|patch|edit)s?|(?:failed|failing|fails?) before (?:my|the|this)|also (?:fails?|failing) on (?:main|master)|unabhängig von|не связан\\p{L}*',
)
const BLOCKING = phrases(
  'which (?:one|of|option|approach|\\p{L}+) (?:do|would|should)|before i (?:start|begin|proceed|go|continue|make|can)|should i|shall i|do you (?:want|prefer|have)|would you prefer|please (?:confirm|provide|share|clarify|tell|specify|let me know (?:which|what|how|whether))',
  '(?:can|could) you (?:please )?(?:confirm|provide|share|clarify|tell|specify|paste|start|check|grant|run)|how (?:do|would|should) (?:you|i|we)|what (?:do|would|should) (?:you|i)|i need (?:you|more|the|a few)|waiting for your|awaiting your|which \\p{L}+|go ahead\\?',
  'soll ich|möchtest du|welche[srnm]?|bitte (?:bestätige|gib)|какой|какую|мне (?:нужно|сделать)|подтвердите|уточните',
)
const OFFER = phrases(
  "would you like me to (?:also|add|write|commit|open|create|run|go|explain|show|update|push)|want me to|let me know if|feel free|i can also|if you(?:'d| would)? (?:like|want)|happy to|shall i also|should i also|anything else",
)

/** The agent says that it did not get there. */
export function admitsDefeat(answer: string): boolean {
  return DEFEAT.test(ends(answer))
}

/** The agent says that it cannot be done at all, or that it will not do it. */
export function callsImpossible(answer: string): boolean {
  return IMPOSSIBLE.test(ends(answer))
}

const LEAD = 200
const LACKS = phrases(
  "i (?:do not|don't|did not|didn't) (?:know|have (?:the |any |enough |direct |network |internet )*(?:ability|access|permissions?|means|credentials|visibility|tools?|way))",
  "i (?:can ?not|can't|could not|couldn't|am not able to|was not able to|wasn't able to|am unable to|was unable to) (?:tell|say|determine|answer|access|open|run|execute|browse|search|find|fetch|retrieve|get|load|inspect|read|see|provide|help|assist|do (?:that|this|it|so)|perform|reach|connect|view|look|watch|hear|send|sign|log in)",
  "i(?:'m| am| was) (?:not able|unable) to|i wasn't able to|i (?:will not|won't|must decline to|refuse to)|i'm not going to|i was not allowed|i wasn't allowed|i have no (?:way|access|means|ability|permission)|not something i can|there(?:'s| is) no way for me",
  '(?:das )?(?:weiß|kann) ich (?:leider |hier |das |dir )*nicht|ich (?:kann|darf|konnte) (?:das |dir |es |hier |leider |den |die )*nicht|ich habe (?:hier |leider )?keinen? (?:zugriff|zugang|möglichkeit)',
  '(?:я )?не (?:могу|знаю|имею доступа)|у меня нет (?:доступа|возможности)',
  "no (?:puedo|sé|tengo (?:acceso|permiso))|je ne (?:peux|sais) pas|je n'ai pas (?:accès|le droit)|não (?:posso|sei|tenho acesso)",
  '(?:我)?(?:无法|不能|没法|没有权限|不知道)|できません|分かりません|わかりません|権限がありません',
)

/** The agent says first of all that it has not the means, the right or the knowledge. */
export function lacksMeans(answer: string): boolean {
  return LACKS.test(small(answer.trimStart().slice(0, LEAD)))
}

const LATER = phrases(
  "(?:is|are) still running|i(?:'ll| will) (?:tell|let|report|notify|update|come back to|get back to) (?:you )?[^.\\n]{0,60}(?:as soon as|once|when)|will take a while",
  'läuft noch|ich melde mich|ещё выполняется|сообщу,? когда|sigue ejecutándose|te aviso cuando',
  '还在运行|完成后我会',
)

/** The agent says that what it started goes on. */
export function goesOnLater(answer: string): boolean {
  return LATER.test(ends(answer))
}

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const numberOf = (word: string) => (/^\d+$/.test(word) ? Number(word) : NUMBERS.indexOf(word))
const COUNTED = new RegExp(
  `\\b(\\d{1,5}|${NUMBERS.join('|')}) (?:out )?of (?:the |all |your )?(\\d{1,5}|${NUMBERS.slice(1).join('|')})\\b[^.\\n]{0,60}?\\b(?:done|moved|migrated|fixed|converted|finished|completed?|ported|updated|passing|pass)\\b`,
)

/** The agent counts what it did, and it is less than all. */
export function fallsShort(answer: string): boolean {
  const [, done = '', all = ''] = COUNTED.exec(small(answer.slice(0, SAID_FIRST))) ?? []
  return done !== '' && numberOf(done) < numberOf(all)
}

/** The agent says that part of what was asked is not done. */
export function leavesRest(answer: string): boolean {
  return REST.test(ends(answer))
}

const UNTRIED = phrases(
  "(?:could|can)(?:n't| not|not) (?:\\p{L}+ )?(?:test|verify|check|try|run|confirm|validate)|(?:haven't|have not|did not|didn't) (?:been able to |\\p{L}+ )?(?:test|tested|verify|verified|check|checked|tried|try|ran|run)",
  '(?:un|not (?:been |yet )?)(?:tested|verified)|tests? (?:\\p{L}+ )?not (?:been )?run|without (?:testing|running|verifying|trying)|should (?:now |all |just |still )*(?:work|pass|compile|build|run|behave|fix|resolve|solve|be (?:fixed|resolved|fine|ok|good|working))',
  'sollte (?:jetzt |nun )?(?:es |das )?(?:gehen|funktionieren|laufen|klappen)|nicht getestet|должно (?:\\p{L}+ )?работать|не проверял',
)

/** The agent says that it did not try what it made, or only hopes. */
export function isUntried(answer: string): boolean {
  return UNTRIED.test(ends(answer))
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
  if (!last.includes('?') && !/please (?:confirm|provide|share|clarify|specify)/.test(last)) return false
  const question = last.slice(0, last.lastIndexOf('?') + 1) || last
  const sentences = question.split(/(?<=[.!?])\s+/).slice(-3)
  return sentences.some((sentence) => BLOCKING.test(sentence) && !OFFER.test(sentence))
}

function ends(answer: string): string {
  const text =
    answer.length > SAID_FIRST + SAID_LAST ? `${answer.slice(0, SAID_FIRST)}\n${answer.slice(-SAID_LAST)}` : answer
  return small(text)
}

function small(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}
