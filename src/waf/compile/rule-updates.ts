import type { Action, DirectiveStatement } from '../../seclang/ast.ts'
import { actions as actionTable } from '../../seclang/index.ts'
import { inRanges, parseIdRanges } from '../actions/id-ranges.ts'
import { actionValue, type RuleDraft } from '../program/draft.ts'
import type { LoadState } from './load-state.ts'

/** Directives that change rules above them. */

export function removeById(directive: DirectiveStatement, load: LoadState): void {
  remove(byId(directive.arguments.join(' '), directive, load), load)
}

export function removeByTag(directive: DirectiveStatement, load: LoadState): void {
  for (const tag of directive.arguments) remove(byTag(tag, directive, load), load)
}

export function removeByMessage(directive: DirectiveStatement, load: LoadState): void {
  for (const message of directive.arguments) remove(byMessage(message, directive, load), load)
}

export function updateTargetById(directive: DirectiveStatement, load: LoadState): void {
  updateTargets(byId(directive.arguments[0] ?? '', directive, load), directive, load)
}

export function updateTargetByTag(directive: DirectiveStatement, load: LoadState): void {
  updateTargets(byTag(directive.arguments[0] ?? '', directive, load), directive, load)
}

export function updateTargetByMessage(directive: DirectiveStatement, load: LoadState): void {
  updateTargets(byMessage(directive.arguments[0] ?? '', directive, load), directive, load)
}

/** An action that a rule may have only once replaces the rule's; others are added. The id and the phase stay. */
export function updateActionById(directive: DirectiveStatement, load: LoadState): void {
  const chosen = byId(directive.arguments[0] ?? '', directive, load)
  const { actions: added = [] } = directive
  const fixed = added.find(
    action => action.name === 'id' || action.name === 'phase' || action.name === 'chain',
  )
  if (fixed !== undefined) {
    load.problems.add('misplaced-action', fixed.span, `${fixed.name} of a rule cannot be changed`)
  }
  for (const rule of chosenRules(chosen, load)) {
    const [head] = rule.links
    if (head !== undefined) head.actions = mergeActions(head.actions, added)
  }
}

type Choice = (rule: RuleDraft) => boolean

function byId(text: string, { span }: DirectiveStatement, load: LoadState): Choice {
  const ranges = parseIdRanges(text)
  if (ranges !== undefined) return rule => inRanges(rule.id, ranges)
  load.problems.add('invalid-id', span, `${text} is no rule id and no range of ids`)
  return () => false
}

function byTag(pattern: string, { span }: DirectiveStatement, load: LoadState): Choice {
  const matches = load.patterns.searcher(pattern, span)
  return rule => tagsOf(rule).some(matches)
}

function byMessage(pattern: string, { span }: DirectiveStatement, load: LoadState): Choice {
  const matches = load.patterns.searcher(pattern, span)
  return rule => matches(actionValue(rule.links[0]!.actions, 'msg') ?? '')
}

function tagsOf(rule: RuleDraft): string[] {
  return rule.links[0]!.actions.filter(action => action.name === 'tag').map(action => action.value ?? '')
}

function chosenRules(chosen: Choice, load: LoadState): RuleDraft[] {
  return load.drafts.filter(draft => draft.kind === 'rule').filter(chosen)
}

function remove(chosen: Choice, load: LoadState): void {
  load.drafts = load.drafts.filter(draft => draft.kind === 'marker' || !chosen(draft))
}

/** Targets are appended to the rule itself, not to the links of its chain. */
function updateTargets(chosen: Choice, { variables = [] }: DirectiveStatement, load: LoadState): void {
  for (const rule of chosenRules(chosen, load)) {
    const head = rule.links[0]!
    head.variables = [...head.variables, ...variables]
  }
}

const repeatable: ReadonlySet<string> = new Set(['tag', 't', 'setvar', 'expirevar', 'initcol', 'ctl'])

function mergeActions(old: readonly Action[], added: readonly Action[]): readonly Action[] {
  const replaced = new Set(added.map(kindOf).filter(kind => !repeatable.has(kind)))
  return [...old.filter(action => !replaced.has(kindOf(action))), ...added]
}

/** Actions of one kind exclude each other. */
function kindOf({ name }: Action): string {
  if (actionTable.find(name)?.entry.disruptive) return 'disruptive'
  return name === 'nolog' ? 'log' : name === 'noauditlog' ? 'auditlog' : name
}
