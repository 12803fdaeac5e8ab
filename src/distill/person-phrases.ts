import { phrases, small } from './phrases.ts'

/** Moods are told by short prompts; in a long one the same words are about the matter itself. */
const MAX_PROMPT = 400

const GAVE_UP = phrases(
  "never ?mind|forget (?:it|about it|this|that)|i'?(?:ll| will) [^.!?\\n]{1,40} (?:myself|by hand|manually)",
  "i give up|giving up|let'?s (?:leave|drop|scrap|abandon|stop) (?:it|this|that|here)|(?:leave|drop|scrap|abandon) (?:it|the (?:branch|idea|attempt|whole thing))|(?:some other|another) (?:day|time)|not worth it|this is (?:useless|hopeless|going nowhere)",
  'no need(?: for (?:it|this|that))?(?: any ?more| any longer)|(?:no longer|not) (?:needed|necessary)(?: any ?more| any longer)?|(?:someone|somebody|\\p{L}+) (?:else )?(?:has )?already (?:fixed|did|done|solved|mended) (?:it|this|that)',
  'brauch(?:e|en|t) (?:\\p{L}+ )?nicht mehr|hat sich erledigt|(?:больше|уже) не (?:нужно|надо)|ya no (?:hace falta|lo necesit\\p{L}+)|plus besoin|não precisa mais|不需要了|もう(?:必要|不要)',
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
  "you (?:broke|forgot|missed|ignored)|(?:it'?s|that'?s|this is) (?:worse|broken|wrong)|now it'?s (?:broken|worse)|nothing (?:changed|works|happens)|no change|made it worse|(?<!(?:works?|working|behaves?|runs?|keeps?|stays?|be) (?:the )?)(?:just|same|exactly)(?! (?:works?|working|behaves?|runs?|keeps?|stays?))(?: \\p{L}+)?(?: \\p{L}+)? (?:as|like) before",
  "(?:even|much|far) (?:worse|slower|more (?:broken|errors))|(?:is|are|it's|comes?|came) back again|now (?:it|they|the \\p{L}+|everything|nothing) (?:\\p{L}+ )?(?:fails?|crash\\p{L}*|breaks?|lags?|hangs?|freezes?|throws?|loops?|flickers?|disappears?|works?(?= worse| less))",
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
/** The person says what they had asked for, or that it went wrong. */
export const reproaches = (prompt: string): boolean => inPrompt(prompt, CORRECTION)
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
  "hi+|hello|hey+|yo|good (?:morning|afternoon|evening|day)|how are you(?: doing)?(?: today)?|what'?s up|(?:are )?you (?:there|awake|up|around|online|alive|ready)|any(?:one|body) (?:there|home)|ping|test(?:ing)?|just (?:test|check|try)ing(?: (?:if|whether|that) (?:you(?:'re| are)|this|it)(?: is)?(?: (?:there|awake|up|around|online|alive|ready|works?|on))?)?|nothing(?: (?:yet|now|for now|right now|today))?|nur ein test|hallo|guten (?:morgen|tag|abend)|moin|servus|hola|buenos días|buenas (?:tardes|noches)|bonjour|salut|ciao|olá|привет|здравствуй(?:те)?|добрый (?:день|вечер)|доброе утро",
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

const OPENING =
  '^(?:(?:please|ok(?:ay)?|now|hey|hi|so|and|then|can you|could you|would you|i want you to|bitte)[,:]? )*'
const LOOKS =
  'check|verify|confirm|look|see|find|search|investigate|analy[sz]e|audit|inspect|examine|test|debug|figure|make sure|' +
  'ensure|read|review|count|prüf\\p{L}*|проверь'
const WORDS_WANTED = new RegExp(
  `${OPENING}(?:${LOOKS}|explain|describe|compare|summari[sz]e|list|tell|show|give|plan|think|propose|suggest|brainstorm|` +
    'draft|(?:an? |the |some |one )?(?:short |simple |quick |good |better |bash |shell |python |git |docker |kubectl |postgres |excel )?(?:sql|query|reg(?:ular )?ex(?:p|pression)?|one-?liner|snippet|formula|command(?: line)?|cron(?:tab)?(?: line| expression| entry)?|jq|awk|sed|xpath|selector|slogan|tagline|synonyms?|titles?|summary|translation|examples?|pros and cons|differences?|advice|opinion|ideas?)(?= (?:for|to|that|which|of|about|in|with|between|on)(?![\\p{L}]))|' +
    'write (?:me )?(?:an?|one|two|three|some)(?! .*(?:script|test|function|class|program|tool|bot|module))|' +
    '(?:translate|rephrase|reword|shorten|proofread|convert)(?=[^\\n]{0,60}:)|name|estimate|remember|say|answer|reply|' +
    'repeat|erklär\\p{L}*|zeig\\p{L}*|vergleich\\p{L}*|объясни|покажи|сравни)(?![\\p{L}\\p{N}_])',
  'u',
)
const LOOK_WANTED = new RegExp(`${OPENING}(?:${LOOKS})(?![\\p{L}\\p{N}_])`, 'u')
/** What brings along the text it is about. */
const BRINGS_TEXT = /[:\n`"]/

/** A prompt that wants something done: neither a question nor one that words alone could answer. */
export function isOrder(prompt: string): boolean {
  const text = small(prompt.trim())
  return text !== '' && !isQuestion(prompt) && !WORDS_WANTED.test(text) && !text.startsWith('/')
}

/** A prompt to which nobody can say anything without having looked. */
export function wantsLook(prompt: string): boolean {
  const text = small(prompt.trim())
  return !isQuestion(prompt) && LOOK_WANTED.test(text) && !BRINGS_TEXT.test(text)
}

const RED_WANTED =
  /(?:write|add|create|commit|make)(?: me)? (?:[^.\n]{0,30} )?(?:failing|red) (?:\p{L}+ )?(?:test|spec|case)s?(?![\p{L}\p{N}_])/u
const GREEN_WANTED = /(?<!(?:do not|don't|not|without) (?:\p{L}+ )?)(?:fix|pass|implement|green|solve|repair|mend)/u

/** Tests that fail are what is wanted: `write a failing test, don't fix it yet`. */
export function wantsRed(prompt: string): boolean {
  const text = small(prompt)
  return RED_WANTED.test(text) && !GREEN_WANTED.test(text)
}

const PERMITS =
  /(?<![\p{L}])(?:if|when|wenn|falls|если|si) [^.\n]{0,40}(?:nothing|none|no |isn't|aren't|not |unchanged|up to date|nichts|kein|нечего|ничего|nada|rien)[^.\n]{0,80}/u

/** What is to be done only if something is so: `if the job fails, mend it`. */
const CONDITIONAL = new RegExp(
  `${OPENING}(?:if|in case|should|falls|wenn|sollte|si|se|если)(?! (?:you (?:can|could|would|have time|don't mind)|possible)(?![\\p{L}]))[^.\\n]{3,80},|^(?:如果|もし)`,
  'u',
)

/** To do nothing may be what is wanted: `if nothing is outdated, do nothing`. */
export function permitsNothing(prompt: string): boolean {
  const text = small(prompt.trim())
  return PERMITS.test(text) || CONDITIONAL.test(text)
}

const CHECKS = phrases(
  '(?:ci|checks?|pipelines?|jobs?|workflows?|builds?|actions|e2e) [^.\\n]{0,60}(?:green|pass\\p{L}*|through|red|fail\\p{L}*)|(?:green|passing|pass) [^.\\n]{0,40}(?:ci|checks?|pipelines?|jobs?|workflows?|builds?|actions)|(?:wait|watch|keep an eye)[^.\\n]{0,40}(?:ci|checks?|pipelines?|jobs?|workflows?|builds?|actions|run)',
  '(?:pipeline|ci|build|checks?)[^.\\n]{0,40}(?:grün|rot|durch|зел[её]н\\p{L}*|verde|vert)',
)

/** What others' machines say of the work is what is wanted. */
export const wantsChecks = (prompt: string): boolean => CHECKS.test(small(prompt))

const NO_TESTS =
  /(?<![\p{L}])(?:don'?t|do not|no need to|without|skip|only|nicht|ohne|не) [^.\n]{0,30}(?:test|run|verif|check|try|e2e|deploy)/u

/** Not to try it, or not all of it, is what is wanted. */
export const forbidsTests = (prompt: string): boolean => NO_TESTS.test(small(prompt))

const STARTS = new RegExp(`${OPENING}(?:re)?(?:start|launch|trigger|kick off|spin up|boot)(?![\\p{L}\\p{N}_])`, 'u')

/** All that is wanted is that something runs. */
export const wantsStart = (prompt: string): boolean => STARTS.test(small(prompt.trim()))

/** A prompt that wants an answer, not a change. */
export function isQuestion(prompt: string): boolean {
  const text = prompt.trim().slice(0, 100).toLowerCase()
  if (/^(?:can|could|would|will) you (?!tell|explain|show|say)/.test(text)) return false
  return (
    /[?？]$|(?:ですか|ますか|吗|呢)[。.]?$/.test(prompt.trimEnd()) ||
    /^(?:what|where|why|how|which|who|when|is|are|does|do (?:i|you|we|they|these|those|all|any)|did|explain|describe|tell me|summari[sz]e|list|compare|was|wie|warum|wo|welche|что|как|почему|где|зачем|объясни|qué|cómo|dónde|por qué|explica(?:me)?|explícame|pourquoi|comment|où|explique)(?![\p{L}\p{N}_])/u.test(
      text,
    )
  )
}
