import { type Mutation, mutationsOf } from './mutation.ts'

/** Mistakes in what rules values out, remembers answers, and finds literals. */

const tests = [
  'src/waf/gate/gate.test.ts',
  'src/waf/gate.differential.test.ts',
  'src/waf/gate/pruning.test.ts',
  'src/waf/gate/byte-kinds.test.ts',
  'src/waf/gate/literal-automaton.test.ts',
  'src/waf/gate/secrets.test.ts',
  'src/waf/mask.differential.test.ts',
  'src/waf/image.differential.test.ts',
  'src/waf/concurrency.differential.test.ts',
]

const searchTests = ['src/waf/program/rule-search.test.ts']

const memoTests = [
  'src/waf/gate/memo.test.ts',
  'src/waf/gate/secrets.test.ts',
  'src/waf/memo.differential.test.ts',
]

export const gateMutations: readonly Mutation[] = [
  ...mutationsOf('gate texts', 'src/waf/gate/texts.ts', tests, [
    [
      'a value stands for what it decodes to',
      'if (this.single) return node.changesAny ? nowhere : 0',
      'if (this.single) return 0',
    ],
    [
      'case is not folded',
      'const folds = this.single ? node.foldsCase : this.#folds[node.id] === 1',
      'const folds = false',
    ],
    [
      'case is folded without being asked',
      'return folds ? this.#loweredText(number) : this.#texts[number]!',
      'return this.#loweredText(number)',
    ],
    ['the low kinds are not looked at', '        (this.#lows[number]! & masks[i]!) |\n', ''],
    ['the high kinds are not looked at', '        (this.#highs[number]! & masks[i + 1]!) |\n', ''],
    ['the first bits are not looked at', '        (this.#bits[number * 2]! & masks[i + 2]!) |\n', ''],
    ['a step without triggers is skipped', '      (flags & 2) === 0 &&\n', ''],
    [
      'low triggers are not looked at',
      '      (this.#lows[from]! & facts[fact + nodeFacts.low]!) === 0 &&\n',
      '',
    ],
    [
      'high triggers are not looked at',
      ' &&\n      (this.#highs[from]! & facts[fact + nodeFacts.high]!) === 0\n',
      '\n',
    ],
    ['a fold before is forgotten', 'this.#folds[id] = folds | (flags & 1)', 'this.#folds[id] = flags & 1'],
    ['a fold is forgotten', 'this.#folds[id] = folds | (flags & 1)', 'this.#folds[id] = folds'],
    [
      'a fold is forgotten where nothing changes',
      'this.#folds[id] = to === unchanged ? folds : 0',
      'this.#folds[id] = 0',
    ],
    [
      'a fold goes on behind a change',
      'this.#folds[id] = to === unchanged ? folds : 0',
      'this.#folds[id] = folds',
    ],
    [
      'a step takes the text before it was folded',
      'const before = folds === 1 ? this.#loweredText(from) : this.#texts[from]!',
      'const before = this.#texts[from]!',
    ],
    [
      'triggers do not count',
      '    if ((this.#lows[0]! & triggersLow) !== 0 || (this.#highs[0]! & triggersHigh) !== 0) return false\n',
      '',
    ],
    [
      'steps that may change anything do not count',
      '    for (let i = 0; i < always.length; i++) {\n',
      '    for (let i = 0; i < 0; i++) {\n',
    ],
    [
      'a step taken from one text is that of another',
      'if (taken.apply === apply && taken.before === before) return taken.to',
      'if (taken.apply === apply) return taken.to',
    ],
    [
      'a step taken is another step',
      'if (taken.apply === apply && taken.before === before) return taken.to',
      'if (taken.before === before) return taken.to',
    ],
    [
      'no step reaches a length',
      'if (reaches !== undefined && !reaches(before, this.#plan.lengthMin[node]!)) return nowhere',
      'if (reaches !== undefined) return nowhere',
    ],
    ['literals of the last text count', 'const scan = ++this.#scan\n', 'const scan = this.#scan\n'],
    [
      'a rule is never found',
      'if (--this.#waiting[rule]! > 0) return',
      'if (--this.#waiting[rule]! >= 0) return',
    ],
    ['one literal of several will do', 'if (--this.#waiting[rule]! > 0) return', '--this.#waiting[rule]!'],
    [
      'a literal that is there twice counts twice',
      '    if (this.#groupSeen[group] === this.#scan) return\n    this.#groupSeen[group] = this.#scan\n',
      '',
    ],
    [
      'bits of alternatives are those of the value',
      'this.#bits[text * 2]! |= first',
      'this.#bits[0]! |= first',
    ],
    ['bits of the last text stay', '      this.#bits[number * 2] = 0\n', ''],
    ['a lowered text of the last value stays', '    this.#lowered[number] = undefined\n', ''],
    ['steps taken from the last value stay', '    this.#takenCount = 0\n', ''],
    ['rules found in the last value stay', '    this.foundCount = 0\n', ''],
  ]),
  ...mutationsOf('gate plan', 'src/waf/gate/value-plan.ts', tests, [
    ['what is plausible is told by the high kinds', '      known.low === low &&\n', ''],
    ['what is plausible is told by the low kinds', '      known.high === high &&\n', ''],
    ['what is plausible is told without the first bits', '      known.first === first &&\n', ''],
    [
      'a key that a rule leaves out is left out by all',
      '    const keys = new Set(rules.flatMap(rule => keysNamed(rule, variable)))\n',
      '    const keys = new Set<string>()\n',
    ],
    [
      'rules without a key are not asked',
      '(target.key === undefined || target.key === key)',
      'target.key === key',
    ],
    [
      'keys are not told apart',
      'if (this.#keyLengths[entry.key.length] !== 1) return this.other',
      'return this.other',
    ],
    ['keys are told apart by their case', 'const { folded } = entry', 'const { key: folded } = entry'],
    ['what grows is too short', 'node.step.grows ? 0 : lengths[node.id]!', 'lengths[node.id]!'],
    [
      'the longest rule says what is too short',
      'lengths[node.id] = Math.min(lengths[node.id]!, length)',
      'lengths[node.id] = length',
    ],
    [
      'steps before the last are not taken',
      'step?.parent !== undefined; step = step.parent)',
      'step?.parent !== undefined; step = undefined)',
    ],
    [
      'steps are taken in any order',
      'return [...nodes].sort((a, b) => a.id - b.id)',
      'return [...nodes].sort((a, b) => b.id - a.id)',
    ],
    [
      'rules without literals are not asked',
      'this.others = rules.filter(rule => this.byLiterals[rule.index] === 0)',
      'this.others = []',
    ],
    [
      'all rules are asked',
      'if (this.scansLiterals) for (const rule of found) this.byLiterals[rule.index] = 1',
      '',
    ],
  ]),
  ...mutationsOf('gate scanner', 'src/waf/gate/scanner.ts', tests, [
    [
      'with multiMatch a text in another case is not tested',
      'if (at === previous && !node.foldsCase) continue',
      'if (at === previous) continue',
    ],
    [
      'with multiMatch the last text is tested',
      'rule.path === undefined ? this.#matches(rule, rule.node, view) : this.#matchesOn(rule, rule.path, view)',
      'this.#matches(rule, rule.node, view)',
    ],
    [
      'negation is ignored',
      'if (rule.operator.test(text, view) === rule.negated) return false',
      'if (!rule.operator.test(text, view)) return false',
    ],
    ['nothing is tested', 'if (rule.operator.test(text, view) === rule.negated) return false', ''],
    [
      'what is ruled out is tested',
      'if (at < 0 || !texts.mayHold(rule, at)) return false',
      'if (at < 0) return false',
    ],
    [
      'another text is kept for the rules',
      'node.keep(this.#entry, text)',
      'node.keep(this.#entry, this.#entry.value)',
    ],
    ['the first rule that is found is all', '      addRule(hits, rule.index)\n', ''],
    [
      'rules found share what they found',
      '      const hits = this.#hits.slice()\n',
      '      const hits = this.#hits\n',
    ],
    [
      'rules found are not tried',
      '    for (let i = 0; i < texts.foundCount; i++) this.#tryFound(i, view)\n',
      '',
    ],
    [
      'rules found in long values are not tried',
      '    else if (this.#foundAt < this.#texts.foundCount) this.#tryFound(this.#foundAt++, view)\n',
      '',
    ],
    [
      'rules without literals are not tried on long values',
      '    else if (this.#otherAt < this.#others.length) this.#try(this.#others[this.#otherAt++]!, view)\n',
      '',
    ],
    [
      'what the value rules out is ruled out after a change',
      'const others = texts.isAlone ? texts.plausible() : this.#others',
      'const others = texts.plausible()',
    ],
    ['a value keeps the hits of the last', '    this.#hits = undefined\n    texts', '    texts'],
    ['in a long value found rules begin where the last ended', '    this.#foundAt = 0\n', ''],
  ]),
  ...mutationsOf('gate search', 'src/waf/gate/search.ts', tests, [
    [
      'values of phases that were left out are not seen',
      '    while (this.#stagesSeen < phase) {\n',
      '    this.#stagesSeen = Math.max(this.#stagesSeen, phase - 1)\n    while (this.#stagesSeen < phase) {\n',
    ],
    [
      'a repeated value has the answer of another key',
      'const repeated = plan === variable.other ? seen?.get(value) : undefined',
      'const repeated = seen?.get(value)',
    ],
    [
      'a value with a key answers for others',
      'if (plan === variable.other) seen?.set(value, hits ?? null)',
      'seen?.set(value, hits ?? null)',
    ],
    [
      'hits of one value are added to those of another',
      '      const both = entry.hits.slice()\n',
      '      const both = entry.hits\n',
    ],
    ['a value that was seen before matches nothing', '    if (known !== null) this.#add(entry, known)\n', ''],
    [
      'a value that matches twice matches the last',
      '      addRules(both, hits)\n',
      '      both.splice(0, both.length, ...hits)\n',
    ],
    ['repeated values are asked about each time', 'seen?.set(value, hits ?? null)', 'undefined'],
  ]),
  ...mutationsOf('gate search', 'src/waf/gate/search.ts', memoTests, [
    ['credentials are remembered', ' && !isSecret(variable.variable, entry)', ''],
    ['long values are remembered', '    if (value.length > wafLimits.memoValueBytesMax) return\n', ''],
    [
      'values are told apart by their beginning',
      '(isShort ? plan.memo?.get(value) : undefined)',
      '(isShort ? plan.memo?.get(value.slice(0, 6)) : undefined)',
    ],
  ]),
  ...mutationsOf('gate rule', 'src/waf/gate/gated-rule.ts', tests, [
    [
      'a negated rule needs what it must not find',
      'of negated ? [] : operator!.requirements',
      'of operator!.requirements',
    ],
    ['literals beside bytes are forgotten', 'literals: longer, bit })', 'literals: [], bit })'],
    [
      'bytes beside literals are forgotten',
      'kinds: kindsOf(bytes.folded()), literals: longer',
      'kinds: { low: 0, high: 0 }, literals: longer',
    ],
    ['macros do not matter', 'link.operator.macros.length > 0', 'false'],
    ['counts are values', '!target.count && phase', 'phase'],
    ['before the response there is none', '  response: 3,\n', '  response: 1,\n'],
    ['before its body there is none', "  'response-body': 4,\n", "  'response-body': 1,\n"],
    ['what may change is asked once', '  always: Number.POSITIVE_INFINITY,\n', '  always: 1,\n'],
    [
      'the longest literal says what is too short',
      'Math.min(length, literal.length), Number.POSITIVE_INFINITY)',
      'Math.max(length, literal.length), 0)',
    ],
    ['bits beyond the first word are lost', 'bit >= 32 ? 1 << (bit - 32) : 0', '0'],
  ]),
  ...mutationsOf('gate tables', 'src/waf/gate/gate.ts', tests, [
    ['bits of alternatives are mixed up', 'first |= 1 << ~owner', 'first |= 2 << ~owner'],
    [
      'bits of the second word are in the first',
      'second |= 1 << (~owner - 32)',
      'first |= 1 << (~owner - 32)',
    ],
    ['rules whose literals have no room are never found', 'this.#hasNoRoom.has(rule.index)', 'false'],
    [
      'a scanner is used by two requests at once',
      '    const rested = this.#atRest.pop()\n',
      '    const rested = this.#atRest[0]\n',
    ],
  ]),
  ...mutationsOf('kinds of bytes', 'src/waf/gate/byte-kinds.ts', tests, [
    [
      'of two letters only one case has a kind',
      '  ByteSet.of([0x78]).folded(),\n',
      '  ByteSet.of([0x78]),\n',
    ],
    ['a set has low kinds only', '    high |= highKind[byte]!\n', ''],
    ['a set has high kinds only', '    low |= lowKind[byte]!\n', ''],
    [
      'a sign has the kind of the next',
      'if (sign >= 0) lowKind[byte] = 1 << sign',
      'if (sign >= 0) lowKind[byte] = 3 << sign',
    ],
  ]),
  ...mutationsOf('literals', 'src/waf/gate/literal-automaton.ts', tests, [
    [
      'a mismatch begins anew',
      'const elsewhere = state === 0 ? 0 : next[from * width + column]!',
      'const elsewhere = 0',
    ],
    [
      'a literal inside another is not met',
      'this.#groups[state] = union(this.#groups[state], this.#groups[from])',
      '',
    ],
    ['capital letters are none', '  columns[letter.charCodeAt(0) - 0x20] = column++\n', '  column++\n'],
    ['a literal is met for one group only', '    else if (!groups.includes(group)) groups.push(group)\n', ''],
    [
      'no literal has room',
      'if (this.states + literal.length > wafLimits.gateStatesMax) return false',
      'return false',
    ],
    ['a literal without room is in part', '    if (!hasRoom) left.add(group)\n', ''],
  ]),
  ...mutationsOf('memo', 'src/waf/gate/memo.ts', memoTests, [
    ['nothing is ever forgotten', 'if (this.#bytes < this.#bytesMax / 2) return', 'return'],
    [
      'of the generation before all is forgotten',
      'this.#old = isNext ? this.#young : none',
      'this.#old = none',
    ],
    ['what was used is forgotten', '    if (older !== undefined) this.#keep(value, older)\n', ''],
    ['a memo that is not asked keeps all', '    for (const answers of this.#old) answers.clear()\n', ''],
    [
      'what is young is cleared',
      '    for (const answers of this.#old) answers.clear()\n',
      '    for (const answers of this.#young) answers.clear()\n',
    ],
    [
      'no match is not remembered',
      '    this.#young.set(value, hits)\n',
      '    if (hits !== null) this.#young.set(value, hits)\n',
    ],
    [
      'memos share their answers',
      '    if (this.#young === none) this.#young = this.#allowance.answers()\n',
      '',
    ],
  ]),
  ...mutationsOf('credentials', 'src/waf/gate/secrets.ts', memoTests, [
    [
      'headers have none',
      'return !ordinaryHeaders.has(entry.folded) && mayBeCredential(entry)',
      'return false',
    ],
    ['cookies have none', "    case 'REQUEST_COOKIES':\n", ''],
    ['arguments of forms have none', "    case 'ARGS_POST':\n", ''],
    ['a long word is none', 'value.length >= tokenBytesMin', 'value.length > 1e9'],
    ['a query has none', "  'QUERY_STRING',\n", ''],
    ['a body has none', "  'REQUEST_BODY',\n", ''],
    ['a request line has none', "  'REQUEST_LINE',\n", ''],
    [
      'names count in lower case only',
      'function mayBeCredential({ folded, value }: Entry)',
      'function mayBeCredential({ key: folded, value }: Entry)',
    ],
  ]),
  ...mutationsOf(
    'sets of rules',
    'src/waf/program/rule-bits.ts',
    ['src/waf/program/rule-bits.test.ts'],
    [
      [
        'words overlap',
        'const word = (index / wordBits) | 0\n  bits[word]! |=',
        'const word = (index / 32) | 0\n  bits[word]! |=',
      ],
      ['the next one is sought from the first', 'let mask = -1 << (from - word * wordBits)', 'let mask = -1'],
      ['later words are masked', '    mask = -1\n', ''],
      ['the pair is ignored', ' | (others[word]! & ofOthers[word]!)', ''],
      ['one of the pair will do', '(others[word]! & ofOthers[word]!)', '(others[word]! | ofOthers[word]!)'],
      ['what is found is run though it is off', ' & of[word]! & mask', ' & mask'],
      [
        'the last one between is left out',
        'for (let index = from; index < end; index++)',
        'for (let index = from; index < end - 1; index++)',
      ],
      [
        'only the first word is taken over',
        'for (let word = 0; word < bits.length; word++) bits',
        'for (let word = 0; word < 1; word++) bits',
      ],
    ],
  ),
  ...mutationsOf('mask', 'src/waf/program/rule-search.ts', tests, [
    [
      'arguments are seen in phase 1 only',
      "if (freshness === 'body') return phase === 1 ? 1 : 2",
      "if (freshness === 'body') return 1",
    ],
    [
      'arguments are seen in phase 2 only',
      "if (freshness === 'body') return phase === 1 ? 1 : 2",
      "if (freshness === 'body') return 2",
    ],
    [
      'the body of a response is seen with its headers',
      "return freshness === 'response-body' ? 4 : 3",
      'return 3',
    ],
    [
      'a rule on two variables is asked about one',
      '      for (const variable of variables) {\n',
      '      for (const variable of [...variables].slice(0, 1)) {\n',
    ],
    [
      'the support rules are not searched for',
      'const whole = support.slice()',
      'const whole = support.map(() => 0)',
    ],
    ['groups are left out', '(word & enabled[at]!) !== 0', '(word & enabled[at]!) < 0'],
  ]),
  ...mutationsOf('mask', 'src/waf/program/masked-program.ts', tests, [
    ['rules that are off are run', 'if (enabled[index] === 1) addRule', 'addRule'],
  ]),
  ...mutationsOf(
    'mask',
    'src/waf/program/masked-program.ts',
    ['src/waf/program/program.test.ts'],
    [['no body is wanted', '!== 0) return true', '!== 0) return false']],
  ),
  ...mutationsOf('mask', 'src/waf/program/rule-search.ts', searchTests, [
    [
      'a small set of rules is searched for with all others',
      'const few = countRules(enabled) * ownSearchPaysBelow < countRules(whole)',
      'const few = false',
    ],
    ['equal sets have a search each', '    if (known !== undefined) return known\n', ''],
    [
      'there is no end of searches',
      '!always && this.#made.size >= wafLimits.searchesMax',
      '!always && this.#made.size < 0',
    ],
  ]),
  ...mutationsOf('mask', 'src/waf/program/rule-search.ts', memoTests, [
    [
      'plans share a memo',
      'const memo = memoAllowance === undefined ? undefined : new Memo(memoAllowance)',
      'const memo: Memo | undefined = memoAllowance === undefined ? undefined : ((memoAllowance as { shared?: Memo }).shared ??= new Memo(memoAllowance))',
    ],
  ]),
  ...mutationsOf('transformations of a rule', 'src/waf/program/transform-trie.ts', tests, [
    ['lists that begin alike are alike', 'const key = `${node.id} ${name}`', 'const key = name'],
    [
      'a step is taken from the value',
      'this.step.apply(this.parent.valueOf(entry))',
      'this.step.apply(entry.value)',
    ],
    [
      'a fold of a step before is forgotten',
      'this.foldsCase = step.foldsCase || parent?.foldsCase === true',
      'this.foldsCase = step.foldsCase',
    ],
    [
      'behind a change of anything triggers tell',
      'step.triggers === undefined || parent?.changesAny === true',
      'step.triggers === undefined',
    ],
  ]),
]
