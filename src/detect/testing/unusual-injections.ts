/** SQL injections that are short, deep, or full of comments and blanks. */
export const unusualInjections: readonly string[] = [
  '1 = 1 OR 1',
  "aa'or BINARY 1= '1",
  "1' and (3=pi())--",
  '14/**/or(1)group by',
  '1 AND (SELECT TOP 10 USERNAME FROM USERS);',
  '1/*',
  '1/*/*/2',
  '5/**/or/**/1',
  'price AND 1 BETWEEN 1 AND 1',
  '5 or not 0',
  "x'-foo(1)//",
  'case/**/when/**/1/**/then/**/2/**/end',
  `1 or ${'('.repeat(260)}1=1${')'.repeat(260)}`,
  `sleep${' '.repeat(17)}(5)`,
]
