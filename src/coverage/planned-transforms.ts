import {
  conflictingTransform,
  idleManagedTransforms,
  managedRequestTransforms,
  managedResponseTransforms,
  otherSpelling,
} from '../model/managed-transforms.ts'
import type { JsonObject } from '../model/resource.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import { blocksIn, refused } from './planned-values.ts'

const idle: ReadonlyMap<string, string> = new Map(Object.entries(idleManagedTransforms))
const requestNames: ReadonlySet<string> = new Set([...managedRequestTransforms, ...idle.keys()])
const responseNames: ReadonlySet<string> = new Set([...managedResponseTransforms, otherSpelling.name])
const conflicts: ReadonlyMap<string, string> = new Map(Object.entries(conflictingTransform))

/** A `cloudflare_managed_transforms` of a plan or state. */
export function coverPlannedTransforms(values: JsonObject): Coverage {
  const ofRequest = blocksIn(values, 'managed_request_headers')
  const ofResponse = blocksIn(values, 'managed_response_headers')
  const stranger = strangerIn(ofRequest, requestNames) ?? strangerIn(ofResponse, responseNames)
  if (stranger !== undefined) return refused(`there is no managed transform ${stranger}`)
  const on = [...ofRequest, ...ofResponse]
    .filter(({ enabled }) => enabled === true)
    .map(({ id }) => String(id))
  const excluded = on.find(id => on.includes(conflicts.get(id) ?? ''))
  if (excluded !== undefined)
    return refused(`${excluded} and ${conflicts.get(excluded)} exclude each other; disable one of them`)
  const reasons = on.flatMap(id => (idle.has(id) ? [`${id}: ${idle.get(id)}`] : []))
  if (reasons.length === 0) return enforced
  return reasons.length === on.length ? notEnforced(reasons.join('; ')) : partly(reasons.join('; '))
}

function strangerIn(transforms: readonly JsonObject[], known: ReadonlySet<string>): string | undefined {
  const found = transforms.find(({ id }) => id !== undefined && !known.has(String(id)))
  return found && String(found['id'])
}
