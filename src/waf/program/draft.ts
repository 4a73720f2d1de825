import type {
  Action,
  OperatorCall,
  RuleStatement,
  Span,
  Statement,
  VariableSelector,
} from '../../seclang/ast.ts'
import { phaseNumber } from '../../seclang/index.ts'

export type Phase = 1 | 2 | 3 | 4 | 5
export const phases: readonly Phase[] = [1, 2, 3, 4, 5]

/** A rule with an id while directives below it may still change it. */
export interface RuleDraft {
  readonly kind: 'rule'
  readonly id: number
  readonly phase: Phase
  readonly span: Span
  /** The directive with its chain, as written. */
  readonly text: () => string
  /** The rule itself and its links. */
  readonly links: readonly LinkDraft[]
  /** Actions of the SecDefaultAction above it, for its phase. */
  readonly defaults: readonly Action[]
}

export interface LinkDraft {
  readonly span: Span
  /** Undefined for a SecAction. */
  readonly operator: OperatorCall | undefined
  variables: readonly VariableSelector[]
  actions: readonly Action[]
}

/** A name for `skipAfter`, valid in every phase. */
interface Marker {
  readonly kind: 'marker'
  readonly name: string
}

/** Rules and markers in load order. */
export type Draft = RuleDraft | Marker

type RuleLike = Extract<Statement, { kind: 'rule' | 'action' }>

/** @param defaultsOf actions of SecDefaultAction so far */
export function draftOf(statement: RuleLike, defaultsOf: (phase: Phase) => readonly Action[]): RuleDraft {
  const { actions, span } = statement
  const phase = phaseNumber(actionValue(actions, 'phase') ?? '2') ?? 2
  const links: RuleStatement[] = statement.kind === 'rule' ? [statement, ...statement.links] : []
  const text = statement.kind === 'action' ? statement.text : links.map(link => link.text).join('\n')
  return {
    kind: 'rule',
    id: Number(actionValue(actions, 'id')),
    phase,
    span,
    text: () => text,
    links:
      statement.kind === 'action'
        ? [{ span, operator: undefined, variables: [], actions }]
        : links.map(linkOf),
    defaults: defaultsOf(phase),
  }
}

/** The value of the last action of that name. */
export function actionValue(actions: readonly Action[], name: string): string | undefined {
  return actions.findLast(action => action.name === name)?.value
}

function linkOf({ span, operator, variables, actions }: RuleStatement): LinkDraft {
  return { span, operator, variables, actions }
}
