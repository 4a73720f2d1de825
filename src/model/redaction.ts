import type { Redaction } from './resource.ts'

/** What is taken out of the records of a zone that says nothing else: everything. */
export const defaultRedaction: Redaction = Object.freeze({
  authorization: true,
  cookies: true,
  queryCredentials: true,
  cardNumbers: true,
  queryParameters: Object.freeze([]),
})
