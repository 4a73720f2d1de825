import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import type { Members } from './hcl.ts'

/** An account or a zone. */
export interface Scope {
  readonly kind: 'account' | 'zone'
  readonly id: string
}

/** A resource of the provider, and how the API's objects become its members. */
export interface ResourceType {
  /** Without `cloudflare_`. */
  readonly type: string
  readonly scopes: readonly Scope['kind'][]
  /** Below the scope; with a leading slash, below the API. */
  readonly path: string
  /** The path answers one object and not a list. */
  readonly isSingle?: true
  /** The list has its objects without some members. */
  readonly isListedInPart?: true
  /** Whether the configuration has it; otherwise every object. */
  wanted?(object: JsonObject): boolean
  /** From which its name is made, after the zone's; otherwise its member `name`. */
  label?(object: JsonObject): string
  /** The id for `import`: `scope/id` in most cases. */
  readonly importId?: (scope: Scope, key: string) => string
  /** It has neither `account_id` nor `zone_id`. */
  readonly isOfNoScope?: true
  /** Members that it takes from the object as they are. */
  readonly members: readonly string[]
  /** Members that it makes of the object. */
  more?(object: JsonObject, scope: Scope, api: Api): Members | Promise<Members>
  /** Others name it by its id. */
  readonly isReferred?: true
  /**
   * Where the object has credentials: names of members from the outside in, and indexes of lists. A variable stands in
   * place of each.
   */
  secrets?(object: JsonObject): readonly (readonly string[])[]
  /** Parts of the object that the provider cannot express. */
  lost?(object: JsonObject): readonly string[]
}
