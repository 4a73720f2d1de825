/**
 * The content of a SecLang text before anything is resolved: no defaults applied, no names looked up. Texts are byte
 * strings (latin-1, one code unit a byte).
 */

export interface Span {
  readonly source: string
  /** From 1. */
  readonly line: number
  /** From 1, bytes. */
  readonly column: number
  readonly length: number
}

export interface SourceFile {
  /** Path for people: `rules/REQUEST-942-….conf`. */
  readonly name: string
  readonly text: string
}

/** Directives in the order of the sources. */
export type Statement = RuleStatement | ActionStatement | MarkerStatement | DirectiveStatement

/** `SecRule VARIABLES "OPERATOR" "ACTIONS"` with the links of its `chain`. */
export interface RuleStatement {
  readonly kind: 'rule'
  readonly span: Span
  /** The directive as written, continuation lines joined, for people. */
  readonly text: string
  readonly variables: readonly VariableSelector[]
  readonly operator: OperatorCall
  readonly actions: readonly Action[]
  /** Links of the chain in order; empty without `chain`. */
  readonly links: readonly RuleStatement[]
}

/** `SecAction "ACTIONS"`. */
export interface ActionStatement {
  readonly kind: 'action'
  readonly span: Span
  readonly text: string
  readonly actions: readonly Action[]
}

/** `SecMarker NAME`. */
export interface MarkerStatement {
  readonly kind: 'marker'
  readonly span: Span
  readonly name: string
}

/** Any other directive: `SecDefaultAction`, `SecRuleUpdateTargetById`, `SecRequestBodyLimit`, … */
export interface DirectiveStatement {
  readonly kind: 'directive'
  readonly span: Span
  /** Name as in the table of directives, for any written case: `SecDefaultAction`. */
  readonly name: string
  /** Arguments with quotes and escapes of the line syntax removed. */
  readonly arguments: readonly string[]
  /** Parsed if the directive takes actions (`SecDefaultAction`, `SecRuleUpdateActionById`). */
  readonly actions?: readonly Action[]
  /** Parsed if it takes targets (`SecRuleUpdateTargetById` / `ByTag` / `ByMsg`). */
  readonly variables?: readonly VariableSelector[]
}

export interface VariableSelector {
  readonly span: Span
  /** Upper case: `REQUEST_HEADERS`. */
  readonly name: string
  /** `!`: excludes these from the rule's selection. */
  readonly exclude: boolean
  /** `&`: the number of values. */
  readonly count: boolean
  readonly selector: Selector
}

export type Selector =
  | { readonly kind: 'all' }
  | { readonly kind: 'key'; readonly key: string }
  /** `/pattern/` */
  | { readonly kind: 'regex'; readonly pattern: string }
  /** `XML:` */
  | { readonly kind: 'xpath'; readonly path: string }

export interface OperatorCall {
  readonly span: Span
  /** Spelled as in the table of operators: `rx`, `pmFromFile`, `detectSQLi`. */
  readonly name: string
  readonly negated: boolean
  readonly parameter: string
}

export interface Action {
  readonly span: Span
  /** Spelled as in the table of actions: `setvar`, `skipAfter`. `t` for transformations, `ctl` for controls. */
  readonly name: string
  /** Without surrounding quotes; undefined without a value. */
  readonly value?: string
}
