const LONGEST = 64

/** One word that can be seen. */
export function isTag(word: string): boolean {
  return word.length <= LONGEST && /^[^\s\p{C}]+$/u.test(word)
}
