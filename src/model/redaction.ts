import type { Redaction } from './resource.ts'

/** The redaction of a zone without a setting: everything is on. */
export const defaultRedaction: Redaction = Object.freeze({
  authorization: true,
  cookies: true,
  queryCredentials: true,
  cardNumbers: true,
  queryParameters: Object.freeze([]),
})
