/** Points that make an injection. */
const enough = 10

/**
 * Evidence that a fragment of SQL may show, and its points. Each row counts once per fragment. A fragment ends with
 * the value or a statement, or breaks off at a token that is no SQL. The last column says when a row counts.
 * "always": in every fragment. "whole": in fragments that end. "rooted": in these, and in broken fragments that begin
 * where only an operand can end: at a constant, after a closed string or parenthesis.
 */
const table = {
  // Queries and set operations
  unionAtOperand: [10, 'always'], // `1 union select`
  unionAtName: [6, 'always'], // `a union select`: sentences have that, too
  unionOfGroup: [4, 'rooted'], // `union (select`
  unionOfValue: [4, 'always'], // `union select 1`
  unionAtEnd: [4, 'whole'], // `1 union`
  unionAtEndDressed: [6, 'whole'], // `-1 union`, `1/**/union`
  selectValue: [6, 'rooted'], // `select 1`, `select f(a)`, `select *`
  selectVariable: [8, 'rooted'], // `select @a`
  selectName: [2, 'whole'], // `select a`
  queryIsOperand: [4, 'rooted'], // `(select 1)`
  queryIsStatement: [4, 'rooted'], // `1; select 1`
  queryIsValue: [2, 'rooted'], // the value begins with SELECT
  from: [2, 'whole'],
  fromAtHost: [6, 'always'], // `1) from`: the query around was given up
  catalogue: [10, 'always'], // `from information_schema.tables`
  queryClause: [4, 'whole'], // WHERE, ORDER BY, LIMIT …
  // Conditions
  constantCondition: [10, 'rooted'], // `or 1=1`
  callCondition: [6, 'rooted'], // `and f(a)=1`
  nameCondition: [4, 'whole'], // `and a=1`
  openCondition: [10, 'whole'], // `1) or 1=`
  constantLogic: [6, 'whole'], // `1 or 2`, `1 and a=1`
  dressedLogic: [4, 'whole'], // `1 or -2`, `1 or not 0`, `1 or true`, `1 or 1`
  callLogic: [7, 'rooted'], // `1 and f(`, `1 or (select`
  constantCase: [10, 'rooted'], // `case when 1 then`
  wholeCase: [10, 'whole'], // `case when a then 1 end`
  callOperand: [7, 'whole'], // `1-ascii(a)`, `1=substr(a,1,1)`
  // After the closed string of the surrounding statement
  quoteLogic: [6, 'whole'], // `' and a`, `'=1`
  quoteArithmetic: [6, 'whole'], // `'-1`
  quoteCall: [10, 'rooted'], // `'-f(1)`
  quoteOpened: [4, 'whole'], // `'='`: and the string is open again
  quoteClause: [6, 'whole'], // `' order by`
  quoteQuery: [2, 'whole'], // `' select`
  quoteGroup: [4, 'whole'], // `' (`
  quoteTail: [10, 'whole'], // `'--`
  quoteTailText: [4, 'whole'], // `'-- a`
  // Comments
  tail: [4, 'whole'], // a comment hides the rest of the statement
  constantTail: [6, 'whole'], // `1--`
  groupTail: [6, 'whole'], // `(f(1))--`
  comparisonTail: [6, 'whole'], // `1=1--`
  clauseTail: [6, 'whole'], // `1 order by a--`
  commandTail: [10, 'always'], // `'; show tables--`
  runningComment: [10, 'always'], // `/*!50000union`
  nestedComment: [10, 'always'], // `1/*/*/`
  // Calls
  hotCall: [10, 'always'], // `sleep(5)`
  serverCall: [5, 'rooted'], // `version()`
  secondServerCall: [5, 'rooted'], // another, or inside a call
  cutCall: [4, 'rooted'], // `substring(a,1,1)`
  secondCutCall: [3, 'rooted'],
  // Clauses
  orderByValue: [10, 'rooted'], // `1 order by 5`, `1 group by f(a)`
  clause: [4, 'rooted'], // `a having`, `a group by f(`
  closedHost: [4, 'rooted'], // `1) or`
  intoFile: [10, 'always'], // `into outfile '`
  procedure: [10, 'always'], // `procedure analyse(`
  // Statements
  statement: [10, 'whole'], // `a; drop table b`
  statementAtHost: [10, 'always'], // `'; drop table a`
  sureStatement: [10, 'always'], // `waitfor delay '0:0:5'`, `declare @a`, `exec xp_a`
} as const satisfies Record<string, readonly [points: number, counts: 'always' | 'rooted' | 'whole']>

type EvidenceName = keyof typeof table

const names = Object.keys(table) as EvidenceName[]

/** The number of each row. */
export const Evidence = Object.fromEntries(names.map((name, index) => [name, index])) as Readonly<
  Record<EvidenceName, number>
>

const points = Uint8Array.from(names, name => table[name][0])
const columns = Uint8Array.from(names, name => ['always', 'rooted', 'whole'].indexOf(table[name][1]))

/** The points of one fragment at a time. */
export class Points {
  /** See the table. */
  rooted = false
  #always = 0
  #rooted = 0
  #whole = 0
  /** The fragment in which each row was last seen. */
  readonly #seen = new Float64Array(names.length)
  #fragment = 0

  begin(): void {
    this.#fragment++
    this.#always = 0
    this.#rooted = 0
    this.#whole = 0
    this.rooted = false
  }

  add(row: number): void {
    if (this.has(row)) return
    this.#seen[row] = this.#fragment
    const column = columns[row]
    if (column === 0) this.#always += points[row]!
    else if (column === 1) this.#rooted += points[row]!
    else this.#whole += points[row]!
  }

  has(row: number): boolean {
    return this.#seen[row] === this.#fragment
  }

  /** Whether the fragment is an injection with any continuation. */
  get convinces(): boolean {
    return this.#always + (this.rooted ? this.#rooted : 0) >= enough
  }

  /** Whether the fragment is an injection if it ends here. */
  get convincesWhole(): boolean {
    return this.#always + this.#rooted + this.#whole >= enough
  }
}
