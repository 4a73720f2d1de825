import assert from 'node:assert/strict'
import { it } from 'node:test'
import { conform, row } from '../testing/conformance-rows.ts'
import { program, send } from '../testing/requests.ts'

/** Every action of CRS 4.28.0 and 3.3.10, and common actions of their users. */

const report = 'SecAction "id:99,phase:5,msg:\'%{tx.n}\'"'

conform(
  'actions',
  `tag, setvar, id, phase, ver, msg, severity, block, logdata, pass, capture, nolog, skipAfter, chain, log, multiMatch, deny, noauditlog,
   status, initcol, auditlog, expirevar, drop, t, ctl, allow, skip, redirect, rev, maturity, accuracy`,
  [
    row('id', 'chooses rules', 'SecAction "id:2147483647,phase:1"', ['2147483647']),
    row(
      'phase',
      'in numbers and names',
      `
      SecAction "id:1,phase:1"\nSecAction "id:2,phase:request"\nSecAction "id:3,phase:3"
      SecAction "id:4,phase:response"\nSecAction "id:5,phase:logging"`,
      ['1', '2', '3', '4', '5'],
    ),
    row(
      'msg',
      'with macros',
      `SecRule ARGS:a "@rx ." "id:1,phase:2,msg:'got %{ARGS.a}, %{tx.none}.'"`,
      ['1 got x, .'],
      { request: { target: '/?a=x' } },
    ),
    row(
      'tag',
      'several; tuning finds each',
      `
      SecAction "id:1,phase:1,tag:'attack-a',tag:paranoia-level/2"\nSecAction "id:2,phase:1,tag:attack-b"
      SecRuleRemoveByTag attack-a$`,
      ['2'],
    ),
    row(
      'ver',
      'text',
      "SecAction \"id:1,phase:1,ver:'OWASP_CRS/4.28.0',rev:'2',maturity:'9',accuracy:'8'\"",
      ['1'],
    ),
    row(
      'rev',
      'text',
      'SecAction "id:1,phase:1,rev:2,logdata:a%{tx.b},msg:\'%{RULE.rev} %{RULE.logdata}\'"',
      ['1 2 a%{tx.b}'],
    ),
    row('maturity', 'text', 'SecAction "id:1,phase:1,maturity:9"', ['1']),
    row('accuracy', 'text', 'SecAction "id:1,phase:1,accuracy:9"', ['1']),
    row(
      'severity',
      'in names of any case and digits',
      `
      SecAction "id:1,phase:1,severity:'critical',msg:'%{RULE.severity}'"\nSecAction "id:2,phase:1,severity:5,msg:'%{RULE.severity}'"`,
      ['1 2', '2 5'],
    ),
    row(
      'setvar',
      'text with commas and blanks, numbers, without a value, deleted',
      `
      SecAction "id:1,phase:1,nolog,setvar:'tx.n=a, b',setvar:tx.m=+2,setvar:tx.m=-1,setvar:tx.o,setvar:tx.p=1,setvar:!tx.p"
      SecAction "id:2,phase:1,msg:'%{tx.n}|%{tx.m}|%{tx.o}|%{tx.p}'"`,
      ['2 a, b|1|1|'],
    ),
    row(
      'setvar',
      'macros in name and value',
      `
      SecAction "id:1,phase:1,nolog,setvar:tx.k=n,setvar:'tx.%{tx.k}_%{REQUEST_METHOD}=/%{REMOTE_ADDR}/'"
      SecAction "id:2,phase:1,msg:'%{tx.n_get}'"`,
      ['2 /192.0.2.1/'],
    ),
    row(
      'setvar',
      'once per matching value',
      `SecRule ARGS "@rx a" "id:1,phase:2,nolog,setvar:tx.n=+5"\n${report}`,
      ['99 10'],
      { request: { target: '/?x=a&y=a&z=b' } },
    ),
    row(
      'setvar',
      'adds a variable; counters do not fall below 0',
      `
      SecAction "id:1,phase:1,nolog,setvar:tx.five=5,setvar:tx.n=+%{tx.five},setvar:tx.n=-%{tx.five},setvar:tx.n=-1,setvar:tx.n=+%{tx.text}"\n${report}`,
      ['99 0'],
    ),
    row(
      'block',
      'is the action of SecDefaultAction',
      `
      SecDefaultAction "phase:1,log,pass"\nSecDefaultAction "phase:2,log,deny,status:406"
      SecAction "id:1,phase:1,block"\nSecAction "id:2,phase:2,block"`,
      ['1', '2'],
      { stops: 'deny 406' },
    ),
    row('block', 'passes without one', 'SecAction "id:1,phase:1,block"\nSecAction "id:2,phase:1"', [
      '1',
      '2',
    ]),
    row(
      'pass',
      'goes on',
      'SecDefaultAction "phase:1,log,deny"\nSecAction "id:1,phase:1,pass"\nSecAction "id:2,phase:1,pass"',
      ['1', '2'],
    ),
    row(
      'deny',
      'stops, 403',
      'SecAction "id:1,phase:1,deny"\nSecAction "id:2,phase:1"\nSecAction "id:3,phase:2"\nSecAction "id:4,phase:5"',
      ['1', '4'],
      { stops: 'deny 403' },
    ),
    row('status', 'of deny', 'SecAction "id:1,phase:3,deny,status:500"', ['1'], { stops: 'deny 500' }),
    row('drop', 'stops', 'SecAction "id:1,phase:2,drop"', ['1'], { stops: 'drop 403' }),
    row('redirect', 'stops', 'SecAction "id:1,phase:2,redirect:http://a/"', ['1'], { stops: 'redirect 302' }),
    row(
      'allow',
      'everything but logging',
      'SecAction "id:1,phase:1,allow"\nSecAction "id:2,phase:2,deny"\nSecAction "id:3,phase:5"',
      ['1', '3'],
    ),
    row(
      'allow',
      'phase',
      'SecAction "id:1,phase:1,allow:phase"\nSecAction "id:2,phase:1,deny"\nSecAction "id:3,phase:2"',
      ['1', '3'],
    ),
    row(
      'allow',
      'request',
      'SecAction "id:1,phase:1,allow:request"\nSecAction "id:2,phase:2,deny"\nSecAction "id:3,phase:3"',
      ['1', '3'],
    ),
    row(
      'log',
      'is the default, also against nolog of the defaults',
      `
      SecDefaultAction "phase:1,nolog,pass"\nSecAction "id:1,phase:1"\nSecAction "id:2,phase:1,log"`,
      ['2'],
    ),
    row('nolog', 'hides the match, effects stay', `SecAction "id:1,phase:1,nolog,setvar:tx.n=1"\n${report}`, [
      '99 1',
    ]),
    row('noauditlog', 'is about the audit log only', 'SecAction "id:1,phase:1,noauditlog"', ['1']),
    row('auditlog', 'is about the audit log only', 'SecAction "id:1,phase:1,auditlog"', ['1']),
    row(
      'capture',
      'fills TX:0 to TX:9',
      `
      SecRule ARGS:a "@rx (a)(x)?(b)" "id:1,phase:2,capture,msg:'%{tx.0}|%{tx.1}|%{tx.2}|%{tx.3}'"
      SecRule ARGS:a "@pm c B" "id:2,phase:2,capture,msg:'%{tx.0}'"
      SecRule ARGS:s "@detectSQLi" "id:3,phase:2,capture,chain"
        SecRule TX:0 "@rx ^.{1,5}$"
      SecRule ARGS:h "@detectXSS" "id:4,phase:2,capture,msg:'%{tx.0}'"`,
      ['1 ab|a||b', '2 B', '3', '4 <script>'],
      { request: { target: "/?a=ab&s=1'%20or%20'1'='1&h=<script>" } },
    ),
    row(
      'capture',
      'only on a match, and replaces all',
      `
      SecRule ARGS:a "@rx (a)(b)" "id:1,phase:2,nolog,capture"\nSecRule ARGS:a "@rx z" "id:2,phase:2,capture"
      SecRule ARGS:a "@rx b" "id:3,phase:2,nolog"\nSecAction "id:4,phase:2,msg:'%{tx.2}'"
      SecRule ARGS:a "@rx (b)" "id:5,phase:2,capture,msg:'%{tx.0}%{tx.1}%{tx.2}'"`,
      ['4 b', '5 bb'],
      { request: { target: '/?a=ab' } },
    ),
    row(
      'skipAfter',
      'to the marker in the same phase',
      `
      SecAction "id:1,phase:2,nolog,skipAfter:END"\nSecAction "id:2,phase:2"\nSecAction "id:3,phase:1"\nSecMarker "END"\nSecAction "id:4,phase:2"`,
      ['3', '4'],
    ),
    row(
      'skipAfter',
      'without a marker below to the end of the phase',
      `
      SecMarker UP\nSecAction "id:1,phase:1,nolog,skipAfter:UP"\nSecAction "id:2,phase:1"\nSecAction "id:3,phase:2"`,
      ['3'],
    ),
    row(
      'skip',
      'so many rules',
      'SecAction "id:1,phase:1,nolog,skip:1"\nSecAction "id:2,phase:1"\nSecAction "id:3,phase:1"',
      ['3'],
    ),
    row(
      'chain',
      'all links; their own effects as soon as they match',
      `
      SecRule ARGS:a "@streq 1" "id:1,phase:2,deny,chain,setvar:tx.n=+1"\nSecRule ARGS:b "@streq 1" "chain,setvar:tx.n=+10"\nSecRule ARGS:c "@streq 1" "setvar:tx.n=+100"\n${report}`,
      ['99 11'],
      { request: { target: '/?a=1&b=1&c=2' } },
    ),
    row(
      'logdata',
      'of the last link, with its captures',
      `
      SecRule ARGS:a "@rx (.)" "id:1,phase:2,capture,msg:'%{MATCHED_VAR_NAME}',chain"\nSecRule ARGS:b "@rx (.)$" "capture,logdata:'%{TX.1} in %{MATCHED_VAR}',setvar:'tx.n=%{tx.1}'"\n${report}`,
      ['1 ARGS:b', '99 z'],
      { request: { target: '/?a=x&b=yz' } },
    ),
    row(
      'multiMatch',
      'before and after every transformation that changes the value',
      `
      SecRule ARGS "@rx ^a" "id:1,phase:2,nolog,multiMatch,t:none,t:removeNulls,t:lowercase,t:base64Decode,setvar:tx.n=+1"\n${report}`,
      ['99 3'],
      { request: { target: '/?x=ab%00C' } },
    ),
    row(
      't',
      'none clears earlier ones; links inherit nothing from the head',
      `
      SecRule ARGS "@streq x" "id:1,phase:2,t:sha1,t:none,t:lowercase,t:trim,chain"\nSecRule ARGS "@streq +X+" "t:urlEncode"
      SecRule ARGS "@streq  X" "id:2,phase:2,t:none,t:trimRight"`,
      ['1', '2'].slice(0, 1),
      { request: { target: '/?a=%20X%20' } },
    ),
    row(
      'initcol',
      'opens a record for its key',
      `
      SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR}_%{tx.x},setvar:ip.n=+1"\nSecRule IP:n "@ge 1" "id:2,phase:1,msg:'%{ip.n}'"`,
      ['2 1'],
    ),
    row(
      'expirevar',
      'changes nothing in the transaction itself',
      `
      SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR},setvar:ip.n=1,expirevar:ip.n=60"\nSecRule IP:n "@eq 1" "id:2,phase:1"`,
      ['2'],
    ),
    row(
      'ctl',
      'in a link when that link matches',
      `
      SecRule ARGS:a "@streq 1" "id:1,phase:1,nolog,chain"\nSecRule ARGS:b "@streq 1" "ctl:ruleRemoveById=2"\nSecAction "id:2,phase:2"`,
      [],
      { request: { target: '/?a=1&b=1' } },
    ),
  ],
)

it('expirevar: the variable is gone in transactions after its time, other variables of the collection stay', () => {
  const counting = program(`
    SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR}"
    SecRule &IP:n "@eq 0" "id:2,phase:1,nolog,setvar:ip.n=1,expirevar:ip.n=60"
    SecAction "id:3,phase:1,msg:'%{ip.n} %{ip.all}',setvar:ip.n=+1,setvar:ip.all=+1"`)
  const at = (seconds: number) => send(counting, { startedMs: seconds * 1000 }).matched
  assert.deepEqual([at(100), at(130), at(159), at(161)].flat(), ['3 2 1', '3 3 2', '3 4 3', '3 2 4'])
  assert.deepEqual(send(counting, { clientIp: '192.0.2.2', startedMs: 162_000 }).matched, ['3 2 1'])
})
