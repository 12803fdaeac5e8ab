import { isQuestion } from './person-phrases.ts'
import { phrases, small } from './phrases.ts'

const MAX_PROMPT = 400

/** What people say of a thing that is not right, in each language with its no. */
const FAULT = phrases(
  "no|not|\\p{L}+n't|cannot|never|nothing|nowhere|without|lost|loses?|lacks?|gone|missing|empty|blank|wrong|broken?|breaks?|crash\\p{L}*|errors?|exceptions?|fails?|failing|failed|failures?|dies|died|hangs?|hung|freez\\p{L}+|froze|lags?|jitter\\p{L}*|flicker\\p{L}*|slower|worse|twice|duplicate[sd]?|off by|stuck|stale|garbled|cut off|overlap\\p{L}*|unreadable|disappear\\p{L}*|vanish\\p{L}*|40[0134]|50[0234]|stack ?trace|segfault\\p{L}*|undefined|nan|but|still|instead",
  'nicht|kein\\p{L}*|nie|nichts|weiterhin|nach wie vor|noch immer|immer noch|weg|fehl(?:t|en|er\\p{L}*)|leer|kaputt|falsch|stürzt|hängt|doppelt|verschwunden|langsamer|schlechter|aber',
  'tampoco|siguen?|fall(?:a|an|ó|ando)|rot[oa]|vací[oa]|desaparec\\p{L}+|pero|todavía|aún|peor|pas|plus|rien|toujours|encore|erreur|cassée?|plante|mais|faux|disparu\\p{L}*',
  'não|ainda|continua|erro|quebr\\p{L}+|falh\\p{L}+|sumiu|non|ancora|errore|rott[oa]|manca|sparit[oa]',
  'не|нет|ошибк\\p{L}*|падает|упал[оа]?|пропал\\p{L}*|сломал\\p{L}*|пуст\\p{L}+|но|опять|снова|хуже',
  '没|不|还是|错|报错|失败|空白|空着|消失|卡|崩溃|但是|ない|ません|エラー|まだ|おかし|消え|壊れ|でも|けど|안 |않|못|오류|에러|아직|여전히',
)
/** A prompt that begins so wants something, whatever it mentions. */
const ORDERS =
  /^(?:(?:ok(?:ay)?|so|and|now|next|also|then|please|great|nice|thanks|yes|yeah|good|perfect|cool|alright)[,.!]? )*(?:(?:now|next|also|then)(?! (?:the|it|its|it's|this|that|these|they|there|my|our|all|every\p{L}*|nothing|some|only|i (?:get|see|have))(?![\p{L}]))|please|can|could|would|let'?s|add|make|write|create|implement|fix|change|rename|remove|delete|update|upgrade|move|use|try|run|commit|push|merge|open|close|show|check|look|put|set|turn|keep|drop|leave|build|deploy|test|review|explain|describe|tell|give|list|find|continue|go|do|don'?t|never ?mind|forget|stop|revert|undo|refactor|split|extract|replace|convert|port|bump|document|i (?:want|need|would like)|bitte|mach\p{L}*|füge|ändere|entferne|por favor|añade|cambia|quita|s'il te plaît|ajoute|change|добавь|сделай|измени|убери|请|把|加|改|帮)(?![\p{L}])/u

const FINE =
  /(?<![\p{L}])(?:fine|ok|okay|good|great|perfect|thanks?|thank you|danke|passt|gracias|merci|obrigad[oa]|спасибо|хорошо)(?![\p{L}])|谢谢|ありがとう|没问题|没事/u
const YET = /(?<![\p{L}])(?:but|however|though|except|wait|aber|pero|mais|mas|но)(?![\p{L}])|但|けど/u

/** In few words, and not as an order or a question, the person says what is wrong with what was made. */
export function reportsFault(prompt: string): boolean {
  if (prompt.length > MAX_PROMPT || isQuestion(prompt)) return false
  const text = small(prompt.trim())
  if (text.startsWith('/') || ORDERS.test(text) || (FINE.test(text) && !YET.test(text))) return false
  return FAULT.test(text)
}
