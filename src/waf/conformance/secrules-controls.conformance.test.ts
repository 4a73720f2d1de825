import { asJson, asXml, conform, form, post, type Row, row } from '../testing/conformance-rows.ts'

/** Every `ctl` and macro of CRS 4.28.0 and 3.3.10, and common controls of their users. */

const three = `
  SecRule ARGS "@rx ." "id:11,phase:2,tag:one,tag:OWASP_CRS,msg:'%{MATCHED_VAR_NAME}'"
  SecRule ARGS "@rx ." "id:12,phase:2,tag:two,tag:OWASP_CRS,msg:'%{MATCHED_VAR_NAME}'"
  SecRule ARGS_NAMES|REQUEST_URI "@rx ." "id:13,phase:2,tag:three,msg:'%{MATCHED_VAR_NAME}'"`
const two = { request: { target: '/?A=1&b=2' } }

/** The three rules after a control. */
function controlled(item: string, control: string, want: readonly string[]): Row {
  return row(item, control, `SecAction "id:1,phase:1,nolog,${control}"${three}`, want, two)
}

conform(
  'controls',
  `ruleRemoveByTag, ruleRemoveById, ruleRemoveByMsg, ruleRemoveTargetByTag, ruleRemoveTargetById, ruleRemoveTargetByMsg,
   forceRequestBodyVariable, auditEngine, auditLogParts, debugLogLevel, requestBodyProcessor, requestBodyAccess, responseBodyAccess, ruleEngine`,
  [
    controlled('ruleRemoveByTag', 'ctl:ruleRemoveByTag=OWASP_CRS', ['13 ARGS_NAMES:A']),
    controlled('ruleRemoveById', 'ctl:ruleRemoveById=12', ['11 ARGS:A', '13 ARGS_NAMES:A']),
    controlled('ruleRemoveById', 'ctl:ruleRemoveById=1-12,ctl:ruleRemoveById=13', []),
    row(
      'ruleRemoveByMsg',
      'by expression',
      'SecAction "id:1,phase:1,nolog,ctl:ruleRemoveByMsg=^b"\nSecAction "id:2,phase:1,msg:\'bad\'"\nSecAction "id:3,phase:1,msg:\'a b\'"',
      ['3 a b'],
    ),
    row(
      'ruleRemoveById',
      'for the rest of the transaction only, below and in later phases',
      `
      SecAction "id:2,phase:2,msg:'above'"\nSecAction "id:3,phase:1"\nSecAction "id:1,phase:1,nolog,ctl:ruleRemoveById=2-3"`,
      ['3'],
    ),
    controlled('ruleRemoveTargetByTag', 'ctl:ruleRemoveTargetByTag=OWASP_CRS;ARGS:a', [
      '11 ARGS:b',
      '12 ARGS:b',
      '13 ARGS_NAMES:A',
    ]),
    controlled('ruleRemoveTargetById', 'ctl:ruleRemoveTargetById=11;ARGS', ['12 ARGS:A', '13 ARGS_NAMES:A']),
    controlled('ruleRemoveTargetById', 'ctl:ruleRemoveTargetById=11-13;ARGS:/^[a]$/', [
      '11 ARGS:b',
      '12 ARGS:b',
      '13 ARGS_NAMES:A',
    ]),
    controlled('ruleRemoveTargetById', 'ctl:ruleRemoveTargetById=13;ARGS_NAMES', [
      '11 ARGS:A',
      '12 ARGS:A',
      '13 REQUEST_URI',
    ]),
    row(
      'ruleRemoveTargetByMsg',
      'by expression',
      `
      SecAction "id:1,phase:1,nolog,ctl:ruleRemoveTargetByMsg=bad;ARGS:a"\nSecRule ARGS "@rx ." "id:2,phase:2,msg:'bad %{MATCHED_VAR}'"`,
      ['2 bad 2'],
      two,
    ),
    row(
      'forceRequestBodyVariable',
      'fills REQUEST_BODY without a processor',
      `
      SecAction "id:1,phase:1,nolog,ctl:forceRequestBodyVariable=On"\nSecRule REQUEST_BODY "@rx ." "id:2,phase:2,msg:'%{MATCHED_VAR}'"`,
      ['2 x'],
      { request: post('text/plain', 'x') },
    ),
    row(
      'forceRequestBodyVariable',
      'not with one',
      `
      ${asJson}\nSecAction "id:1,phase:1,nolog,ctl:forceRequestBodyVariable=On"\nSecRule REQUEST_BODY "@rx ." "id:2,phase:2"`,
      [],
      { request: post('application/json', '{}') },
    ),
    row(
      'auditEngine',
      'about logs only',
      'SecAction "id:1,phase:1,ctl:auditEngine=Off,ctl:auditEngine=RelevantOnly"',
      ['1'],
    ),
    row('auditLogParts', 'about logs only', 'SecAction "id:1,phase:1,ctl:auditLogParts=+E"', ['1']),
    row('debugLogLevel', 'about logs only', 'SecAction "id:1,phase:1,ctl:debugLogLevel=9"', ['1']),
    row(
      'requestBodyProcessor',
      'URLENCODED for another type',
      `
      SecAction "id:1,phase:1,nolog,ctl:requestBodyProcessor=URLENCODED"\nSecRule ARGS:a "@streq x" "id:2,phase:2"`,
      ['2'],
      { request: post('text/plain', 'a=x') },
    ),
    row('requestBodyProcessor', 'XML', `${asXml}\nSecRule XML:/* "@streq x" "id:2,phase:2"`, ['2'], {
      request: post('text/plain', '<a>x</a>'),
    }),
    row('requestBodyProcessor', 'JSON', `${asJson}\nSecRule ARGS:a "@streq x" "id:2,phase:2"`, ['2'], {
      request: post('text/plain', '{"a":"x"}'),
    }),
    row(
      'requestBodyAccess',
      'Off',
      'SecAction "id:1,phase:1,nolog,ctl:requestBodyAccess=Off"\nSecRule ARGS "@rx ." "id:2,phase:2"',
      [],
      { request: form('a=x') },
    ),
    row(
      'responseBodyAccess',
      'Off',
      'SecAction "id:1,phase:3,nolog,ctl:responseBodyAccess=Off"\nSecRule RESPONSE_BODY "@rx ." "id:2,phase:4"',
      [],
      { request: { response: { body: 'x' } } },
    ),
    row(
      'ruleEngine',
      'DetectionOnly',
      'SecAction "id:1,phase:1,nolog,ctl:ruleEngine=DetectionOnly"\nSecAction "id:2,phase:1,deny"\nSecAction "id:3,phase:2"',
      ['2', '3'],
    ),
    row(
      'ruleEngine',
      'Off',
      'SecAction "id:1,phase:1,nolog,ctl:ruleEngine=Off"\nSecAction "id:2,phase:1,deny"\nSecAction "id:3,phase:2"',
      [],
    ),
    row(
      'ruleEngine',
      'On',
      'SecRuleEngine DetectionOnly\nSecAction "id:1,phase:1,nolog,ctl:ruleEngine=On"\nSecAction "id:2,phase:1,deny"',
      ['2'],
      { stops: 'deny 403' },
    ),
  ],
)

/** The value of a macro, in a rule that matches an argument. */
function macro(item: string, text: string, want: string, before = ''): Row {
  const rules = `${before}\nSecRule ARGS:q "@rx ." "id:7,phase:2,severity:ERROR,msg:'${text}'"`
  return row(item, text, rules, [`7 ${want}`], {
    request: {
      target: '/p?q=v',
      headers: [
        ['Host', 'h'],
        ['X-A', 'b'],
      ],
    },
  })
}

conform(
  'macros',
  'TX, MATCHED_VAR_NAME, MATCHED_VAR, ARGS, REQUEST_HEADERS, REMOTE_ADDR, REQUEST_LINE, RULE, IP',
  [
    macro('TX', '%{tx.A}%{TX.a}%{tx:a}', '111', 'SecAction "id:1,phase:1,nolog,setvar:tx.a=1"'),
    macro('MATCHED_VAR_NAME', '%{MATCHED_VAR_NAME}', 'ARGS:q'),
    macro('MATCHED_VAR', '%{matched_var}', 'v'),
    macro('ARGS', '%{ARGS.q}', 'v'),
    macro('REQUEST_HEADERS', '%{REQUEST_HEADERS.x-a}', 'b'),
    macro('REMOTE_ADDR', '%{REMOTE_ADDR}', '192.0.2.1'),
    macro('REQUEST_LINE', '%{REQUEST_LINE}', 'GET /p?q=v HTTP/1.1'),
    macro('RULE', '%{rule.id} %{rule.severity}', '7 3'),
    macro('IP', '%{ip.a}', '3', 'SecAction "id:1,phase:1,nolog,initcol:ip=x,setvar:ip.a=3"'),
  ],
)
