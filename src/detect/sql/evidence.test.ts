import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSqli } from './detect.ts'
import type { Evidence } from './evidence.ts'

/** For each row of the table, an injection that is detected only with its points. */
const examples: Readonly<Record<keyof typeof Evidence, string>> = {
  unionAtOperand: '1 union select a',
  unionAtName: 'a union select 1 b c d',
  unionOfGroup: 'a union (select b',
  unionOfValue: 'a union select 1 b c d',
  unionAtEnd: '-1 union',
  unionAtEndDressed: '1/**/union',
  selectValue: '(select 1)',
  selectVariable: 'select @a',
  selectName: "x' select a from b--",
  queryIsOperand: '(select 1)',
  queryIsStatement: '1; select 1',
  queryIsValue: 'select @a',
  from: "x' select a from b--",
  fromAtHost: '1) from a',
  catalogue: 'select a from information_schema.tables',
  queryClause: "x' select a from b limit 1",
  constantCondition: 'a or 1=1',
  callCondition: 'a and f(b)=1--',
  nameCondition: '1 and a=1',
  openCondition: '1 or 1=',
  constantLogic: '1 or not 0',
  dressedLogic: '1 or not 0',
  callLogic: '1 and ascii(',
  constantCase: 'case when 1 then 2 end',
  quoteLogic: "x' or a=b",
  quoteArithmetic: "'-1--",
  quoteCall: "x'-foo(1)//",
  quoteOpened: "'='",
  quoteClause: "' order by a--",
  quoteQuery: "x' select a from b--",
  quoteGroup: "' (select a from b",
  quoteTail: "admin'--",
  quoteTailText: "') -- a",
  tail: '1--',
  constantTail: '1--',
  groupTail: '(f(1))--',
  comparisonTail: '1=1--',
  runningComment: 'a /*!50000union*/',
  nestedComment: '1/*/*/2',
  hotCall: 'sleep(5)',
  serverCall: 'f(version())',
  secondServerCall: 'f(version())',
  cutCall: 'a and ascii(substring(b,1,1))=1',
  secondCutCall: 'a and ascii(substring(b,1,1))=1',
  orderByValue: '1 order by 5',
  clause: 'a having f(b)=1',
  closedHost: '1) from a',
  intoFile: "a into outfile 'b'",
  procedure: 'a procedure analyse()',
  statement: 'a; drop table b',
  statementAtHost: '1; drop table a',
  sureStatement: 'declare @a int',
}

for (const [row, value] of Object.entries(examples)) {
  test(`${row}: ${value}`, () => assert.notEqual(detectSqli(value), null))
}
