import { ends } from './agent-phrases.ts'
import { phrases } from './phrases.ts'

// Each language as its grammar puts it: a no, what was tried, and what was to be known or mended.
const NO = "(?:not|\\p{L}+n't|never|cannot|unable to|failed to)"
const FAULT = '(?:bug|issue|problem|error|fault|leak|crash|test|failure|defect|symptom|regression)s?'
const CAUSE = '(?:cause|reason|culprit|origin|source|explanation|why|what|where)'

const UNSOLVED = phrases(
  `${FAULT} (?:\\p{L}+ ){0,6}?(?:is|are|remains?|stays?) (?:\\p{L}+ )?(?:not (?:yet )?(?:been )?(?:fixed|solved|resolved|found)|un(?:fixed|solved|resolved))`,
  `(?:have|has|is|are)(?: not|n't) (?:been |yet )*(?:fixed|solved|resolved) (?:the|this|that|your)|(?:could not|couldn't|did not|didn't) (?:find|determine|identify|locate|fix|solve) (?:the|this|that|its|a) (?:\\p{L}+ )?(?:cause|bug|problem|issue|reason|fix|solution)`,
  `(?:i|we|i've|we've|and|but)(?: \\p{L}+){0,2}? ${NO} (?:\\p{L}+ ){0,3}(?:find|found|figured?|work(?:ed)?|see|tell|say|explain(?:ed)?|determined?|identif(?:y|ied)|pin(?:ned)?|track(?:ed)?|understand|understood|discover(?:ed)?|locate[d]?) (?:\\p{L}+ ){0,4}${CAUSE}(?= (?:\\p{L}+|it|this)|[.,;:]|$)`,
  `${CAUSE} (?:\\p{L}+ ){0,6}?(?:is|are|remains?|stays?|was)(?: still| yet| as yet)? (?:unknown|unclear|open|a mystery|not (?:known|clear|found))`,
  `${FAULT} (?:itself |as such )?(?:is|are|remains?|persists?|stays?)(?: still)?(?: (?:in )?there| present| to be seen| unchanged| in the \\p{L}+)?(?= (?:and|so|but)|[.,;:]|$)(?<=persists?|there|present|seen|unchanged|in the \\p{L}+)`,
  `nothing (?:(?:i|we) \\p{L}+ |in \\p{L}+ |there )?(?:explains|accounts for)`,
  'nicht (?:behoben|gelöst)|(?:ursache|grund|fehler|problem)[^.\\n]{0,60} (?:nicht (?:\\p{L}+ )?(?:gefunden|finden|behoben|geklärt|klären|gelöst|lösen|bekannt)|unbekannt|unklar|besteht (?:weiterhin|noch|weiter))',
  'не (?:исправлен|решен|найден)\\p{L}*|(?:причина|ошибка|проблема)[^.\\n]{0,40} (?:неизвестна|не ясна|неясна|не найдена|осталась|остаётся|остается)',
  '(?:causa|error|problema)[^.\\n]{0,40} (?:desconocid\\p{L}+|persiste|continúa|sin resolver)',
  '(?:cause|erreur|problème)[^.\\n]{0,40} (?:inconnue?|persiste|non résolue?)',
  '原因(?:は|が|を)?[^。\\n]{0,20}(?:不明|未知|尚不|分か(?:って)?|わか(?:って)?|特定でき|突き止め)|(?:再現|解決|修正)でき(?:て)?(?:い)?(?:ません|ない|なかった)|(?:还|仍|暂时|尚|目前|依然|一直)?(?:没有?|未能?|无法|没能)(?:能|够)?(?:找到|确定|定位|查到|查明|解决|修复|复现|重现|搞清)|(?:仍然?|依然|还是)(?:会|是|报|返回|失败|存在|出现|无法|打不开)|(?:문제|원인|오류)[^.\\n]{0,20}(?:못했|않았|없었)',
)

/** What would be so if something were so. */
const CONDITION =
  /(?<![\p{L}])(?:if|when|whenever|in case|should|unless|falls|wenn|sollte|si|если|se)(?![\p{L}])[^.;\n]*|(?:如果|若|もし)[^。\n]*/gu

/** The agent says that what was wrong still is, or that it does not know why, whatever passes. */
export function leavesUnsolved(answer: string): boolean {
  return UNSOLVED.test(ends(answer).replace(CONDITION, ''))
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const NUMBER = `(?:\\d{1,5}|${NUMBERS.slice(1).join('|')})`
const numberOf = (word: string) => (/^\d+$/.test(word) ? Number(word) : NUMBERS.indexOf(word))
const COUNTED = new RegExp(
  `\\b(${NUMBER}|zero) (?:out )?of (?:the |all |your )?(${NUMBER})\\b[^.\\n]{0,60}?\\b(?:done|moved|migrated|fixed|converted|finished|completed?|ported|updated|passing|pass)\\b`,
)
const OTHERS = new RegExp(
  `\\b(?:other|remaining|rest of the|last|missing) (${NUMBER})\\b[^.\\n]*?\\b(?:no|not|\\p{L}+n't|never|still|later|left|open|missing|remain|skipped|untouched|unchanged|without|un\\p{L}+ed|next|follow|todo|tomorrow|need|needs)\\b`,
  'u',
)
const ASKED_FOR = new RegExp(`\\b(${NUMBER})\\b`, 'g')

/** The agent counts what it did, and it is less than all, or how many of those that were asked for it did not. */
export function fallsShort(answer: string, asked: string | null): boolean {
  const text = ends(answer)
  const [, done = '', all = ''] = COUNTED.exec(text) ?? []
  if (done !== '' && numberOf(done) < numberOf(all)) return true
  const [, left = ''] = OTHERS.exec(text) ?? []
  if (left === '' || asked === null) return false
  return [...ends(asked).matchAll(ASKED_FOR)].some(([, wanted = '']) => numberOf(wanted) > numberOf(left))
}
