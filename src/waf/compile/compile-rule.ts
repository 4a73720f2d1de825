import type { Action, OperatorCall, Span } from '../../seclang/ast.ts'
import { variables as variableNames } from '../../seclang/index.ts'
import type { ActionContext, Disruption, LinkFacts, RuleFacts } from '../actions/facts.ts'
import { severities, statusOf } from '../actions/rule-actions.ts'
import { actions as actionTable } from '../actions/table.ts'
import { literalOf, type Operator, parseTemplate, type Template } from '../operators/index.ts'
import { type Kinds, kindsOf } from '../prefilter/byte-kinds.ts'
import { isPrefiltered } from '../prefilter/prefiltered-rule.ts'
import type { CompiledLink, CompiledRule, Verdict } from '../program/compiled.ts'
import { actionValue, type LinkDraft, type RuleDraft } from '../program/draft.ts'
import { pathTo, TransformNode, type TransformTrie } from '../program/transform-trie.ts'
import { logDataOf } from '../transaction/recorded-match.ts'
import type { ProgramRule } from '../types.ts'
import { variables } from '../variables/table.ts'
import type { OperatorTable } from './operator-table.ts'
import type { Patterns } from './patterns.ts'
import type { Problems } from './problems.ts'
import { paranoiaLevelOf, roleOf, scoreOf } from './role.ts'
import type { RuleSelections } from './rule-selections.ts'
import { compileExclusion, compileTargets, type SelectionNumbers } from './targets.ts'

/** Context for compiling a rule. */
export interface RuleContext {
  readonly problems: Problems
  readonly operators: OperatorTable
  readonly patterns: Patterns
  readonly trie: TransformTrie
  readonly selections: RuleSelections
  readonly selectionNumbers: SelectionNumbers
  readonly collectionTimeoutSec: number
  /** Whether the disruptive action of that rule is ignored. */
  readonly isPassive: (id: number) => boolean
}

/** A compiled rule before `skipAfter` is resolved. */
export interface UnorderedRule {
  readonly rule: Omit<CompiledRule, 'jump'>
  readonly skipAfter: string | undefined
  readonly skip: number
}

/** Adds mistakes to `context.problems`; then the result must not be run. */
export function compileRule(draft: RuleDraft, index: number, context: RuleContext): UnorderedRule {
  const facts = factsFromDefaults(draft, context)
  const links = draft.links.map((link, index) => compileLink(link, index > 0, draft, facts, context))
  const info = ruleInfo(draft, index, facts)
  const rule = {
    info,
    links,
    prefiltered: isPrefiltered(links[0]!, draft.phase),
    inertValues: undefined,
    foldable: false,
    logged: facts.logged,
    message: parseTemplate(facts.message),
    data: logDataOf(links.findLast(link => link.data !== undefined)?.data ?? []),
    verdict: context.isPassive(draft.id) ? ({ kind: 'pass' } as const) : verdictOf(facts),
    severityNumber: facts.severity === undefined ? 255 : severities.indexOf(facts.severity),
  }
  return { rule, skipAfter: facts.skipAfter, skip: facts.skip }
}

/** SecDefaultAction is read first, so that the rule's own actions win; without one a rule logs and passes. */
function factsFromDefaults(draft: RuleDraft, context: RuleContext): RuleFacts {
  const facts = emptyFacts({ kind: 'pass' })
  applyActions(draft.defaults, false, facts, emptyLink(), context)
  return { ...facts, blockMeans: facts.disruption }
}

function compileLink(
  link: LinkDraft,
  isChained: boolean,
  draft: RuleDraft,
  facts: RuleFacts,
  context: RuleContext,
): CompiledLink {
  const linkFacts = emptyLink()
  const inherited = draft.defaults.filter(action => actionTable.get(action.name)?.of === 'link')
  applyActions([...inherited, ...link.actions], isChained, facts, linkFacts, context)
  const node = context.trie.node(linkFacts.transformations)
  const transform = node instanceof TransformNode ? node : context.trie.root
  const operator = link.operator === undefined ? undefined : compileOperator(link.operator, context)
  const negated = link.operator?.negated ?? false
  return {
    targets: compileTargets(link.variables, context.selectionNumbers, context.patterns),
    operator,
    negated,
    transform,
    multiMatch: linkFacts.multiMatch ? pathTo(transform) : undefined,
    capture: linkFacts.capture,
    effects: linkFacts.effects,
    data: linkFacts.data,
    needs: negated || transform !== context.trie.root || linkFacts.multiMatch ? [] : neededBytes(operator),
    disturbs: false,
    setsNamed: linkFacts.effects.every(
      ({ sets }) => sets === undefined || literalOf(sets.name) !== undefined,
    ),
  }
}

/** The kinds of bytes that a matching value holds. */
function neededBytes(operator: Operator | undefined): Kinds[] {
  return (operator?.requirements ?? []).flatMap(clause =>
    clause.kind === 'bytes' ? kindsOf(clause.bytes) : [],
  )
}

function compileOperator(call: OperatorCall, context: RuleContext): Operator | undefined {
  checkMacros(parseTemplate(call.parameter), call.span, context)
  return context.operators.of(call)
}

function applyActions(
  list: readonly Action[],
  isChained: boolean,
  rule: RuleFacts,
  link: LinkFacts,
  context: RuleContext,
): void {
  for (const action of list) {
    const row = actionTable.get(action.name)
    if (row === undefined) {
      context.problems.add(
        'unsupported-action',
        action.span,
        `the action ${action.name} is not supported here`,
      )
    } else if (!isChained || row.of === 'link') {
      row.compile(action.value ?? '', actionContext(action, rule, link, context))
    }
  }
}

function actionContext(
  { name, span }: Action,
  rule: RuleFacts,
  link: LinkFacts,
  context: RuleContext,
): ActionContext {
  return {
    rule,
    link,
    template: text => checkMacros(parseTemplate(text), span, context),
    select: choice => context.selections.add(choice, span),
    target: text => compileExclusion(text, span, context.patterns),
    collectionTimeoutSec: context.collectionTimeoutSec,
    refuse: (message, hint) => context.problems.add('invalid-value', span, `${name}: ${message}`, hint),
  }
}

/** A macro with an unknown variable would silently be empty. */
function checkMacros(template: Template, span: Span, { problems }: RuleContext): Template {
  for (const part of template) {
    if (typeof part === 'string' || variables.has(part.collection)) continue
    problems.add(
      'unsupported-variable',
      span,
      `the variable ${part.collection} of a macro is not supported here`,
      variableNames.hint(part.collection),
    )
  }
  return template
}

function ruleInfo(draft: RuleDraft, index: number, facts: RuleFacts): ProgramRule {
  const { id, phase, text, span } = draft
  const paranoiaLevel = paranoiaLevelOf(facts.tags, draft.links)
  const role = roleOf(phase, paranoiaLevel, facts.severity)
  const { actions } = draft.links[0]!
  const revision = actionValue(actions, 'rev')
  const logdata = actionValue(
    draft.links.findLast(link => actionValue(link.actions, 'logdata'))?.actions ?? [],
    'logdata',
  )
  return Object.freeze({
    index,
    id,
    phase,
    role,
    message: facts.message,
    tags: Object.freeze([...facts.tags]),
    paranoiaLevel,
    ...(facts.severity === undefined ? {} : { severity: facts.severity }),
    ...(revision === undefined ? {} : { revision }),
    ...(logdata === undefined ? {} : { logdata }),
    score: role === 'support' ? 0 : scoreOf(facts.severity),
    source: span.source,
    line: span.line,
    get text() {
      return text()
    },
  })
}

function verdictOf(facts: RuleFacts): Verdict {
  const { disruption } = facts
  switch (disruption.kind) {
    case 'pass':
      return { kind: 'pass' }
    case 'allow':
      return disruption
    case 'redirect':
      return { kind: 'redirect', status: statusOf(facts), location: parseTemplate(disruption.location) }
    default:
      return { kind: disruption.kind, status: statusOf(facts), location: undefined }
  }
}

function emptyFacts(disruption: Disruption): RuleFacts {
  return {
    message: '',
    severity: undefined,
    tags: [],
    logged: true,
    disruption,
    blockMeans: disruption,
    status: undefined,
    skipAfter: undefined,
    skip: 0,
  }
}

function emptyLink(): LinkFacts {
  return { transformations: [], capture: false, multiMatch: false, effects: [], data: undefined }
}
