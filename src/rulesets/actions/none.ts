import type { JsonObject } from '../../model/resource.ts'
import type { Fields } from '../reading.ts'

const noParameters: ReadonlySet<string> = new Set()

/** Actions without parameters; an empty object is accepted, because Terraform sends one with every rule. */
export function checkNoParameters(parameters: Fields): JsonObject {
  parameters.allowOnly(noParameters)
  return parameters.plain()
}
