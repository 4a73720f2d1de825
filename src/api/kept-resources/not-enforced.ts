import type { WithoutMeaning } from '../../coverage/index.ts'
import type { NotEnforced } from '../../model/resource.ts'
import { type Message, notEnforcedMessage } from '../http/envelope.ts'
import { ApiError, apiErrors, entry } from '../http/errors.ts'

/**
 * @returns a message for each part of a written document that has no effect
 * @throws ApiError 400 where the installation refuses them
 */
export function requireEnforced(
  parts: readonly WithoutMeaning[],
  notEnforced: NotEnforced,
): readonly Message[] {
  if (notEnforced === 'refuse' && parts.length > 0)
    throw new ApiError(
      400,
      parts.map(({ pointer, what, why }) => entry('withoutMeaning', { what, why }, pointer)),
    )
  return parts.map(part => notEnforcedMessage({ code: apiErrors.withoutMeaning.code, message: noteOf(part) }))
}

export function noteOf({ what, why }: WithoutMeaning): string {
  return `${what} has no meaning on a self-hosted edge: ${why}`
}
