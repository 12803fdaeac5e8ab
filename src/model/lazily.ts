/** A face whose code is loaded with the first question. Whatever it offers answers with a promise. */
export function lazily<Face extends Asynchronous<Face>>(load: () => Promise<Face>): Face {
  let loaded: Promise<Face> | null = null
  const ask =
    (question: string) =>
    async (...args: unknown[]) => {
      const face: object = await (loaded ??= load())
      return (face as Record<string, (...args: unknown[]) => unknown>)[question]?.(...args)
    }
  return new Proxy({} as Face, {
    get: (_, name) => (typeof name === 'string' && name !== 'then' ? ask(name) : undefined),
  })
}

type Asynchronous<Face> = { readonly [name in keyof Face]: (...args: never[]) => Promise<unknown> }
