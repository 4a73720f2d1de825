import { type Mutation, mutationsOf } from './mutation.ts'

/** Mistakes in regular expressions: what patterns mean, and how each of the machines finds it. */

const tests = [
  'src/regex/semantics.test.ts',
  'src/regex/differential.test.ts',
  'src/regex/requirements.test.ts',
  'src/regex/lazy-dfa.test.ts',
  'src/regex/limits.test.ts',
  'src/regex/errors.test.ts',
]

const requirementTests = ['src/regex/requirements.test.ts', 'src/waf/operators/requirements.test.ts']

export const matcherMutations: readonly Mutation[] = [
  ...mutationsOf('pattern', 'src/regex/parse.ts', tests, [
    ['the dot matches no line feed', 'this.#flags.s ? anyByte : notLineFeed', 'notLineFeed'],
    ['the dot matches all', 'this.#flags.s ? anyByte : notLineFeed', 'anyByte'],
    [
      '^ is the start of a line',
      "this.#flags.m ? this.#dialect.lineStart : 'text-start'",
      'this.#dialect.lineStart',
    ],
    [
      '^ is never the start of a line',
      "this.#flags.m ? this.#dialect.lineStart : 'text-start'",
      "'text-start'",
    ],
    ['$ is the end of a line', "this.#flags.m ? 'line-end' : 'text-end'", "'line-end'"],
    ['$ is never the end of a line', "this.#flags.m ? 'line-end' : 'text-end'", "'text-end'"],
    [
      '$ is before a last line feed',
      "this.#flags.m ? 'line-end' : 'text-end'",
      "this.#flags.m ? 'line-end' : 'text-end-or-last-line-feed'",
    ],
    [
      'letters do not fold',
      'return this.#flags.i ? foldedByte(byte) : singleByte(byte)',
      'return singleByte(byte)',
    ],
    [
      'letters always fold',
      'return this.#flags.i ? foldedByte(byte) : singleByte(byte)',
      'return foldedByte(byte)',
    ],
    ['caseInsensitive is ignored', 'i: caseInsensitive, m: false', 'i: false, m: false'],
    [
      'a possessive run is greedy',
      'return wholeRun(item, min)',
      "return { kind: 'repeat', item, min, max, mode: 'greedy', emptyTurns: false }",
    ],
    ['possessive is greedy', "const mode = possessive ? 'possessive' : lazy", 'const mode = lazy'],
    ['lazy is greedy', "lazy !== this.#flags.U ? 'lazy' : 'greedy'", "'greedy'"],
    ['flag U is ignored', 'lazy !== this.#flags.U ?', 'lazy ?'],
    ['flags outlive their group', '    this.#depth--\n    this.#flags = flags\n', '    this.#depth--\n'],
    ['flags of (?i:…) outlive it', '    this.#flags = before\n    return item\n', '    return item\n'],
    ['flag x is ignored', 'if (this.#flags.x) this.#in.skipBlanksAndComments()', ''],
    [
      '\\Q…\\E: what follows repeats all',
      '    items.push(...nodes)\n    return last\n',
      "    return last === undefined ? undefined : { kind: 'concat', items: [...nodes, last] }\n",
    ],
    [
      '(?!…) is (?=…)',
      "{ mark: '!', behind: false, negative: true }",
      "{ mark: '!', behind: false, negative: false }",
    ],
    [
      '(?<!…) is (?<=…)',
      "{ mark: '<!', behind: true, negative: true }",
      "{ mark: '<!', behind: true, negative: false }",
    ],
    ['{n} is {n,}', 'match[2] === undefined ? min :', 'match[2] === undefined ? Number.POSITIVE_INFINITY :'],
    ['{n,} is {n}', "match[3] === '' ? Number.POSITIVE_INFINITY :", "match[3] === '' ? min :"],
    ['+ is *', "if (this.#in.take('+')) return { min: 1,", "if (this.#in.take('+')) return { min: 0,"],
    [
      '? is *',
      "if (this.#in.take('?')) return { min: 0, max: 1 }",
      "if (this.#in.take('?')) return { min: 0, max: Number.POSITIVE_INFINITY }",
    ],
    [
      '(?:…) captures',
      "if (this.#in.take(':')) return this.#closed(this.#alternatives(), start)",
      "if (this.#in.take(':')) return this.#capture(start)",
    ],
    [
      '\\Z is \\z',
      "      case 'assertion':\n        this.#lastLineFeed ||= read.what === 'text-end-or-last-line-feed'\n        return { kind: 'assertion', what: read.what }",
      "      case 'assertion':\n        return { kind: 'assertion', what: read.what === 'text-end-or-last-line-feed' ? 'text-end' : read.what }",
    ],
    ['references do not fold case', 'caseInsensitive: this.#flags.i }', 'caseInsensitive: false }'],
    [
      'a repeated assertion must hold though it need not',
      "      if (min > 0) return item\n      if (item.kind !== 'look')",
      "      if (min >= 0) return item\n      if (item.kind !== 'look')",
    ],
    ['a class read before counts under other flags', 'other.flags === flags && this.#in', 'this.#in'],
  ]),
  ...mutationsOf('class', 'src/regex/parse-class.ts', tests, [
    ['^ does not negate', 'return negated ? set.complement() : set', 'return set'],
    ['letters do not fold', 'return this.#fold ? set.folded() : set', 'return set'],
    ['a range is its first byte', '    set.addRange(low, high)\n', '    set.addRange(low, low)\n'],
    ['a first bracket closes', "if (this.#in.peek() === ']') this.#addItem(set, 0)", ''],
    [
      '&& is a union',
      "if (operation === '&&') set = set.intersection(right)",
      "if (operation === '&&') set = set.union(right)",
    ],
    [
      '-- is ignored',
      "else if (operation === '--') set = set.intersection(right.complement())",
      "else if (operation === '--') set = set.union(right)",
    ],
    [
      '~~ is a union',
      'else set = set.union(right).intersection(set.intersection(right).complement())',
      'else set = set.union(right)',
    ],
    ['[:^name:] is [:name:]', "return name[1] === '^' ? set.complement() : set", 'return set'],
    [
      'a hyphen before the end is no hyphen',
      "return two !== '-]' && two !== '-' &&",
      "return two !== '-' &&",
    ],
  ]),
  ...mutationsOf('sets', 'src/regex/byte-set.ts', tests, [
    ['_ is no word byte', "  .union(codes('_'))\n", ''],
    [
      '\\d is a word',
      'export const digits = ByteSet.range(0x30, 0x39)',
      'export const digits = ByteSet.range(0x30, 0x3a)',
    ],
    [
      '\\s lacks the vertical tab',
      "export const spaces = codes(' \\t\\n\\v\\f\\r')",
      "export const spaces = codes(' \\t\\n\\f\\r')",
    ],
    ['\\h lacks 0xA0', 'ByteSet.of([0x09, 0x20, 0xa0])', 'ByteSet.of([0x09, 0x20])'],
    ['\\v lacks 0x85', 'ByteSet.of([0x0a, 0x0b, 0x0c, 0x0d, 0x85])', 'ByteSet.of([0x0a, 0x0b, 0x0c, 0x0d])'],
    ['folding adds lower case only', '      set.members[upper] = either\n', ''],
    ['folding adds upper case only', '      set.members[upper | 0x20] = either\n', ''],
    [
      'an intersection is a union',
      'this.members[byte]! & other.members[byte]!',
      'this.members[byte]! | other.members[byte]!',
    ],
  ]),
  ...mutationsOf('escapes', 'src/regex/escape.ts', tests, [
    [
      'octal codes are decimal',
      'const value = Number.parseInt(octal, 8)',
      'const value = Number.parseInt(octal, 10)',
    ],
    [
      'hex codes are decimal',
      "const value = hex === '' ? 0 : Number.parseInt(hex, 16)",
      "const value = hex === '' ? 0 : Number.parseInt(hex, 10)",
    ],
    ['\\W is \\w', 'W: wordBytes.complement()', 'W: wordBytes'],
    ['\\D is \\d', 'D: digits.complement()', 'D: digits'],
    ['\\S is \\s', 'S: spaces.complement()', 'S: spaces'],
    ['\\b is \\B', "b: 'word-boundary'", "b: 'no-word-boundary'"],
    ['\\B is \\b', "B: 'no-word-boundary'", "B: 'word-boundary'"],
    ['\\A is nothing special', "A: 'text-start'", "A: 'line-start'"],
    ['\\z is \\Z', "z: 'text-end',", "z: 'text-end-or-last-line-feed',"],
    ['\\n is \\r', 'n: 10', 'n: 13'],
    ['\\x takes one digit', '{ x: 2,', '{ x: 1,'],
    ['\\cA is A', '^ 0x40] }', '] }'],
    ['\\10 is a reference without ten groups', '(decimal.length === 1 || Number(decimal) <= groups)', 'true'],
  ]),
  ...mutationsOf('assertions', 'src/regex/context.ts', tests, [
    ['\\b never holds', 'return (before === wordByte) !== (after === wordByte)', 'return false'],
    [
      '\\b holds inside words',
      'return (before === wordByte) !== (after === wordByte)',
      'return before === wordByte || after === wordByte',
    ],
    ['\\B always holds', 'return (before === wordByte) === (after === wordByte)', 'return true'],
    [
      '\\< is \\b',
      'return before !== wordByte && after === wordByte',
      'return (before === wordByte) !== (after === wordByte)',
    ],
    [
      '\\> is \\b',
      'return before === wordByte && after !== wordByte',
      'return (before === wordByte) !== (after === wordByte)',
    ],
    [
      '^ holds behind a line feed',
      "    case 'text-start':\n      return before === edge\n",
      "    case 'text-start':\n      return before === edge || before === lineFeedByte\n",
    ],
    [
      '^ always holds',
      "    case 'text-start':\n      return before === edge\n",
      "    case 'text-start':\n      return true\n",
    ],
    [
      '$ holds before a line feed',
      "    case 'text-end':\n      return after === edge\n",
      "    case 'text-end':\n      return after === edge || after === lineFeedByte\n",
    ],
    ['\\Z holds before any line feed', '(after === lineFeedByte && last)', 'after === lineFeedByte'],
    [
      '(?m)^ holds at the start only',
      'return before === edge || before === lineFeedByte\n',
      'return before === edge\n',
    ],
    [
      '(?m)^ holds behind the last line feed',
      '(before === lineFeedByte && after !== edge)',
      'before === lineFeedByte',
    ],
    [
      '(?m)$ holds at the end only',
      'return after === edge || after === lineFeedByte\n',
      'return after === edge\n',
    ],
    [
      'a negative look at the next byte is positive',
      'set.has(input.charCodeAt(position))) !== negative',
      'set.has(input.charCodeAt(position)))',
    ],
  ]),
  ...mutationsOf('automaton', 'src/regex/program.ts', tests, [
    [
      'the last alternative comes first',
      '      this.ys[split] = this.#length\n',
      '      this.ys[split] = this.xs[split]!\n      this.xs[split] = this.#length\n',
    ],
    [
      'lazy is greedy',
      '    this.xs[split] = greedy ? item : after\n    this.ys[split] = greedy ? after : item\n',
      '    this.xs[split] = item\n    this.ys[split] = after\n',
    ],
    [
      'a group ends where it begins',
      'this.emit(op.save, 2 * node.index + 1)',
      'this.emit(op.save, 2 * node.index)',
    ],
    ['an empty turn loops on', 'min === 0 && !emptyTurns', 'min === 0'],
    [
      'an atomic group gives back',
      "      case 'atomic':\n        this.#atomic(() => this.node(node.item))",
      "      case 'atomic':\n        this.node(node.item)",
    ],
    [
      'possessive gives back',
      "if (node.mode === 'possessive') this.#atomic(() => this.#repeat(node, true))",
      "if (node.mode === 'possessive') this.#repeat(node, true)",
    ],
    [
      '{n,m} is {n,m-1}',
      'for (let count = min; count < max; count++)',
      'for (let count = min + 1; count < max; count++)',
    ],
    [
      '{n,} is {n-1,}',
      'for (let count = 1; count < min; count++) this.node(item)',
      'for (let count = 2; count < min; count++) this.node(item)',
    ],
    ['a negative look at the next byte is positive', 'node.negative ? 1 : 0', '0'],
    [
      'a negative look-around is positive',
      '{ negative: node.negative, branches }',
      '{ negative: false, branches }',
    ],
  ]),
  ...mutationsOf('pike', 'src/regex/pike.ts', tests, [
    [
      'a worse way wins',
      'best = this.#ready.slotsOf(way)\n          break',
      'best = this.#ready.slotsOf(way)',
    ],
    ['captures of one way show in another', 'current[-1 - at] = pending[--depth]!', '--depth'],
    [
      'a way begins behind a match',
      '      if (best !== null) {\n        if (ready.count === 0) return best\n      } else {',
      '      {',
    ],
    ['no match begins at the end', 'return position === input.length || this.#begins', 'return this.#begins'],
    ['assertions always hold', 'if (!holdsAt(assertions[xs[at]!]!, input, position)) break', ''],
    [
      'looks at the next byte always hold',
      'if (!isNext(sets[xs[at]!]!, ys[at] === 1, input, position)) break',
      '',
    ],
    ['captures of the last search stay', '    this.#current.fill(-1)\n', ''],
  ]),
  ...mutationsOf('table of states', 'src/regex/lazy-dfa.ts', tests, [
    ['nothing matches at the end', 'return states.matchesAtEnd(state) ? origin : -1', 'return -1'],
    [
      'a match may begin before the origin that is told',
      '        origin = at\n        next',
      '        origin = at + 1\n        next',
    ],
    [
      'without the table nothing matches at the end',
      'return stepper.matchesAtEnd(kernel, 0, count, this.#before(input, input.length)) ? origin : -1',
      'return -1',
    ],
    [
      'without the table a match is missed',
      '      if (count < 0) return origin\n',
      '      if (count < 0) return -1\n',
    ],
    [
      'the byte before is not looked at',
      'return this.#stepper.tellsNeighbours ? neighbourOf[input.charCodeAt(at - 1)]! : otherByte',
      'return otherByte',
    ],
  ]),
  ...mutationsOf('states', 'src/regex/state-cache.ts', tests, [
    [
      'a state that loops has no match at the end',
      'this.matchesAtEnd(state) ? this.accept : this.dead',
      'this.dead',
    ],
    ['a full table is not emptied rightly', '          this.#stepper.reached.set(kernel)\n', ''],
    [
      'the verdict at the end is that of another state',
      'this.#states[place + atEnd] = matches ? 2 : 1',
      'this.#states[atEnd] = matches ? 2 : 1',
    ],
  ]),
  ...mutationsOf('steps', 'src/regex/stepper.ts', tests, [
    [
      'ways begun earlier are forgotten',
      '    for (let index = start; index < end; index++) if (!this.#follow(kernel[index]!, before, cls)) return -1\n',
      '',
    ],
    [
      'fresh ways are those of another byte before',
      'this.#fresh[before * this.width + cls] = goesOn',
      'this.#fresh[cls] = goesOn',
    ],
    ['no way begins later', '    if (!this.anchored && !this.#addFresh(before, cls)) return -1\n', ''],
    [
      'assertions at the end always hold',
      'op.assertion && ((this.#contexts[xs[at]!]! >>> (4 * before + edge)) & 1) === 1)',
      'op.assertion)',
    ],
    ['the second way of a split is not followed', '          pending[depth++] = landing[ys[at]!]!\n', ''],
  ]),
  ...mutationsOf('backtracking', 'src/regex/backtrack.ts', tests, [
    ['a negative look-around is positive', 'return found !== negative', 'return found'],
    ['a look-behind looks ahead', 'this.#walk(at, position - back)', 'this.#walk(at, position)'],
    [
      'references are to any text of that length',
      'const same = caseInsensitive ?',
      'const same = true || caseInsensitive ?',
    ],
    [
      'references do not fold',
      'caseInsensitive ? asciiLower(here) === asciiLower(text) : here === text',
      'here === text',
    ],
    [
      'a reference to a group that took no part is empty',
      '    if (end < 0) return -1\n',
      '    if (end < 0) return position\n',
    ],
    ['captures are not taken back', '      this.#rewind(next.undo)\n', ''],
    [
      'a place that was tried has no end',
      '    const end = this.#memo!.endFrom(place)\n',
      '    const end = -1\n',
    ],
    [
      'captures on a known way are lost',
      '        this.#set(saves.slot, saves.position)\n',
      '        saves.slot\n',
    ],
    [
      'a group counts before it is closed',
      '    if (this.#memo !== undefined) this.#set(slot, position)\n',
      '    if (this.#memo !== undefined || slot % 2 === 0) this.#set(slot, position)\n',
    ],
    [
      'an empty turn loops on',
      '      if (this.#slots[turn] === position) return Math.max(first, second)\n',
      '',
    ],
  ]),
  ...mutationsOf('matcher', 'src/regex/compile.ts', tests, [
    [
      'what the relaxed pattern finds counts',
      'return origin >= 0 && (this.#isExact || this.#find(input, origin) !== null)',
      'return origin >= 0',
    ],
    [
      'captures are searched from the start',
      'return origin < 0 ? null : this.#find(input, origin)',
      'return origin < 0 ? null : this.#find(input, 0)',
    ],
    ['\\Z is exact', 'return !pattern.irregular && !pattern.lastLineFeed', 'return !pattern.irregular'],
  ]),
  ...mutationsOf('relaxed pattern', 'src/regex/relax.ts', tests, [
    [
      'a reference is empty',
      "    case 'backreference':\n      return anything",
      "    case 'backreference':\n      return { kind: 'empty' }",
    ],
    [
      'an assertion is kept where \\Z is meant',
      "node.what === 'text-end-or-last-line-feed' ? { kind: 'empty' } : node",
      'node',
    ],
  ]),
  ...mutationsOf('requirements', 'src/regex/factors.ts', requirementTests, [
    [
      'of the first alternative',
      'return eitherOf(node.items.map(item => this.factors(item)))',
      'return this.factors(node.items[0]!)',
    ],
    ['of what need not be', '    if (min === 0) return this.#optional(item, max)\n', ''],
    ['of what must not follow', 'return negative ? emptyText : {', 'return {'],
    ['of what must not be there', '    if (negative) return emptyText\n', ''],
    [
      'of more turns than there must be',
      'const turns = Math.min(min, turnsMax)',
      'const turns = Math.min(min + 1, turnsMax)',
    ],
    ['gaps are forgotten', 'return { ...emptyText, gaps: needed.bytes }', 'return emptyText'],
    ['upper case is kept', 'String.fromCharCode(isUpper ? byte | 0x20 : byte)', 'String.fromCharCode(byte)'],
    [
      'many turns are one',
      'return max === turns ? result : { ...complete(result), exact: undefined, ...endsOf(result) }',
      'return result',
    ],
    [
      'one turn of many is all',
      'if (turns === 1) return { ...complete(turn), exact: undefined, ...endsOf(turn) }',
      'if (turns === 1) return turn',
    ],
    ['an optional part is always there', "exact: distinct([...turn.exact, ''])", 'exact: turn.exact'],
    [
      'prefixes of the first item',
      '    prefixes: ends(items, ({ exact, prefixes }) => exact ?? prefixes, startOf),\n',
      '    prefixes: items[0]!.exact ?? items[0]!.prefixes,\n',
    ],
    [
      'a class of many bytes is its first few',
      'return { ...anyText, candidates: { ...noCandidates, bytes: [bytesCandidate(set)] } }',
      'return exactly(texts.slice(0, 2))',
    ],
  ]),
  ...mutationsOf('requirements', 'src/regex/candidates.ts', requirementTests, [
    [
      'of the first item only',
      '  for (const item of items) {\n    const candidate = pick(item)\n',
      '  for (const item of items.slice(0, 1)) {\n    const candidate = pick(item)\n',
    ],
    [
      'bytes besides literals are forgotten',
      '  if (singles.length > 0) bytes = ByteSet.of(singles).with(bytes)\n',
      '',
    ],
    [
      'stems are dropped',
      'merged.add((counts.get(stem) ?? 0) >= variantsMax ? stem : text)',
      'if ((counts.get(stem) ?? 0) < variantsMax) merged.add(text)',
    ],
    [
      'what says more is all that is kept',
      '[...merged].filter(text => !saysMore(text, merged, lengths))',
      '[...merged].filter(text => saysMore(text, merged, lengths))',
    ],
  ]),
  ...mutationsOf('requirements', 'src/regex/requirements.ts', requirementTests, [
    ['single bytes are forgotten', 'fewer([...singles, ...literals])', 'fewer(literals)'],
  ]),
]
