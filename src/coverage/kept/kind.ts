import { type TObject, type TSchema, Type } from 'typebox'
import type { KeptResource } from '../../model/kept-resource.ts'
import type { JsonObject, Scope } from '../../model/resource.ts'
import { keptLimits } from '../limits.ts'

/** A part of a resource that would do nothing here. */
export interface WithoutMeaning {
  /** JSON pointer in the body. */
  readonly pointer: string
  /** The part's own name, such as `page rule action forwarding_url`. */
  readonly what: string
  /** A sentence without a full stop; it says what to use instead. */
  readonly why: string
}

/** A kind of resource of Cloudflare's API that nothing here evaluates. */
export interface KeptKind {
  /** `page_rule`: in the audit trail, and before `_id` in paths. */
  readonly kind: string
  /** Type of the Terraform resource. */
  readonly terraform: string
  /** `a page rule`, for people. */
  readonly noun: string
  readonly scope: Scope['kind']
  /** Below the account or the zone, such as `/pagerules`. */
  readonly path: string
  /** The members that clients send. */
  readonly body: TObject
  /** Values of members that were not sent. */
  readonly defaults: JsonObject
  /** Members of answers that are not stored. */
  readonly computed: (resource: KeptResource) => JsonObject
  /** Members that the audit trail hides: they hold credentials. */
  readonly hidden?: readonly string[]
  /** Empty when the document asks for what happens here anyway. */
  readonly withoutMeaning: (document: JsonObject) => readonly WithoutMeaning[]
  /** The name of one resource, where it is not the member `name`. */
  readonly nameOf?: (document: JsonObject) => string
  /** The document of the Terraform resource, where its members have other names. */
  readonly fromTerraform?: (values: JsonObject) => JsonObject
  /** Why it is not enforced, for the table of the docs. */
  readonly why: string
}

/** A kind with any number of resources. */
export interface KeptCollection extends KeptKind {
  /** Whether it is created by `POST <path>/order`, and no PUT replaces it. */
  readonly isOrdered?: true
  /** Whether Cloudflare answers a list in pages of its usual size; else a list is whole unless a page is asked for. */
  readonly paged?: true
}

/** A kind with one resource in each account or zone, which exists from the start. */
export interface KeptSingleton extends KeptKind {
  readonly write: 'PUT' | 'PATCH'
  /** Whether DELETE puts it back to its defaults. */
  readonly isReset?: true
}

export function isSingleton(kind: KeptKind): boolean {
  return 'write' in kind
}

export const text = (options: object = {}) =>
  Type.String({ maxLength: keptLimits.keptTextCharactersMax, ...options })
export const oneOf = (...values: string[]) => Type.Enum(values)
export const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
export const closed = { additionalProperties: false } as const

/** Dates as most of Cloudflare's resources name them. */
export function dates({ createdOn, modifiedOn }: KeptResource): JsonObject {
  return { created_on: createdOn, modified_on: modifiedOn }
}
