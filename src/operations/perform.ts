import { accepted } from './input.ts'
import type { Document, Operation, OperationContext } from './operation.ts'
import { onReadyStore } from './ready-store.ts'
import { SCHEMA_VERSION } from './session-document.ts'

/** Runs an operation on an input from outside; what comes is the JSON document that every face gives. */
export async function perform<Input, Result, Doc extends Document>(
  context: OperationContext,
  operation: Operation<Input, Result, Doc>,
  input: unknown,
): Promise<{ readonly schema_version: number } & Doc> {
  const asked = accepted(operation.input, input)
  const result = await onReadyStore(context, () => operation.run(context, asked))
  return { schema_version: SCHEMA_VERSION, ...operation.document(result, asked) }
}
