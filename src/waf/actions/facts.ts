import type { Template } from '../operators/index.ts'
import type { Exclusion, RuleSelection } from '../program/selections.ts'
import type { ProgramRule } from '../types.ts'
import type { Effect } from './effect.ts'

/** Facts about a whole rule from its actions and defaults; filled while the rule is compiled. */
export interface RuleFacts {
  message: string
  severity: ProgramRule['severity']
  readonly tags: string[]
  logged: boolean
  disruption: Disruption
  /** From SecDefaultAction: the meaning of `block`. */
  readonly blockMeans: Disruption
  status: number | undefined
  skipAfter: string | undefined
  /** Number of rules to skip. */
  skip: number
}

export type Disruption =
  | { readonly kind: 'pass' | 'deny' | 'drop' }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'allow'; readonly scope: 'phase' | 'request' | 'all' }

/** Facts about one link. */
export interface LinkFacts {
  /** Canonical names, `none` applied. */
  transformations: string[]
  capture: boolean
  multiMatch: boolean
  readonly effects: Effect[]
  data: Template | undefined
}

/** Services for an action while it is compiled. */
export interface ActionContext {
  readonly rule: RuleFacts
  readonly link: LinkFacts
  /** Parses a text with macros; reports unknown names in it. */
  template(text: string): Template
  /** Rules chosen by id, tag or message, above or below this one. */
  select(by: RuleChoice): RuleSelection
  /** A target such as `ARGS:q`, `ARGS:/re/` or `XML://@*`; undefined (and reported) if it is invalid. */
  target(text: string): Exclusion | undefined
  readonly collectionTimeoutSec: number
  /** Reports an invalid value of the action. */
  refuse(message: string, hint?: string): void
}

/**
 * Ids are ranges, both ends included; tags and messages are regular expressions, searched in the rule's tags and
 * message.
 */
export type RuleChoice =
  | { readonly by: 'id'; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly by: 'tag' | 'message'; readonly pattern: string }

/** Compiles one action into the facts. */
export type ActionCompiler = (value: string, context: ActionContext) => void
