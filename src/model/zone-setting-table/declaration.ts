import type { Json } from '../resource.ts'
import type { ValueShape } from './shapes.ts'

/**
 * The effect of a value of a setting here: all that it has at Cloudflare, a part of it, or none. A value that asks for
 * what happens anyway (`rocket_loader` off) is enforced.
 */
export type Enforcement =
  | { readonly status: 'enforced' }
  /** @param how sentence without a full stop */
  | { readonly status: 'partly'; readonly how: string }
  /** @param why sentence without a full stop */
  | { readonly status: 'not_enforced'; readonly why: string }

export interface ZoneSettingDeclaration {
  readonly shape: ValueShape
  /** The value of a zone that has not chosen one. */
  readonly default: Json
  /** @param value one that the shape allows */
  readonly enforcementOf: (value: Json) => Enforcement
}

const enforced: Enforcement = { status: 'enforced' }

/** A setting whose values all act. */
export function acts(shape: ValueShape, byDefault: Json): ZoneSettingDeclaration {
  return { shape, default: byDefault, enforcementOf: () => enforced }
}

/** A setting that acts, with values that act in part. @param partly value → how */
export function actsPartly(
  shape: ValueShape,
  byDefault: Json,
  partly: Readonly<Record<string, string>>,
): ZoneSettingDeclaration {
  const enforcementOf = (value: Json): Enforcement => {
    const how = partly[String(value)]
    return how === undefined ? enforced : { status: 'partly', how }
  }
  return { shape, default: byDefault, enforcementOf }
}

/**
 * A setting without effect. Values that ask for what happens anyway can be written, others are not enforced.
 * @param isMet whether a value asks for what happens anyway; absent: only the default does
 */
export function idle(
  shape: ValueShape,
  byDefault: Json,
  why: string,
  isMet: (value: Json) => boolean = value => value === byDefault,
): ZoneSettingDeclaration {
  const notEnforced: Enforcement = { status: 'not_enforced', why }
  return { shape, default: byDefault, enforcementOf: value => (isMet(value) ? enforced : notEnforced) }
}
