import { canonicalTransformation } from '../transformations/index.ts'
import { ctl } from './controls.ts'
import type { ActionCompiler } from './facts.ts'
import * as rule from './rule-actions.ts'
import { expirevar, initcol, opener, setvar } from './variable-actions.ts'

interface ActionRow {
  readonly compile: ActionCompiler
  /** `rule`: concerns the whole rule, so in a link of a chain it has no meaning and is ignored. */
  readonly of: 'rule' | 'link'
}

const ofRule = (compile: ActionCompiler): ActionRow => ({ compile, of: 'rule' })
const ofLink = (compile: ActionCompiler): ActionRow => ({ compile, of: 'link' })

/** Logging of request parts, marks for tools, and actions that only have a meaning inside another server. */
const withoutEffect = ofRule(() => {})

const t: ActionCompiler = (text, { link, refuse }) => {
  if (text.toLowerCase() === 'none') {
    link.transformations = []
    return
  }
  const name = canonicalTransformation(text)
  if (name === undefined) return refuse(`the transformation ${text} is not supported here`)
  link.transformations.push(name)
}

/** Every action by its name in the parser's spelling. Source: ModSecurity reference manual, "Actions". */
export const actions: ReadonlyMap<string, ActionRow> = new Map(
  Object.entries({
    id: withoutEffect,
    phase: withoutEffect,
    chain: withoutEffect,

    msg: ofRule(rule.msg),
    tag: ofRule(rule.tag),
    severity: ofRule(rule.severity),
    log: ofRule(rule.log),
    nolog: ofRule(rule.nolog),
    status: ofRule(rule.status),
    skipAfter: ofRule(rule.skipAfter),
    skip: ofRule(rule.skip),
    block: ofRule(rule.block),
    pass: ofRule(rule.disrupt('pass')),
    deny: ofRule(rule.disrupt('deny')),
    drop: ofRule(rule.disrupt('drop')),
    redirect: ofRule(rule.redirect),
    allow: ofRule(rule.allow),

    t: ofLink(t),
    capture: ofLink((_, { link }) => {
      link.capture = true
    }),
    multiMatch: ofLink((_, { link }) => {
      link.multiMatch = true
    }),
    logdata: ofLink((text, { link, template }) => {
      link.data = template(text)
    }),
    setvar: ofLink(setvar),
    expirevar: ofLink(expirevar),
    initcol: ofLink(initcol),
    setuid: ofLink(opener('USER')),
    setsid: ofLink(opener('SESSION')),
    setrsc: ofLink(opener('RESOURCE')),
    ctl: ofLink(ctl),

    auditlog: withoutEffect,
    noauditlog: withoutEffect,
    ver: withoutEffect,
    rev: withoutEffect,
    maturity: withoutEffect,
    accuracy: withoutEffect,
    xmlns: withoutEffect,
    sanitiseArg: withoutEffect,
    sanitiseMatched: withoutEffect,
    sanitiseMatchedBytes: withoutEffect,
    sanitiseRequestHeader: withoutEffect,
    sanitiseResponseHeader: withoutEffect,
  }),
)
