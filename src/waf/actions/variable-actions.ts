import { transactionLimits } from '../../kit/limits.ts'
import { atoi } from '../operators/compare.ts'
import { expandTemplate, macrosOf, type Template } from '../operators/index.ts'
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
  const place = parsePlace(written, context)
  if (place === undefined) return
  const { effects } = context.link
  if (deletes) {
    const run: Effect['run'] = view => variablesOf(place, view)?.delete(expand(place.name, view))
    effects.push({ run, sets: changeOf(place), macros: macrosOf(place.name) })
    return
  }
  const value = equals < 0 ? '1' : text.slice(equals + 1)
  const template = context.template(value)
  const adds = value.startsWith('+') || value.startsWith('-')
  const run: Effect['run'] = adds
    ? view => add(place, template, view)
    : view => variablesOf(place, view)?.set(expand(place.name, view), expand(template, view))
  effects.push({ run, sets: changeOf(place), macros: [...macrosOf(place.name), ...macrosOf(template)] })
}

function changeOf({ collection, name }: Place): TxChange | undefined {
  if (collection !== 'TX') return undefined
  return { name: name.map(part => (typeof part === 'string' ? lowercase(part) : part)) }
}

/** `expirevar:ip.block=60`: the variable of a persistent collection goes after so many seconds. */
export const expirevar: ActionCompiler = (text, context) => {
  const equals = text.indexOf('=')
  const place = parsePlace(equals < 0 ? text : text.slice(0, equals), context)
  if (place === undefined) return
  if (equals < 0) return context.refuse('expirevar needs the number of seconds', 'expirevar:ip.name=60')
  const seconds = context.template(text.slice(equals + 1))
  context.link.effects.push(
    effect(
      view => {
        const record = view.state.persistent.get(place.collection)
        record?.expireAt(expand(place.name, view), view.state.nowMs() + atoi(expand(seconds, view)) * 1000)
      },
      [...macrosOf(place.name), ...macrosOf(seconds)],
    ),
  )
}

/** `initcol:ip=%{REMOTE_ADDR}`: opens the record of that key. */
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
      const record = view.store.open(collection, expand(key, view), now)
      record.expiresMs = now + timeoutMs
      view.state.persistent.set(collection, record)
    }, macrosOf(key)),
  )
}

/** `tx.name`: where a variable lives. */
interface Place {
  /** Upper case. */
  readonly collection: string
  readonly name: Template
}

function parsePlace(text: string, context: ActionContext): Place | undefined {
  const dot = text.indexOf('.')
  const collection = text.slice(0, Math.max(0, dot)).toUpperCase()
  if (collection !== 'TX' && !isPersistent(collection)) {
    context.refuse(
      `variables cannot be set in ${text}`,
      `write tx.name, or one of ${persistentCollections.join(', ')}`,
    )
    return undefined
  }
  return { collection, name: context.template(text.slice(dot + 1)) }
}

function isPersistent(collection: string): boolean {
  return (persistentCollections as readonly string[]).includes(collection)
}

/** Undefined for a collection that no `initcol` has opened: then nothing is set. */
function variablesOf(place: Place, view: EffectView): VariableMap | undefined {
  if (place.collection === 'TX') return view.state.tx
  return view.state.persistent.get(place.collection)?.variables
}

/** Counters never fall below 0; what is no number counts 0. */
function add(place: Place, template: Template, view: EffectView): void {
  const variables = variablesOf(place, view)
  if (variables === undefined) return
  const name = expand(place.name, view)
  const folded = lowercase(name)
  const sum = atoi(variables.get(folded) ?? '') + atoi(signed(expand(template, view)))
  variables.set(name, String(Math.min(Math.max(0, sum), Number.MAX_SAFE_INTEGER)), folded)
}

/** `+-5` (a macro gave a negative number) is -5. */
function signed(text: string): string {
  return text.startsWith('+') ? text.slice(1) : text
}

function expand(template: Template, view: EffectView): string {
  const text = expandTemplate(template, view)
  return text.length > transactionLimits.variableBytesMax
    ? text.slice(0, transactionLimits.variableBytesMax)
    : text
}
