import { transactionLimits } from '../limits.ts'
import { atoi } from '../operators/compare.ts'
import { expandTemplate, literalOf, macrosOf, type Template } from '../operators/index.ts'
import { lowercase } from '../transformations/case.ts'
import { persistentCollections } from '../variables/persistent.ts'
import type { VariableMap } from '../variables/variable-map.ts'
import { type Effect, type EffectView, effect, type TxChange } from './effect.ts'
import type { ActionCompiler, ActionContext } from './facts.ts'

/** `setvar:tx.a=text`, `tx.a=+1`, `tx.a=-1`, `tx.a` (sets 1), `!tx.a` (deletes). Names and values may hold macros. */
export const setvar: ActionCompiler = (text, context) => {
  const deletes = text.startsWith('!')
  const equals = text.indexOf('=')
  const written = text.slice(deletes ? 1 : 0, equals < 0 || deletes ? undefined : equals)
  const variable = parseVariable(written, context)
  if (variable === undefined) return
  const { effects } = context.link
  if (deletes) {
    const run: Effect['run'] = view =>
      variablesOf(variable, view)?.delete(expand(variable.name, view), variable.folded)
    effects.push({ run, sets: changeOf(variable, undefined), macros: macrosOf(variable.name) })
    return
  }
  const value = equals < 0 ? '1' : text.slice(equals + 1)
  const adds = value.startsWith('+') || value.startsWith('-')
  // After a `+`, so that `+%{tx.n}` subtracts if the macro is negative.
  const template = context.template(value.startsWith('+') ? value.slice(1) : value)
  const run: Effect['run'] = adds
    ? view => add(variable, template, view)
    : view =>
        variablesOf(variable, view)?.set(expand(variable.name, view), expand(template, view), variable.folded)
  effects.push({
    run,
    sets: changeOf(variable, adds ? undefined : template),
    macros: [...macrosOf(variable.name), ...macrosOf(template)],
  })
}

function changeOf({ collection, name }: NamedVariable, text: Template | undefined): TxChange | undefined {
  if (collection !== 'TX') return undefined
  return { name: name.map(part => (typeof part === 'string' ? lowercase(part) : part)), text }
}

/** `expirevar:ip.block=60`: removes the variable of a persistent collection after this many seconds. */
export const expirevar: ActionCompiler = (text, context) => {
  const equals = text.indexOf('=')
  const variable = parseVariable(equals < 0 ? text : text.slice(0, equals), context)
  if (variable === undefined) return
  if (equals < 0) return context.refuse('expirevar needs the number of seconds', 'expirevar:ip.name=60')
  const seconds = context.template(text.slice(equals + 1))
  context.link.effects.push(
    effect(
      view => {
        const record = view.state.persistent.get(variable.collection)
        record?.expireAt(expand(variable.name, view), view.state.nowMs() + atoi(expand(seconds, view)) * 1000)
      },
      [...macrosOf(variable.name), ...macrosOf(seconds)],
    ),
  )
}

/** `initcol:ip=%{REMOTE_ADDR}`: opens the record with that key, in the request's zone. */
export const initcol: ActionCompiler = (text, context) => {
  const equals = text.indexOf('=')
  const collection = text.slice(0, Math.max(0, equals)).toUpperCase()
  if (!isPersistent(collection)) {
    return context.refuse(
      `initcol cannot open ${text}`,
      `write one of ${persistentCollections.join(', ')}, = and a key`,
    )
  }
  openWith(collection, context.template(text.slice(equals + 1)), context)
}

/** `setuid:…`, `setsid:…` and `setrsc:…` open the collection of that kind. */
export function opener(collection: (typeof persistentCollections)[number]): ActionCompiler {
  return (text, context) => openWith(collection, context.template(text), context)
}

function openWith(collection: string, key: Template, context: ActionContext): void {
  const timeoutMs = context.collectionTimeoutSec * 1000
  context.link.effects.push(
    effect(view => {
      if (view.state.persistent.has(collection)) return
      const now = view.state.nowMs()
      const record = view.store.open(collection, `${view.state.request.zone ?? ''} ${expand(key, view)}`, now)
      record.expiresMs = now + timeoutMs
      view.state.persistent.set(collection, record)
    }, macrosOf(key)),
  )
}

/** `tx.name`: collection and name of a variable. */
interface NamedVariable {
  /** Upper case. */
  readonly collection: string
  readonly name: Template
  /** The name in lower case, if it holds no macro. */
  readonly folded: string | undefined
}

function parseVariable(text: string, context: ActionContext): NamedVariable | undefined {
  const dot = text.indexOf('.')
  const collection = text.slice(0, Math.max(0, dot)).toUpperCase()
  if (collection !== 'TX' && !isPersistent(collection)) {
    context.refuse(
      `variables cannot be set in ${text}`,
      `write tx.name, or one of ${persistentCollections.join(', ')}`,
    )
    return undefined
  }
  const name = context.template(text.slice(dot + 1))
  const literal = literalOf(name)
  const folded =
    literal === undefined ? undefined : lowercase(literal.slice(0, transactionLimits.variableBytesMax))
  return { collection, name, folded }
}

function isPersistent(collection: string): boolean {
  return (persistentCollections as readonly string[]).includes(collection)
}

/** Undefined for a collection that no `initcol` has opened: then nothing is set. */
function variablesOf(variable: NamedVariable, view: EffectView): VariableMap | undefined {
  if (variable.collection === 'TX') return view.state.tx
  return view.state.persistent.get(variable.collection)?.variables
}

/** Counters never fall below 0; text that is no number counts as 0. */
function add(variable: NamedVariable, template: Template, view: EffectView): void {
  const variables = variablesOf(variable, view)
  if (variables === undefined) return
  const name = expand(variable.name, view)
  const folded = variable.folded ?? lowercase(name)
  const sum = atoi(variables.get(folded) ?? '') + atoi(expand(template, view))
  variables.set(name, String(Math.min(Math.max(0, sum), Number.MAX_SAFE_INTEGER)), folded)
}

function expand(template: Template, view: EffectView): string {
  const text = expandTemplate(template, view)
  return text.length > transactionLimits.variableBytesMax
    ? text.slice(0, transactionLimits.variableBytesMax)
    : text
}
