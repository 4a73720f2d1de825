import type { EngineMode } from '../program/settings.ts'
import { effect } from './effect.ts'
import type { ActionCompiler, ActionContext, RuleChoice } from './facts.ts'
import { parseIdRanges } from './id-ranges.ts'

/** `ctl:NAME=value`: changes the engine for the rest of one transaction. */
export const ctl: ActionCompiler = (text, context) => {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const control = controls.get(name.toLowerCase())
  if (control === undefined) return context.refuse(`ctl:${name} is not supported here`)
  control(equals < 0 ? '' : text.slice(equals + 1), context)
}

/** By name in lower case. Source: ModSecurity reference manual, "ctl". */
const controls: ReadonlyMap<string, ActionCompiler> = new Map(
  Object.entries({
    ruleremovebyid: remover(ids),
    ruleremovebytag: remover(pattern('tag')),
    ruleremovebymsg: remover(pattern('message')),
    ruleremovetargetbyid: targetRemover(ids),
    ruleremovetargetbytag: targetRemover(pattern('tag')),
    ruleremovetargetbymsg: targetRemover(pattern('message')),
    ruleengine: ruleEngine,
    requestbodyprocessor: requestBodyProcessor,
    forcerequestbodyvariable: forceRequestBodyVariable,
    requestbodyaccess: bodyAccess('requestBodyAccess'),
    responsebodyaccess: bodyAccess('responseBodyAccess'),
    auditengine: withoutEffect,
    auditlogparts: withoutEffect,
    debugloglevel: withoutEffect,
  }),
)

/** Audit and debug logs belong to the caller, who gets the matches. */
function withoutEffect(): void {}

type ChoiceOf = (text: string, context: ActionContext) => RuleChoice | undefined

function ids(text: string, context: ActionContext): RuleChoice | undefined {
  const ranges = parseIdRanges(text)
  if (ranges !== undefined) return { by: 'id', ranges }
  context.refuse(`${text} is no rule id and no range of ids`)
  return undefined
}

function pattern(by: 'tag' | 'message'): ChoiceOf {
  return (text, context) => {
    if (text !== '') return { by, pattern: text }
    context.refuse(`the ${by} is missing`)
    return undefined
  }
}

function remover(choiceOf: ChoiceOf): ActionCompiler {
  return (text, context) => {
    const choice = choiceOf(text, context)
    if (choice === undefined) return
    const rules = context.select(choice)
    context.link.effects.push(effect(view => view.removeRules(rules)))
  }
}

/** `942100;ARGS:q` */
function targetRemover(choiceOf: ChoiceOf): ActionCompiler {
  return (text, context) => {
    const semicolon = text.indexOf(';')
    if (semicolon < 0)
      return context.refuse('the target is missing', 'write rules;TARGET, as in 942100;ARGS:q')
    const choice = choiceOf(text.slice(0, semicolon), context)
    const target = context.target(text.slice(semicolon + 1))
    if (choice === undefined || target === undefined) return
    const rules = context.select(choice)
    context.link.effects.push(effect(view => view.removeTarget(rules, target)))
  }
}

function ruleEngine(text: string, context: ActionContext): void {
  const mode = oneOf<EngineMode>(text, ['On', 'Off', 'DetectionOnly'], context)
  if (mode === undefined) return
  context.link.effects.push(
    effect(view => {
      view.state.engine = mode
    }),
  )
}

function requestBodyProcessor(text: string, context: ActionContext): void {
  const processor = oneOf(text, ['URLENCODED', 'MULTIPART', 'XML', 'JSON'], context)
  if (processor === undefined) return
  context.link.effects.push(
    effect(view => {
      view.state.processor = processor
    }),
  )
}

function forceRequestBodyVariable(text: string, context: ActionContext): void {
  const on = oneOf(text, ['On', 'Off'], context) === 'On'
  context.link.effects.push(
    effect(view => {
      view.state.forceBodyVariable = on
    }),
  )
}

function bodyAccess(which: 'requestBodyAccess' | 'responseBodyAccess'): ActionCompiler {
  return (text, context) => {
    const on = oneOf(text, ['On', 'Off'], context) === 'On'
    context.link.effects.push(
      effect(view => {
        view.state[which] = on
      }),
    )
  }
}

/** The value in the table's spelling; any case may be written. */
function oneOf<T extends string>(text: string, known: readonly T[], context: ActionContext): T | undefined {
  const found = known.find(name => name.toLowerCase() === text.toLowerCase())
  if (found === undefined) context.refuse(`${text} is none of ${known.join(', ')}`)
  return found
}
