import { UserError } from '../../model/errors.ts'
import { http } from './http.ts'
import { onnx } from './onnx.ts'
import type { EmbedConfig, Provider } from './provider.ts'
import { useLite } from './use-lite.ts'

/** THE list of providers. Without a choice of the user's, the first that is ready. */
export const providers: readonly Provider[] = [http, onnx, useLite]

/** The provider to use, or why there is none. */
export function chooseProvider(config: EmbedConfig): Provider | UserError {
  const named = providers.find(({ name }) => name === config.provider)
  if (named === undefined) {
    const ready = providers.find((provider) => provider.missing(config) === null)
    return ready ?? noModel('there is no model on this machine', useLite.hint(config))
  }
  const missing = named.missing(config)
  return missing === null ? named : noModel(`${named.name}: ${missing}`, named.hint(config))
}

function noModel(reason: string, hint: string): UserError {
  return new UserError('NO_MODEL', `no search by meaning: ${reason}; search by words is complete without`, hint)
}
