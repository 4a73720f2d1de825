import type { Json, JsonObject } from '../model/resource.ts'
import { coverageLimits } from './limits.ts'

/** A managed resource of a Terraform plan or state. */
export interface PlannedResource {
  /** `module.shop["a"].cloudflare_ruleset.waf` */
  readonly address: string
  readonly type: string
  /** Without values that are known only after an apply. */
  readonly values: JsonObject
}

/** The text is no output of `terraform show -json`, or is too large. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

/**
 * The managed resources in the output of `terraform show -json` or `tofu show -json`: those of a plan after its apply, or
 * those of a state.
 * @source Terraform, JSON output format
 * @throws PlanError
 */
export function readPlan(text: string): readonly PlannedResource[] {
  const document = parsed(text)
  const values = objectIn(document, 'planned_values') ?? objectIn(document, 'values')
  if (values === undefined) {
    throw new PlanError(
      'there is no planned_values and no values in it: make the file with `terraform show -json PLAN > plan.json`',
    )
  }
  const resources: PlannedResource[] = []
  const modules: (JsonObject | undefined)[] = [objectIn(values, 'root_module')]
  for (const module of modules) {
    if (module === undefined) continue
    modules.push(...objectsIn(module, 'child_modules'))
    for (const resource of objectsIn(module, 'resources')) {
      const { address, type, mode } = resource
      if (mode !== 'managed' || typeof address !== 'string' || typeof type !== 'string') continue
      if (resources.length >= coverageLimits.planResourcesMax)
        throw new PlanError(`it has more than ${coverageLimits.planResourcesMax} resources`)
      resources.push({ address, type, values: objectIn(resource, 'values') ?? {} })
    }
  }
  return resources
}

function parsed(text: string): JsonObject {
  requireShallow(text)
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new PlanError(`it is not JSON: ${(error as Error).message}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new PlanError('it is not a JSON object')
  return document as JsonObject
}

/** Checks of documents recurse. */
function requireShallow(text: string): void {
  const { planLevelsMax } = coverageLimits
  let level = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') {
      if (++level > planLevelsMax)
        throw new PlanError(`it has more than ${planLevelsMax} levels of objects and arrays`)
    } else if (char === '}' || char === ']') level--
  }
}

function objectIn(object: JsonObject, name: string): JsonObject | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return isObject(value) ? value : undefined
}

function objectsIn(object: JsonObject, name: string): readonly JsonObject[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
