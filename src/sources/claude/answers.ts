import { asArray, asObject, asText, type Json } from '../kit/json.ts'

/** What a person wrote themselves when the agent asked them to choose; what they only chose is the agent's own words. */
export function wordsAnswered(result: Json | null): string {
  const answers = asObject(result?.['answers'])
  if (answers === null) return ''
  const notes = asObject(result?.['annotations'])
  const questions = asArray(result?.['questions']).map((question) => asObject(question))
  return Object.entries(answers)
    .flatMap(([question, answer]) => {
      const asked = questions.find((each) => each?.['question'] === question)
      const labels = asArray(asked?.['options']).map((option) => asText(asObject(option)?.['label']) ?? '')
      return [ownWords(asText(answer) ?? '', labels), asText(asObject(notes?.[question])?.['notes']) ?? '']
    })
    .filter((words) => words !== '')
    .join('\n')
}

/** Several that were chosen stand behind one another, and what was written behind them. */
function ownWords(answer: string, labels: readonly string[]): string {
  let rest = answer.trim()
  for (;;) {
    const label = labels.find((each) => each !== '' && (rest === each || rest.startsWith(`${each}, `)))
    if (label === undefined) return rest
    rest = rest.slice(label.length).replace(/^, /, '')
  }
}
