import type { Template } from '../operators/index.ts'
import type { Exclusion, RuleSelection } from '../program/compiled.ts'
import type { ProgramRule } from '../types.ts'
import type { Effect } from './effect.ts'

/** What the actions of a rule and its defaults say about the rule as a whole; filled while it is compiled. */
export interface RuleFacts {
  message: string
  severity: ProgramRule['severity']
  readonly tags: string[]
  logged: boolean
  disruption: Disruption
  /** Of SecDefaultAction: what `block` stands for. */
  readonly blockMeans: Disruption
  status: number | undefined
  skipAfter: string | undefined
  /** Rules to skip. */
  skip: number
}

export type Disruption =
  | { readonly kind: 'pass' | 'deny' | 'drop' }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'allow'; readonly scope: 'phase' | 'request' | 'all' }

/** What they say about one link. */
export interface LinkFacts {
  /** Canonical names, `none` applied. */
  transformations: string[]
  capture: boolean
  multiMatch: boolean
  readonly effects: Effect[]
  data: Template | undefined
}

/** What an action may ask for while it is compiled. */
export interface ActionContext {
  readonly rule: RuleFacts
  readonly link: LinkFacts
  /** A text that may hold macros; unknown names in it are reported. */
  template(text: string): Template
  /** Rules chosen by id, tag or message, whether above or below this one. */
  select(by: RuleChoice): RuleSelection
  /** A target such as `ARGS:q`, `ARGS:/re/` or `XML://@*`; undefined (and reported) when it is none. */
  target(text: string): Exclusion | undefined
  readonly collectionTimeoutSec: number
  /** Says that the action's value is wrong. */
  refuse(message: string, hint?: string): void
}

/** Ids are ranges, both ends included; tags and messages are regular expressions searched in the rule's. */
export type RuleChoice =
  | { readonly by: 'id'; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly by: 'tag' | 'message'; readonly pattern: string }

/** Compiles one action into the facts. */
export type ActionCompiler = (value: string, context: ActionContext) => void
