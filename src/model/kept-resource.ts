import type { JsonObject } from './resource.ts'

/** A resource of Cloudflare's API that is stored and returned, and that nothing here evaluates. */
export interface KeptResource {
  /** `page_rule`, `healthcheck` …: one of src/coverage/kept/table.ts. */
  readonly kind: string
  readonly id: string
  readonly createdOn: string
  readonly modifiedOn: string
  /** Its members as they were sent, with their defaults. */
  readonly document: JsonObject
}
