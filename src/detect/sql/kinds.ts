/** Kinds of tokens in the grammar. */
export const Kind = {
  end: 0,
  number: 1,
  string: 2,
  /** A string that the value does not close: the surrounding statement does. */
  openString: 3,
  variable: 4,
  name: 5,
  /** A quoted name: `` `a` `` or `[a]`. */
  quotedName: 6,
  /** NULL, TRUE and the like. */
  constant: 7,
  /** Operators between operands; `+ - ~ !` may also precede one. */
  operator: 8,
  comparison: 9,
  logic: 10,
  open: 11,
  close: 12,
  comma: 13,
  semicolon: 14,
  dot: 15,
  brace: 16,
  braceEnd: 17,
  colon: 18,
  /** A comment that reaches the end of the value and hides the rest of the statement. */
  tail: 19,
  /** A byte that is no SQL here. */
  other: 20,
  not: 21,
  /** Types and character sets, which may precede an operand (`binary 'a'`, `date '…'`) or be names. */
  type: 22,
  select: 23,
  union: 24,
  /** ALL, DISTINCT, TOP: after SELECT or UNION. */
  quantifier: 25,
  from: 26,
  where: 27,
  /** GROUP, ORDER, PARTITION: clauses that need BY. */
  group: 28,
  by: 29,
  having: 30,
  limit: 31,
  into: 32,
  /** OUTFILE, DUMPFILE. */
  file: 33,
  procedure: 34,
  join: 35,
  as: 36,
  /** COLLATE, ESCAPE, AT and others: an operand that changes nothing follows. */
  postfix: 37,
  /** ISNULL, NOTNULL, ASC, DESC: nothing follows. */
  suffix: 38,
  case: 39,
  when: 40,
  caseThen: 41,
  else: 42,
  caseEnd: 43,
  exists: 44,
  values: 45,
  statement: 46,
  /** No token yet: the lexer pauses in the gap before the next token. */
  gap: 47,
  /** WITH, FOR. */
  modifier: 48,
  /** IF, WHILE: a condition follows. */
  if: 49,
  on: 50,
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

/** Meanings of calls. */
export const Rank = {
  none: 0,
  /** Takes values apart or puts them together, as blind injections do. */
  cut: 1,
  /** Returns information about the server. */
  server: 2,
  /** Waits, reads files, connects elsewhere, or raises errors that carry data. */
  hot: 3,
  /** Its first argument is a condition: IF, IIF. */
  choice: 4,
  /** Any other documented function. */
  plain: 5,
} as const
export type Rank = (typeof Rank)[keyof typeof Rank]

/** Numbers, strings, variables, names and constants. */
export function isOperandKind(kind: Kind): boolean {
  return kind >= Kind.number && kind <= Kind.constant
}

/** Tokens that may be names: reserved words of some databases are names in others. */
export function isNameKind(kind: Kind): boolean {
  return nameKinds.has(kind)
}

const nameKinds: ReadonlySet<Kind> = new Set([
  Kind.name,
  Kind.quotedName,
  Kind.type,
  Kind.statement,
  Kind.values,
  Kind.if,
  Kind.suffix,
])
