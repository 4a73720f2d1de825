import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run, type TestRequest } from '../testing/requests.ts'

interface Row {
  readonly name: string
  readonly rules: string
  readonly request?: TestRequest
  readonly want: readonly string[]
}

/** Reports TX:n in the logging phase. */
const report = 'SecAction "id:99,phase:5,msg:\'%{tx.n}\'"'

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const { name, rules, request = {}, want } of rows) {
      it(name, () => assert.deepEqual(run(rules, request).matched, want))
    }
  })
}

table('phases', [
  {
    name: 'run in their order; load order inside a phase',
    rules: `
      SecAction "id:1,phase:5"
      SecAction "id:2,phase:2"
      SecAction "id:3,phase:1"
      SecAction "id:4,phase:4"
      SecAction "id:5,phase:3"
      SecAction "id:6,phase:1"`,
    want: ['3', '6', '2', '5', '4', '1'],
  },
  {
    name: 'phase 1 knows arguments of the query, phase 2 also arguments of the body',
    rules: `
      SecRule &ARGS "@eq 1" "id:1,phase:1,msg:'%{args.a}'"
      SecRule &ARGS "@eq 2" "id:2,phase:2,msg:'%{args.b}'"`,
    request: {
      target: '/?a=1',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'b=2',
    },
    want: ['1 1', '2 2'],
  },
  {
    name: 'phase 2 is the default',
    rules: 'SecRule ARGS "@rx x" "id:1"',
    request: { target: '/?a=x' },
    want: ['1'],
  },
])

table('chains', [
  {
    name: 'all links must match',
    rules: `
      SecRule ARGS:a "@streq 1" "id:1,chain"
        SecRule ARGS:b "@streq 2"`,
    request: { target: '/?a=1&b=2' },
    want: ['1'],
  },
  {
    name: 'a link without a match ends the chain, but effects of earlier links stay',
    rules: `
      SecRule ARGS:a "@streq 1" "id:1,chain,setvar:tx.n=head"
        SecRule ARGS:b "@streq 3" "setvar:tx.n=link"
      ${report}`,
    request: { target: '/?a=1&b=2' },
    want: ['99 head'],
  },
  {
    name: 'verdict, skipAfter and log entry belong to the head and come when the last link matched',
    rules: `
      SecRule ARGS:a "@streq 1" "id:1,phase:2,msg:'%{MATCHED_VAR_NAME}',skipAfter:END,chain"
        SecRule ARGS:b "@streq 2"
      SecAction "id:2,phase:2"
      SecMarker END
      SecAction "id:3,phase:2"`,
    request: { target: '/?a=1&b=2' },
    want: ['1 ARGS:b', '3'],
  },
  {
    name: 'transformations are not inherited by links',
    rules: `
      SecRule ARGS:a "@streq x" "id:1,t:lowercase,chain"
        SecRule ARGS:a "@streq X"`,
    request: { target: '/?a=X' },
    want: ['1'],
  },
])

table('once per value', [
  {
    name: 'every matching value runs setvar; the rule is listed once, with its first match',
    rules: `
      SecRule ARGS "@rx ^x" "id:1,phase:2,msg:'%{MATCHED_VAR_NAME}',setvar:tx.n=+5"
      ${report}`,
    request: { target: '/?a=x1&b=y&c=x2&a=x3' },
    want: ['1 ARGS:a', '99 15'],
  },
  {
    name: 'in the last link of a chain, too',
    rules: `
      SecRule ARGS:a "@streq 1" "id:1,phase:2,nolog,chain"
        SecRule ARGS "@rx ." "setvar:tx.n=+1"
      ${report}`,
    request: { target: '/?a=1&b=2&c=' },
    want: ['99 2'],
  },
  {
    name: 'multiMatch counts before and after each transformation that changes the value',
    rules: `
      SecRule ARGS "@rx (?i)^abc" "id:1,phase:2,nolog,multiMatch,t:lowercase,t:removeNulls,t:trim,setvar:tx.n=+1"
      ${report}`,
    request: { target: '/?a=ABC+' },
    want: ['99 3'],
  },
])

table('matched variables', [
  {
    name: 'MATCHED_VARS grows over the links with values after transformation',
    rules: `
      SecRule ARGS:a "@streq x" "id:1,phase:2,t:lowercase,chain"
        SecRule ARGS:b "@streq y" "chain"
          SecRule MATCHED_VARS "@rx ^[xy]$" "setvar:tx.n=%{tx.n}%{MATCHED_VAR_NAME}=%{MATCHED_VAR};"
      ${report}`,
    request: { target: '/?a=X&b=y' },
    want: ['1', '99 ARGS:a=x;ARGS:b=y;'],
  },
  {
    name: 'MATCHED_VARS is empty after the chain, MATCHED_VAR is not',
    rules: `
      SecRule ARGS:a "@streq x" "id:1,phase:2,nolog"
      SecRule &MATCHED_VARS "@eq 0" "id:2,phase:2,chain"
        SecRule ARGS:a "@streq x"
      SecAction "id:3,phase:2,msg:'%{matched_var}'"`,
    request: { target: '/?a=x' },
    want: ['2', '3 x'],
  },
  {
    name: 'names keep the collection that the rule named',
    rules: `
      SecRule ARGS_GET:a "@streq x" "id:1,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule ARGS "@streq x" "id:2,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule ARGS_NAMES "@streq a" "id:3,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule REQUEST_METHOD "@streq GET" "id:4,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule &ARGS:a "@eq 1" "id:5,phase:2,msg:'%{MATCHED_VAR_NAME}=%{MATCHED_VAR}'"`,
    request: { target: '/?a=x' },
    want: ['1 ARGS_GET:a', '2 ARGS:a', '3 ARGS_NAMES:a', '4 REQUEST_METHOD', '5 &ARGS:a=1'],
  },
])

table('captures', [
  {
    name: 'TX:0 to TX:9 after a match, for variables and macros, also in later rules',
    rules: `
      SecRule ARGS:r "@rx (\\d+)-(\\d+)" "id:1,phase:2,capture,chain"
        SecRule TX:2 "@lt %{tx.1}"
      SecAction "id:2,phase:2,msg:'%{tx.0} %{tx.1} %{tx.2} %{tx.3}'"`,
    request: { target: '/?r=x9-5' },
    want: ['1', '2 9-5 9 5'],
  },
  {
    name: 'a match deletes the earlier ones, no match changes nothing, without capture nothing is set',
    rules: `
      SecRule ARGS:a "@rx (1)(2)" "id:1,phase:2,nolog,capture"
      SecRule ARGS:a "@rx (2)" "id:2,phase:2,nolog,capture"
      SecRule ARGS:a "@rx (9)" "id:3,phase:2,nolog,capture"
      SecRule ARGS:a "@rx (1)" "id:4,phase:2,nolog"
      SecAction "id:5,phase:2,msg:'%{tx.1}|%{tx.2}'"`,
    request: { target: '/?a=12' },
    want: ['5 2|'],
  },
  {
    name: 'a group that took no part is unset',
    rules: `
      SecRule ARGS:a "@rx (x)?(y)" "id:1,phase:2,nolog,capture"
      SecRule &TX:1 "@eq 0" "id:2,phase:2,msg:'%{tx.2}'"`,
    request: { target: '/?a=y' },
    want: ['2 y'],
  },
])

table('setvar', [
  {
    name: 'text',
    rules: `SecAction "id:1,phase:1,nolog,setvar:'tx.n=a b, c'"\n${report}`,
    want: ['99 a b, c'],
  },
  { name: 'without a value', rules: `SecAction "id:1,phase:1,nolog,setvar:tx.n"\n${report}`, want: ['99 1'] },
  {
    name: 'adds and subtracts numbers; missing counts 0',
    rules: `SecAction "id:1,phase:1,nolog,setvar:tx.n=+7,setvar:tx.n=-3,setvar:tx.n=+x"\n${report}`,
    want: ['99 4'],
  },
  {
    name: 'never falls below 0',
    rules: `SecAction "id:1,phase:1,nolog,setvar:tx.n=2,setvar:tx.n=-3,setvar:tx.n=+1"\n${report}`,
    want: ['99 1'],
  },
  {
    name: 'macros in names and values, any case',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.add=5,setvar:tx.key=n,setvar:TX.%{TX.KEY}=+%{tx.ADD}"
      ${report}`,
    want: ['99 5'],
  },
  {
    name: 'deletes',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.n=5,setvar:!tx.n"
      SecRule &TX:n "@eq 0" "id:2,phase:1"`,
    want: ['2'],
  },
  {
    name: 'an empty value counts 1; names are case-insensitive',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:'tx.Empty='"
      SecRule &TX:EMPTY "@eq 1" "id:2,phase:1"`,
    want: ['2'],
  },
])

table('TX by regular expression', [
  {
    name: 'visits each name that matches, case-insensitively',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.h_a=/a/,setvar:tx.H_B=/b/,setvar:tx.other=/a/"
      SecRule TX:/^h_/ "@within /a/ /c/" "id:2,phase:1,msg:'%{MATCHED_VAR_NAME}'"
      SecRule &TX:/^h_/ "@eq 2" "id:3,phase:1"`,
    want: ['2 TX:h_a', '3'],
  },
  {
    name: 'names made of the match',
    rules: `
      SecRule REQUEST_HEADERS_NAMES "@rx ^.*$" "id:1,phase:1,capture,t:lowercase,setvar:'tx.name_%{tx.0}=/%{tx.0}/',chain"
        SecRule TX:/^name_/ "@within /proxy/" "setvar:tx.n=%{MATCHED_VAR}"
      ${report}`,
    request: {
      headers: [
        ['Host', 'a'],
        ['Proxy', 'b'],
      ],
    },
    want: ['1', '99 /proxy/'],
  },
])

table('skipAfter and skip', [
  {
    name: 'continues after the marker in the same phase only',
    rules: `
      SecAction "id:1,phase:1,nolog,skipAfter:END"
      SecAction "id:2,phase:1"
      SecAction "id:3,phase:2"
      SecMarker END
      SecAction "id:4,phase:1"`,
    want: ['4', '3'],
  },
  {
    name: 'to the end of the phase when the marker is not below',
    rules: `
      SecMarker ABOVE
      SecAction "id:1,phase:1,nolog,skipAfter:ABOVE"
      SecAction "id:2,phase:1"
      SecAction "id:3,phase:2,nolog,skipAfter:NOWHERE"
      SecAction "id:4,phase:2"
      SecAction "id:5,phase:3"`,
    want: ['5'],
  },
  {
    name: 'skip leaves out so many rules',
    rules: `
      SecAction "id:1,phase:1,nolog,skip:1"
      SecAction "id:2,phase:1"
      SecAction "id:3,phase:1"`,
    want: ['3'],
  },
])

table('negation', [
  {
    name: 'each value that the operator does not match',
    rules: 'SecRule ARGS "!@streq x" "id:1,msg:\'%{MATCHED_VAR_NAME}\'"',
    request: { target: '/?a=x&b=y' },
    want: ['1 ARGS:b'],
  },
  { name: 'no value, no match', rules: 'SecRule ARGS "!@streq x" "id:1"', want: [] },
])

table('exclusions', [
  {
    name: 'by key, by regular expression, case-insensitively, in any order',
    rules: `
      SecRule !REQUEST_COOKIES:SESSION|REQUEST_COOKIES|!REQUEST_COOKIES:/^_ga(?:_\\w+)?$/ "@rx ." \\
        "id:1,phase:1,nolog,setvar:'tx.n=%{tx.n}%{MATCHED_VAR_NAME} '"
      ${report}`,
    request: { headers: [['Cookie', 'session=1; _ga=2; _GA_X=3; _gat-x=4; keep=5']] },
    want: ['99 REQUEST_COOKIES:_gat-x REQUEST_COOKIES:keep'],
  },
  {
    name: 'a whole variable',
    rules: 'SecRule ARGS|REQUEST_URI|!ARGS "@contains x" "id:1,msg:\'%{MATCHED_VAR_NAME}\'"',
    request: { target: '/?a=x' },
    want: ['1 REQUEST_URI'],
  },
])

table('transformations', [
  {
    name: 'in the written order, t:none drops earlier ones',
    rules: `
      SecRule ARGS:a "@streq 3" "id:1,phase:2,t:sha1,t:none,t:trim,t:length"
      SecRule ARGS:a "@streq 5" "id:2,phase:2,t:length,t:trim"`,
    request: { target: '/?a=+abc+' },
    want: ['1', '2'],
  },
  {
    name: 'transformations of SecDefaultAction come first, for rules below it',
    rules: `
      SecRule ARGS:a "@streq X" "id:1,phase:2"
      SecDefaultAction "phase:2,nolog,pass"
      SecRule ARGS:a "@streq X" "id:2,phase:2"
      SecRule ARGS:a "@streq X" "id:3,phase:2,log"`,
    request: { target: '/?a=X' },
    want: ['1', '3'],
  },
])

table('macros', [
  {
    name: 'unset is empty; keys of collections; headers by any case; rule facts',
    rules: `
      SecAction "id:1,phase:1,severity:3,tag:x,msg:'[%{tx.nothing}] %{REQUEST_HEADERS.host} %{rule.id} %{RULE.severity}'"`,
    want: ['1 [] example.com 1 3'],
  },
  {
    name: 'in parameters of operators, per request',
    rules: `
      SecRule ARGS:a "@streq %{args.b}" "id:1"
      SecRule REQUEST_METHOD "!@within %{tx.allowed}" "id:2"`,
    request: { target: '/?a=x&b=x' },
    want: ['1', '2'],
  },
])
