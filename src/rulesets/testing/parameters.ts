/** Helpers of the tests of actions. */
import type { Phase } from '../../model/resource.ts'
import { createRuleset, replaceEntryPoint } from '../documents/documents.ts'
import type { WriteContext } from '../documents/write-context.ts'
import { accepted, check, contextOf } from './documents.ts'

/** Parameters, and code, pointer below the parameters and message of the refusal. */
export type ParameterRow = readonly [
  parameters: object | null,
  code: number,
  pointer: string,
  message: string | RegExp,
]

interface Asked {
  readonly phase: Phase
  readonly action: string
  readonly context?: WriteContext
  /** Other members of the rule. */
  readonly more?: object
}

export function refuseParameters(asked: Asked, rows: readonly ParameterRow[]): void {
  for (const [parameters, code, pointer, message] of rows) {
    const row = [bodyOf(asked, parameters), code, `/rules/0/action_parameters${pointer}`, message] as const
    check([row], body => put(asked, body as object))
  }
}

/** @returns what is stored of each of them */
export function acceptParameters(asked: Asked, ...all: readonly (object | undefined)[]) {
  return all.map(parameters => accepted(put(asked, bodyOf(asked, parameters))).rules[0]!)
}

function put({ phase, context = contextOf('zone') }: Asked, body: object) {
  return replaceEntryPoint(undefined, phase, body, context)
}

function bodyOf({ action, more }: Asked, parameters: object | null | undefined): object {
  return { rules: [{ action, expression: 'true', action_parameters: parameters, ...more }] }
}

/** A ruleset of kind `custom` with one rule. */
export function customRuleset(context: WriteContext, phase: Phase, rule: object) {
  return accepted(createRuleset({ kind: 'custom', name: 'shared', phase, rules: [rule] }, context))
}
