import type { FastifyRequest } from 'fastify'
import { isId } from '../kit/ids.ts'
import { notRouted } from './errors.ts'

/** For routes with ids and version numbers in their path: 404 for what can be neither. */
export async function requireIds(request: FastifyRequest): Promise<void> {
  const params = request.params as Readonly<Record<string, string>>
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id') && !isId(value)) throw notRouted(request.url)
    if (name === 'version' && !versionNumber.test(value)) throw notRouted(request.url)
  }
}

/** Safe integers without leading zeros. */
const versionNumber = /^[1-9][0-9]{0,14}$/

export interface RulesetPath {
  Params: { readonly ruleset_id: string }
}

export interface RulePath {
  Params: { readonly ruleset_id: string; readonly rule_id: string }
}

export interface VersionPath {
  Params: { readonly ruleset_id: string; readonly version: string }
}

export interface TagPath {
  Params: { readonly ruleset_id: string; readonly version: string; readonly tag: string }
}

export interface PhasePath {
  Params: { readonly phase: string }
}

export interface PhaseVersionPath {
  Params: { readonly phase: string; readonly version: string }
}
