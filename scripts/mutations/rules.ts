import { type Mutation, mutationsOf } from './mutation.ts'

/** Mistakes in how rules run: chains, jumps, verdicts, controls, variables, and the run that is taken over. */

const semantics = [
  'src/waf/rule-details.test.ts',
  'src/waf/semantics.test.ts',
  'src/waf/actions/actions.test.ts',
  'src/waf/secrules-controls.conformance.test.ts',
  'src/waf/secrules-actions.conformance.test.ts',
  'src/waf/variables/variables.test.ts',
]

const cleanRunTests = ['src/waf/program/clean-run.test.ts', 'src/waf/gate.differential.test.ts', ...semantics]

const exceptionTests = ['src/waf/exception.differential.test.ts']

const loadTests = [
  'src/waf/program/program.test.ts',
  'src/waf/secrules-directives.conformance.test.ts',
  ...semantics,
]

export const ruleMutations: readonly Mutation[] = [
  ...mutationsOf('clean run', 'src/waf/program/clean-run.ts', cleanRunTests, [
    [
      'rules that look at the request are not run',
      "      if (!readsOnlyTx(rule.links[0]!) || rule.info.role !== 'support') this.#leave(rule)\n      else",
      '      if (!readsOnlyTx(rule.links[0]!)) continue\n      else',
    ],
    [
      'rules with consequences are taken over',
      'if (!rule.foldable) this.#leave(rule)',
      'if (!rule.foldable) continue',
    ],
    [
      'jumps are not followed',
      'if (this.#fold(rule, evaluation) && rule.jump >= 0) place = rule.jump',
      'if (this.#fold(rule, evaluation) && rule.jump >= 0) continue',
    ],
    [
      'a jump without a match is followed',
      'this.#fold(rule, evaluation) && rule.jump >= 0',
      '(this.#fold(rule, evaluation) || true) && rule.jump >= 0',
    ],
    ['what is jumped over is not known to be', '    addRule(this.folded, index)\n', ''],
    [
      'what a rule sets is there before it',
      'if (change.place < before) return change.entries',
      'return change.entries',
    ],
    [
      'what a rule sets is there two rules later',
      'if (change.place < before) return change.entries',
      'if (change.place + 1 < before) return change.entries',
    ],
    [
      'only the last change is known',
      'for (let i = changes.length - 1; i >= 0; i--)',
      'for (let i = changes.length - 1; i >= changes.length - 1; i--)',
    ],
    ['phases begin without what was set before', 'return this.#before.get(folded) ?? none', 'return none'],
    [
      'a deleted variable stays',
      '      if (entries[0]?.value === known[0]?.value && entries[0]?.key === known[0]?.key) continue\n',
      '      if (entries.length === 0 || (entries[0]?.value === known[0]?.value && entries[0]?.key === known[0]?.key)) continue\n',
    ],
    ['a name keeps its first spelling', ' && entries[0]?.key === known[0]?.key) continue', ') continue'],
    [
      'every phase is the first one',
      'next = new CleanRun(this.#program, phase, this.#atEnd())',
      'next = new CleanRun(this.#program, phase, new Map())',
    ],
    ['rules of all phases are run', '      if (rule.info.phase !== phase) continue\n', ''],
    [
      'all variables are those of the end',
      'let all = this.#allAfter[changes]',
      'let all = this.#allAfter[this.#places.length]',
    ],
  ]),
  ...mutationsOf('what is taken over', 'src/waf/program/tx-rules.ts', cleanRunTests, [
    ['captures count as variables that stay', '      !isCaptureName(key) &&\n', ''],
    ['logged rules are', 'rule.logged || rule.severityNumber', 'rule.severityNumber'],
    ['rules with a verdict are', "rule.verdict.kind !== 'pass' || rule.logged", 'rule.logged'],
    ['rules that capture are', '!link.capture && ', ''],
    ['rules with a severity are', 'rule.logged || rule.severityNumber !== 255', 'rule.logged'],
    ['rules that set captures are', '!isCaptureName(name) && macros', 'macros'],
    [
      'rules that depend on the request are',
      'name !== undefined && !isCaptureName(name) && macros.every(isPlainTx)',
      'name !== undefined && !isCaptureName(name)',
    ],
    [
      'macros of operators do not matter',
      '  if (!(link.operator?.macros ?? []).every(isPlainTx)) return false\n',
      '',
    ],
    [
      'the last match does not matter',
      'const matchesCount = rules.some(readsLastMatch)',
      'const matchesCount = false',
    ],
    [
      'the order of names does not matter',
      "return variable.name === 'TX' && key === undefined && !count",
      'return false',
    ],
    [
      'a request may set what they use',
      'link.disturbs = link.effects.some(({ sets }) => sets !== undefined && mayName(sets.name, used))',
      'link.disturbs = false',
    ],
    [
      'a request may set what they compare with',
      '  for (const { key } of link.operator?.macros ?? []) used.add(key!)\n',
      '',
    ],
    ['a request may set what they look at', '  for (const { key } of link.targets) used.add(key!)\n', ''],
    ['a request may set what they set', '      used.add(literalOf(sets!.name)!)\n', ''],
    ['a request may set what they copy', '      for (const macro of macros) used.add(macro.key!)\n', ''],
    [
      'names made of macros disturb nothing',
      'return macrosOf(name).length > 0 && [...names].some(known => known.startsWith(start))',
      'return false',
    ],
    [
      'names made of macros are what they begin with',
      '[...names].some(known => known.startsWith(start))',
      'names.has(start)',
    ],
  ]),
  ...mutationsOf('transaction', 'src/waf/transaction.ts', cleanRunTests, [
    [
      'a disturbance is not noticed',
      '    if (this.#disturbed) return\n    this.#disturbed = true\n',
      '    return\n',
    ],
    ['what was known is lost at a disturbance', '    this.#state.tx.takeOver()\n', ''],
    [
      'a jump over rules of the clean run is not noticed',
      'if (this.#clean !== undefined && hasRuleBetween(this.#clean.folded, info.index + 1, jump)) {',
      'if (false) {',
    ],
    ['a jump leads to the next rule', '    return jump\n  }', '    return info.index + 1\n  }'],
    [
      'a verdict leaves the clean run as it is',
      "    if (this.#state.engine !== 'On' || phase === 5) return undefined\n    this.#leaveCleanRun()\n",
      "    if (this.#state.engine !== 'On' || phase === 5) return undefined\n",
    ],
    [
      'detection only stops requests',
      "if (this.#state.engine !== 'On' || phase === 5) return undefined\n    this",
      'if (phase === 5) return undefined\n    this',
    ],
    [
      'logging stops requests',
      "if (this.#state.engine !== 'On' || phase === 5) return undefined\n    this",
      "if (this.#state.engine !== 'On') return undefined\n    this",
    ],
    ['allow ends the phase only', "verdict.scope === 'all' ? 4 :", "verdict.scope === 'all' ? phase :"],
    [
      'allow:request ends the phase only',
      "verdict.scope === 'request' ? Math.max(2, phase) : phase",
      'phase',
    ],
    ['allow:phase ends the request', "verdict.scope === 'request' ? Math.max(2, phase) : phase", '2'],
    [
      'allow goes on with the phase',
      '          if (phase <= this.#allowedUpTo && phase !== 5) {',
      '          if (false) {',
    ],
    ['an interrupted request goes on', '    this.#interrupted = true\n    const', '    const'],
    [
      'an interrupted request is not logged',
      'return phase === 5 || (!this.#interrupted && phase > this.#allowedUpTo)',
      'return !this.#interrupted && phase > this.#allowedUpTo',
    ],
    [
      'an engine that is off goes on',
      "if (this.#state.engine === 'Off' || this.#overBudget) return false",
      'if (this.#overBudget) return false',
    ],
    [
      'an engine that is switched off goes on with the phase',
      "        if (this.#state.engine === 'Off') {",
      '        if (false) {',
    ],
    ['work has no end', 'this.#overBudget = this.#meter.isUsedUp', 'this.#overBudget = false'],
    [
      'the redirection keeps its macros',
      'location: this.#evaluation.expandAll(location)',
      "location: location.join('')",
    ],
    [
      'a body that is too long passes',
      "this.#state.settings.requestBodyLimitAction === 'Reject' && this.#body.isTooLong",
      'false',
    ],
    [
      'the end of a phase comes before its rules',
      '    this.#state.tx.place = ordered.length\n',
      '    this.#state.tx.place = 0\n',
    ],
  ]),
  ...mutationsOf('variables set', 'src/waf/variables/tx-variables.ts', cleanRunTests, [
    [
      'what is known shows behind what was set',
      'const own = super.named(folded)\n    return own.length > 0 || this.#known === undefined ? own : this.#known.named(folded, this.place)',
      'return this.#known === undefined ? super.named(folded) : this.#known.named(folded, this.place)',
    ],
    [
      'of what is known nothing is counted',
      'return known.length === 0 ? own : [...known, ...own]\n  }\n\n  /** Those',
      'return own\n  }\n\n  /** Those',
    ],
    [
      'nothing is taken over',
      'for (const entry of known) super.set(entry.key, entry.value, entry.folded)',
      '',
    ],
    [
      'captures of the match before stay',
      '      if (value === undefined) super.delete(name, name)\n',
      '      if (value === undefined) continue\n',
    ],
    [
      'a variable that was set is a capture still',
      '    if (isCaptureName(name)) this.#nameCaptures()\n    super.set',
      '    super.set',
    ],
    ['patterns do not find captures', 'if (findsCaptures(pattern)) this.#nameCaptures()', ''],
  ]),
  ...mutationsOf('exceptions', 'src/waf/evaluation.ts', exceptionTests, [
    [
      'a ctl changes the exception',
      'else if (this.#removedIsShared) this.#removed = this.#removed.slice()\n',
      '',
    ],
    ['only the first exception switches rules off', '} else addRules(this.#ownRemoved(), off)', '}'],
    ['an exception hides its values from all rules', 'if (!hasRule(unseen.rules, index)) continue\n', ''],
  ]),
  ...mutationsOf('exceptions', 'src/waf/program/exception.ts', exceptionTests, [
    ['an exception switches support rules off', "rule.role === 'support' || ", ''],
    ['keys of exceptions are compared in the case given', 'key: lowercase(key.text)', 'key: key.text'],
    ['patterns of exceptions heed case', 'caseInsensitive: true', 'caseInsensitive: false'],
  ]),
  ...mutationsOf('rules', 'src/waf/evaluation.ts', cleanRunTests, [
    [
      'links of a chain are not asked',
      'for (let i = 0; i < links.length && matched; i++)',
      'for (let i = 0; i < 1 && matched; i++)',
    ],
    ['a chain goes on without a match', 'i < links.length && matched; i++)', 'i < links.length; i++)'],
    ['MATCHED_VARS outlive their chain', '    this.state.matched.clearChain()\n', ''],
    [
      'the first value that matches is all',
      'else if (this.#runValue(entry, target, link, rule, isLast)) matched = true',
      'else if (this.#runValue(entry, target, link, rule, isLast)) return true',
    ],
    [
      'rules that were removed run',
      'if (this.#removed !== undefined && hasRule(this.#removed, index)) {',
      'if (false) {',
    ],
    [
      'targets that were removed are tested',
      'const removed = this.#targetsToSkip.length > 0 ? this.#removal(target, entry) : undefined',
      'const removed: RemovedTarget | undefined = undefined',
    ],
    [
      'a removed target is removed from all rules',
      '      if (removed.rules.member[index] !== 1) continue\n',
      '',
    ],
    [
      'removed targets of the last rule stay',
      'if (this.#removedTargets.length > 0 || this.#exceptions !== undefined)',
      'if (this.#targetsToSkip.length === 0)',
    ],
    ['a removal leaves the clean run as it is', '    if (rules.concernsTx) this.#onDisturbance()\n', ''],
    [
      'a removed target leaves the clean run as it is',
      "    if (target.variable.name === 'TX') this.#onDisturbance()\n",
      '',
    ],
    [
      'negation is ignored',
      'link.operator!.test(value, this) !== link.negated',
      'link.operator!.test(value, this)',
    ],
    ['nothing is captured', '    if (link.capture && !link.negated) this.#capture(link, value)\n', ''],
    ['everything is captured', 'if (link.capture && !link.negated)', 'if (!link.negated)'],
    ['captures that depend on macros wait', '    if (macros.length > 0) pending.groups\n', ''],
    [
      'effects happen once',
      '    for (let i = 0; i < effects.length; i++) effects[i]!.run(this)\n',
      '    if (!hasRule(this.#matched, rule.info.index)) for (let i = 0; i < effects.length; i++) effects[i]!.run(this)\n',
    ],
    [
      'only the first effect happens',
      'for (let i = 0; i < effects.length; i++) effects[i]!.run(this)',
      'effects[0]?.run(this)',
    ],
    [
      'a rule is listed for each value',
      'if (!isLast || hasRule(this.#matched, rule.info.index)) return',
      'if (!isLast) return',
    ],
    [
      'a rule counts before its chain is over',
      'if (!isLast || hasRule(this.#matched, rule.info.index)) return',
      'if (hasRule(this.#matched, rule.info.index)) return',
    ],
    ['scores do not count', 'this.requestScore += info.score', 'this.requestScore += 0'],
    [
      'severities do not count',
      '    this.state.highestSeverity = Math.min(this.state.highestSeverity, rule.severityNumber)\n',
      '',
    ],
    ['nolog is ignored', '    if (!rule.logged) return\n', ''],
    [
      'logdata is that of the first link',
      'links.findLast(link => link.data !== undefined)',
      'links.find(link => link.data !== undefined)',
    ],
    ['multiMatch tests a value that no step changed', '      if (value === previous) continue\n', ''],
    [
      'multiMatch tests the last value only',
      '    for (const node of link.multiMatch) {\n',
      '    for (const node of link.multiMatch.slice(-1)) {\n',
    ],
    [
      'a number of values is the values',
      "const number = new Entry('', String(entries.length))",
      "const number = new Entry('', entries[0]?.value ?? '')",
    ],
    [
      'what the gate says is taken for links of a chain',
      'const gated = i === 0 && rule.gated',
      'const gated = rule.gated',
    ],
    [
      'the gate is asked about the rule, not the value',
      'if (gated && (entry.hits === undefined || !hasRule(entry.hits, rule.info.index))) continue',
      '',
    ],
    ['values selected in the phase before stay', '    this.#selected.forget()\n', ''],
  ]),
  ...mutationsOf('targets', 'src/waf/selected-values.ts', cleanRunTests, [
    [
      'exclusions are ignored',
      'return !exclusions.some(exclusion => excludes(exclusion, variable, entry))',
      'return true',
    ],
    [
      'patterns of keys are ignored',
      'if (pattern !== undefined && !pattern.test(entry.key)) return false',
      '',
    ],
    [
      'keys are ignored',
      'target.key === undefined ? collection.all() : collection.named(target.key)',
      'collection.all()',
    ],
  ]),
  ...mutationsOf('targets', 'src/waf/program/targets.ts', loadTests, [
    [
      'what selects the same keys selects the same values',
      'return [variable.freshness, variable.slot, key, pattern?.source]',
      'return [key, pattern?.source]',
    ],
    [
      'all keys are one',
      'return [variable.freshness, variable.slot, key, pattern?.source]',
      'return [variable.freshness, variable.slot, pattern?.source]',
    ],
    [
      'all patterns are one',
      'return [variable.freshness, variable.slot, key, pattern?.source]',
      'return [variable.freshness, variable.slot, key]',
    ],
    [
      'an excluded key is told by its case',
      "selector.kind === 'key' ? lowercase(selector.key) : undefined",
      "selector.kind === 'key' ? selector.key : undefined",
    ],
    [
      'an excluded target is that key of any variable',
      '  if (exclusion.variable !== variable) return false\n',
      '',
    ],
    [
      'exclusions change what is counted',
      'const exclusionsHere = selector.count ? [] : concerning',
      'const exclusionsHere = concerning',
    ],
  ]),
  ...mutationsOf('jumps', 'src/waf/program/flow.ts', semantics, [
    ['the marker above counts', 'find(marker => marker > index)', 'find(() => true)'],
    ['a marker that is not there is the next rule', '?? all.length', '?? index + 1'],
    ['skip counts rules of all phases', 'if (all[next]!.rule.info.phase === phase) left--', 'left--'],
    ['skip leaves out one rule less', 'let left = skip\n', 'let left = skip - 1\n'],
    ['skipAfter is ignored', 'if (skipAfter !== undefined) return', "if (skipAfter === '') return"],
  ]),
  ...mutationsOf('setvar', 'src/waf/actions/variable-actions.ts', semantics, [
    ['does not add', "const adds = value.startsWith('+') || value.startsWith('-')", 'const adds = false'],
    [
      'does not subtract',
      "const adds = value.startsWith('+') || value.startsWith('-')",
      "const adds = value.startsWith('+')",
    ],
    ['does not delete', 'variablesOf(place, view)?.delete(expand(place.name, view))', 'undefined'],
    ['falls below 0', 'Math.max(0, sum)', 'sum'],
    ['without a value sets nothing', "equals < 0 ? '1' :", "equals < 0 ? '' :"],
    ['values have no limit', 'text.length > transactionLimits.variableBytesMax', 'false'],
  ]),
  ...mutationsOf('persistent variables', 'src/waf/actions/variable-actions.ts', semantics, [
    ['expire at once', 'atoi(expand(seconds, view)) * 1000', 'atoi(expand(seconds, view))'],
    ['a record is opened anew', 'if (view.state.persistent.has(collection)) return', ''],
  ]),
  ...mutationsOf('ctl', 'src/waf/actions/controls.ts', semantics, [
    ['ruleRemoveById removes nothing', 'effect(view => view.removeRules(rules))', 'effect(() => {})'],
    [
      'ruleRemoveTarget removes nothing',
      'effect(view => view.removeTarget(rules, target))',
      'effect(() => {})',
    ],
    [
      'ruleRemoveTarget removes the rules',
      'effect(view => view.removeTarget(rules, target))',
      'effect(view => view.removeRules(rules))',
    ],
    ['ruleEngine changes nothing', 'view.state.engine = mode', ''],
    ['requestBodyProcessor changes nothing', 'view.state.processor = processor', ''],
    ['forceRequestBodyVariable changes nothing', 'view.state.forceBodyVariable = on', ''],
    [
      'forceRequestBodyVariable is always on',
      "const on = oneOf(text, ['On', 'Off'], context) === 'On'\n  context.link.effects.push(\n    effect(view => {\n      view.state.forceBodyVariable",
      "const on = oneOf(text, ['On', 'Off'], context) !== undefined\n  context.link.effects.push(\n    effect(view => {\n      view.state.forceBodyVariable",
    ],
    ['body access changes nothing', 'view.state[which] = on', ''],
    [
      'response body access is that of the request',
      "responsebodyaccess: bodyAccess('responseBodyAccess')",
      "responsebodyaccess: bodyAccess('requestBodyAccess')",
    ],
    [
      'ruleRemoveByMsg is by tag',
      "ruleremovebymsg: remover(pattern('message'))",
      "ruleremovebymsg: remover(pattern('tag'))",
    ],
    [
      'ruleRemoveByTag is by message',
      "ruleremovebytag: remover(pattern('tag'))",
      "ruleremovebytag: remover(pattern('message'))",
    ],
    [
      'ruleRemoveTargetByTag is by message',
      "ruleremovetargetbytag: targetRemover(pattern('tag'))",
      "ruleremovetargetbytag: targetRemover(pattern('message'))",
    ],
    [
      'ruleRemoveTargetByMsg is by tag',
      "ruleremovetargetbymsg: targetRemover(pattern('message'))",
      "ruleremovetargetbymsg: targetRemover(pattern('tag'))",
    ],
  ]),
  ...mutationsOf('actions', 'src/waf/actions/rule-actions.ts', semantics, [
    [
      'a redirection has any status',
      'status !== undefined && redirections.has(status) ? status : 302',
      'status ?? 302',
    ],
    ['deny is 404', 'return status ?? 403', 'return status ?? 404'],
    ['severities are one off', 'severities[Number(text)]', 'severities[Number(text) + 1]'],
  ]),
  ...mutationsOf('actions', 'src/waf/actions/table.ts', semantics, [
    ['t:none drops nothing', '    link.transformations = []\n', ''],
    [
      'only the last transformation counts',
      'link.transformations.push(name)',
      'link.transformations = [name]',
    ],
    ['multiMatch is ignored', '      link.multiMatch = true\n', ''],
    ['capture is ignored', '      link.capture = true\n', ''],
    ['logdata is ignored', '      link.data = template(text)\n', ''],
    ['setuid opens a session', "setuid: ofLink(opener('USER'))", "setuid: ofLink(opener('SESSION'))"],
  ]),
  ...mutationsOf('removals and updates', 'src/waf/program/rule-updates.ts', loadTests, [
    ['SecRuleRemove removes nothing', "draft.kind === 'marker' || !chosen(draft)", 'true'],
    [
      'SecRuleRemove removes markers',
      "draft.kind === 'marker' || !chosen(draft)",
      "draft.kind !== 'marker' && !chosen(draft)",
    ],
    [
      'SecRuleUpdateTarget replaces targets',
      'head.variables = [...head.variables, ...variables]',
      'head.variables = variables',
    ],
    [
      'SecRuleUpdateAction replaces all',
      '[...old.filter(action => !replaced.has(kindOf(action))), ...added]',
      "[...old.filter(({ name }) => name === 'id' || name === 'phase' || name === 'chain'), ...added]",
    ],
    ['tags replace each other', "new Set(['tag', 't',", "new Set(['t',"],
  ]),
  ...mutationsOf('settings', 'src/waf/program/directives.ts', loadTests, [
    ['SecRuleEngine is ignored', '({ engine: text as EngineMode })', '({})'],
    ['SecRequestBodyAccess is ignored', "({ requestBodyAccess: text === 'On' })", '({})'],
    ['SecResponseBodyAccess is ignored', "({ responseBodyAccess: text === 'On' })", '({})'],
    [
      'SecRequestBodyLimit is ignored',
      'number(requestBodyLimit => ({ requestBodyLimit }))',
      'number(() => ({}))',
    ],
    [
      'SecRequestBodyNoFilesLimit is ignored',
      'number(requestBodyNoFilesLimit => ({ requestBodyNoFilesLimit }))',
      'number(() => ({}))',
    ],
    ['SecRequestBodyLimitAction is ignored', '({ requestBodyLimitAction: text as LimitAction })', '({})'],
    [
      'SecRequestBodyJsonDepthLimit is ignored',
      'number(jsonDepthLimit => ({ jsonDepthLimit }))',
      'number(() => ({}))',
    ],
    ['SecArgumentsLimit is ignored', 'number(argumentsLimit => ({ argumentsLimit }))', 'number(() => ({}))'],
    [
      'SecResponseBodyLimit is ignored',
      'number(responseBodyLimit => ({ responseBodyLimit }))',
      'number(() => ({}))',
    ],
    ['SecResponseBodyLimitAction is ignored', '({ responseBodyLimitAction: text as LimitAction })', '({})'],
    [
      'SecResponseBodyMimeTypesClear is ignored',
      'setting(() => ({ responseBodyMimeTypes: new Set() }))',
      'setting(() => ({}))',
    ],
    [
      'SecCollectionTimeout is ignored',
      'number(collectionTimeoutSec => ({ collectionTimeoutSec }))',
      'number(() => ({}))',
    ],
    ['SecDefaultAction is ignored', '  } else load.defaults.set(phase, actions)\n', '  }\n'],
  ]),
  ...mutationsOf('chosen rules', 'src/waf/program/rule-selections.ts', semantics, [
    [
      'by tag is by message',
      "choice.by === 'tag' ? rule => rule.tags.some(found) : rule => found(rule.message)",
      'rule => found(rule.message)',
    ],
    [
      'by message is by tag',
      "choice.by === 'tag' ? rule => rule.tags.some(found) : rule => found(rule.message)",
      'rule => rule.tags.some(found)',
    ],
  ]),
  ...mutationsOf('chosen rules', 'src/waf/program/rule-selections.ts', cleanRunTests, [
    [
      'they never concern the clean run',
      "this.#rules().some(rule => rule.role === 'support' && this.#chosen(rule))",
      'false',
    ],
  ]),
  ...mutationsOf('ids', 'src/waf/actions/id-ranges.ts', loadTests, [
    ['a range lacks its end', 'id <= to', 'id < to'],
    ['a range lacks its start', 'id >= from', 'id > from'],
  ]),
  ...mutationsOf('matches shown', 'src/waf/recorded-match.ts', semantics, [
    [
      'captures are those of the moment they are read',
      'return captures !== undefined && isCapture(part) ? Number(part.key) : view.expand(part)',
      "return isCapture(part) ? '' : view.expand(part)",
    ],
  ]),
]
