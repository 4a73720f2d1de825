import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatDiagnostic } from '../../kit/diagnostic.ts'
import { compile } from '../compile/compile.ts'
import { conform, form, post, type Row, row } from '../testing/conformance-rows.ts'
import { run } from '../testing/requests.ts'

/** Every directive of CRS 4.28.0 and 3.3.10, and common directives of their users. */

const rules = `
  SecRule ARGS "@rx ." "id:11,phase:2,tag:one,msg:'first',chain"
    SecRule REQUEST_METHOD "@streq GET"
  SecRule ARGS|REQUEST_COOKIES "@rx ." "id:12,phase:2,tag:two,tag:all,msg:'second',logdata:'%{MATCHED_VAR_NAME}'"
  SecRule ARGS_NAMES "@rx ." "id:13,phase:2,tag:three,tag:all,msg:'third'"`
const request = { target: '/?a=1&b=2', headers: [['Cookie', 'a=1; _ga_X=2']] as const }

function after(item: string, directives: string, want: readonly string[], stops?: string): Row {
  return {
    item,
    shows: directives.replaceAll('\n', '; '),
    rules: `${rules}\n${directives}`,
    request,
    want,
    ...(stops === undefined ? {} : { stops }),
  }
}

const bodySize =
  'SecRule REQUEST_BODY "@rx ." "id:2,phase:2,msg:\'%{REQUEST_BODY}\'"\nSecRule INBOUND_DATA_ERROR "@eq 1" "id:3,phase:2"'
const page = (body: string, type = 'text/html') => ({
  request: { response: { headers: [['Content-Type', type]] as const, body } },
})
const seesBody = 'SecRule RESPONSE_BODY "@rx ." "id:2,phase:4,msg:\'%{RESPONSE_BODY}\'"'

conform(
  'directives',
  `SecRule, SecAction, SecMarker, SecDefaultAction, SecComponentSignature, SecCollectionTimeout, Include, SecRuleEngine, SecRequestBodyAccess,
   SecRequestBodyLimit, SecRequestBodyNoFilesLimit, SecRequestBodyLimitAction, SecRequestBodyJsonDepthLimit, SecArgumentsLimit,
   SecResponseBodyAccess, SecResponseBodyMimeType, SecResponseBodyMimeTypesClear, SecResponseBodyLimit, SecResponseBodyLimitAction,
   SecUnicodeMapFile, SecRuleRemoveById, SecRuleRemoveByTag, SecRuleRemoveByMsg, SecRuleUpdateTargetById, SecRuleUpdateTargetByTag,
   SecRuleUpdateTargetByMsg, SecRuleUpdateActionById, logs and folders`,
  [
    row(
      'SecRule',
      'quotes, backslashes and continued lines',
      String.raw`
      SecRule ARGS \
          "@rx ^\"\d+\\\\$" \
          "id:1,\
          phase:2,\
          msg:'it\'s, so'"
      SecRule ARGS '@contains "1' id:2,phase:2`,
      ["1 it's, so", '2'],
      { request: { target: '/?a=%221\\' } },
    ),
    row(
      'SecRule',
      'without actions but an id is a link',
      'SecRule ARGS a "id:1,phase:2,chain"\nSecRule ARGS b',
      ['1'],
      { request: { target: '/?a=ab' } },
    ),
    row('SecAction', 'always matches', 'SecAction id:1,phase:1', ['1']),
    row(
      'SecMarker',
      'in every phase, by any text',
      'SecAction "id:1,phase:1,nolog,skipAfter:E-1"\nSecAction "id:2,phase:1"\nSecMarker E-1\nSecAction "id:3,phase:1"',
      ['3'],
    ),
    row(
      'SecDefaultAction',
      'per phase, for rules below',
      `
      SecAction "id:1,phase:1"\nSecDefaultAction "phase:1,nolog,auditlog,pass"\nSecAction "id:2,phase:1"\nSecAction "id:3,phase:2"`,
      ['1', '3'],
    ),
    row(
      'SecComponentSignature',
      'is accepted',
      'SecComponentSignature "OWASP_CRS/4.28.0"\nSecAction "id:1,phase:1"',
      ['1'],
    ),
    row('SecCollectionTimeout', 'is accepted', 'SecCollectionTimeout 600\nSecAction "id:1,phase:1"', ['1']),
    row('SecRuleEngine', 'Off', 'SecRuleEngine Off\nSecAction "id:1,phase:1,deny"', []),
    row('SecRuleEngine', 'DetectionOnly', 'SecRuleEngine DetectionOnly\nSecAction "id:1,phase:1,deny"', [
      '1',
    ]),
    row('SecRuleEngine', 'On', 'SecRuleEngine On\nSecAction "id:1,phase:1,deny"', ['1'], {
      stops: 'deny 403',
    }),
    row('SecRequestBodyAccess', 'Off', 'SecRequestBodyAccess Off\nSecRule ARGS "@rx ." "id:1,phase:2"', [], {
      request: form('a=1'),
    }),
    row('SecRequestBodyLimit', 'at the limit', `SecRequestBodyLimit 4\n${bodySize}`, ['2 abcd'], {
      request: form('abcd'),
    }),
    row('SecRequestBodyLimit', 'above the limit', `SecRequestBodyLimit 4\n${bodySize}`, ['2 abcd', '3'], {
      request: form('abcde'),
    }),
    row(
      'SecRequestBodyNoFilesLimit',
      'above the limit',
      `SecRequestBodyNoFilesLimit 4\n${bodySize}`,
      ['2 abcd', '3'],
      { request: form('abcde') },
    ),
    row(
      'SecRequestBodyLimitAction',
      'Reject',
      'SecRequestBodyLimit 4\nSecRequestBodyLimitAction Reject\nSecAction "id:1,phase:5"',
      ['1'],
      { request: form('abcde'), stops: 'deny 413' },
    ),
    row(
      'SecRequestBodyLimitAction',
      'ProcessPartial',
      'SecRequestBodyLimit 4\nSecRequestBodyLimitAction ProcessPartial\nSecAction "id:1,phase:5"',
      ['1'],
      { request: form('abcde') },
    ),
    ...(['[[1]]', '[[[1]]]'] as const).map((body, above) =>
      row(
        'SecRequestBodyJsonDepthLimit',
        body,
        `SecRequestBodyJsonDepthLimit 2\nSecAction "id:1,phase:1,nolog,ctl:requestBodyProcessor=JSON"\nSecRule REQBODY_ERROR "@eq 1" "id:2,phase:2"`,
        above ? ['2'] : [],
        { request: post('application/json', body) },
      ),
    ),
    ...(['/?a&b', '/?a&b&c'] as const).map((target, above) =>
      row(
        'SecArgumentsLimit',
        target,
        'SecArgumentsLimit 2\nSecRule REQBODY_ERROR "@eq 1" "id:2,phase:2"',
        above ? ['2'] : [],
        { request: { target } },
      ),
    ),
    row('SecResponseBodyAccess', 'Off', `SecResponseBodyAccess Off\n${seesBody}`, [], page('x')),
    row(
      'SecResponseBodyMimeType',
      'adds types, ignoring their parameters',
      `SecResponseBodyMimeType text/x image/svg+xml\n${seesBody}`,
      ['2 x'],
      page('x', 'Image/SVG+xml; charset=utf-8'),
    ),
    row(
      'SecResponseBodyMimeTypesClear',
      'leaves none',
      `SecResponseBodyMimeTypesClear\n${seesBody}`,
      [],
      page('x'),
    ),
    row(
      'SecResponseBodyLimit',
      'cuts',
      `SecResponseBodyLimit 2\nSecResponseBodyLimitAction ProcessPartial\n${seesBody}`,
      ['2 ab'],
      page('abc'),
    ),
    row(
      'SecResponseBodyLimitAction',
      'Reject',
      `SecResponseBodyLimit 2\nSecResponseBodyLimitAction Reject\n${seesBody}`,
      [],
      { ...page('abc'), stops: 'deny 500' },
    ),
    row(
      'SecUnicodeMapFile',
      'is accepted: code page 20127 is built in',
      'SecUnicodeMapFile unicode.mapping 20127\nSecRule ARGS "@streq A" "id:1,phase:2,t:urlDecodeUni"',
      ['1'],
      { request: { target: '/?a=%25u0041' } },
    ),
    row('Include', 'without a resolver is refused; see below', 'SecAction "id:1,phase:1"', ['1']),

    after('SecRuleRemoveById', 'SecRuleRemoveById 11 13', ['12 second']),
    after('SecRuleRemoveById', 'SecRuleRemoveById "12-13"', ['11 first']),
    after('SecRuleRemoveByTag', 'SecRuleRemoveByTag "^a"', ['11 first']),
    after('SecRuleRemoveByMsg', 'SecRuleRemoveByMsg "ir"', ['12 second']),
    after(
      'SecRuleUpdateTargetById',
      'SecRuleUpdateTargetById 12 "!ARGS:a,!REQUEST_COOKIES:a"\nSecRuleUpdateActionById 12 "msg:\'%{MATCHED_VAR_NAME}\'"',
      ['11 first', '12 ARGS:b', '13 third'],
    ),
    after(
      'SecRuleUpdateTargetById',
      'SecRuleUpdateTargetById 12 "!ARGS|!REQUEST_COOKIES:/^_ga/"\nSecRuleUpdateActionById 12 "msg:\'%{MATCHED_VAR_NAME}\'"',
      ['11 first', '12 REQUEST_COOKIES:a', '13 third'],
    ),
    after('SecRuleUpdateTargetById', 'SecRuleUpdateTargetById 11-13 "!ARGS,!ARGS_NAMES"', ['12 second']),
    after(
      'SecRuleUpdateTargetById',
      'SecRuleUpdateTargetById 13 "!ARGS_NAMES,REQUEST_METHOD"\nSecRuleUpdateActionById 13 "msg:\'%{MATCHED_VAR_NAME}\'"',
      ['11 first', '12 second', '13 REQUEST_METHOD'],
    ),
    after('SecRuleUpdateTargetByTag', 'SecRuleUpdateTargetByTag all "!ARGS_NAMES"', [
      '11 first',
      '12 second',
    ]),
    after('SecRuleUpdateTargetByMsg', 'SecRuleUpdateTargetByMsg "^first$" "!ARGS"', [
      '12 second',
      '13 third',
    ]),
    after(
      'SecRuleUpdateActionById',
      'SecRuleUpdateActionById 12 "deny,status:418,msg:\'new\',t:length"',
      ['11 first', '12 new'],
      'deny 418',
    ),
    after('SecRuleUpdateActionById', 'SecRuleUpdateActionById 11-12 nolog', ['13 third']),
    row(
      'SecRuleUpdateActionById',
      'tags are added',
      'SecAction "id:1,phase:1,tag:a"\nSecRuleUpdateActionById 1 "tag:b"\nSecAction "id:2,phase:1"\nSecRuleRemoveByTag ^b$',
      ['2'],
    ),
    row('SecRuleRemoveById', 'acts on rules above it only', 'SecRuleRemoveById 1\nSecAction "id:1,phase:1"', [
      '1',
    ]),

    row(
      'logs and folders',
      'a whole configuration of ModSecurity',
      `
      SecRuleEngine DetectionOnly
      SecRequestBodyAccess On
      SecRequestBodyLimit 13107200
      SecRequestBodyNoFilesLimit 131072
      SecRequestBodyInMemoryLimit 131072
      SecRequestBodyLimitAction Reject
      SecRequestBodyJsonDepthLimit 512
      SecArgumentsLimit 1000
      SecPcreMatchLimit 1000
      SecPcreMatchLimitRecursion 1000
      SecResponseBodyAccess On
      SecResponseBodyMimeType text/plain text/html text/xml
      SecResponseBodyLimit 524288
      SecResponseBodyLimitAction ProcessPartial
      SecTmpDir /tmp/
      SecDataDir /tmp/
      SecUploadDir /opt/modsecurity/var/upload/
      SecUploadKeepFiles RelevantOnly
      SecUploadFileMode 0600
      SecDebugLog /opt/modsecurity/var/log/debug.log
      SecDebugLogLevel 3
      SecAuditEngine RelevantOnly
      SecAuditLogRelevantStatus "^(?:5|4(?!04))"
      SecAuditLogParts ABIJDEFHZ
      SecAuditLogType Serial
      SecAuditLogFormat JSON
      SecAuditLog /var/log/modsec_audit.log
      SecAuditLogStorageDir /opt/modsecurity/var/audit/
      SecArgumentSeparator &
      SecCookieFormat 0
      SecUnicodeMapFile unicode.mapping 20127
      SecStatusEngine Off
      SecServerSignature "x"
      SecWebAppId a
      SecSensorId b
      SecGeoLookupDb /usr/share/geo.dat
      SecXmlExternalEntity Off
      SecAction "id:1,phase:1"`,
      ['1'],
    ),
  ],
)

describe('Include', () => {
  const files: Readonly<Record<string, string>> = {
    'conf/a.conf': 'SecAction "id:2,phase:1"',
    'conf/b.conf': 'IncludeOptional none/*.conf\nSecAction "id:3,phase:1"',
  }
  const include = (path: string) =>
    Object.keys(files)
      .filter(name => path === 'conf/*.conf' || path === name)
      .map(name => ({ name, text: files[name]! }))
  const options = { readData: () => undefined, include }

  it('inserts files at its position, in order', () => {
    const text = 'SecAction "id:1,phase:1"\nInclude conf/*.conf\nSecAction "id:4,phase:1"'
    assert.deepEqual(run(text, {}, options).matched, ['1', '2', '3', '4'])
  })

  it('of nothing is refused, also without a resolver', () => {
    for (const [given, want] of [
      [options, 'x.conf:2:9: there is no file gone.conf'],
      [
        { readData: () => undefined },
        'x.conf:2:9: there is no file gone.conf (Include is not available here)',
      ],
    ] as const) {
      const outcome = compile([{ name: 'x.conf', text: '\nInclude gone.conf' }], given)
      assert.deepEqual(outcome.ok ? [] : outcome.diagnostics.map(formatDiagnostic), [want])
    }
  })
})

describe('an unknown name is refused with its position and the nearest known name', () => {
  const mistakes: readonly [kind: string, text: string, want: string][] = [
    ['directive', 'SecRuel ARGS a "id:1"', '1:1: unknown directive SecRuel (did you mean SecRule?)'],
    [
      'directive',
      'SecRuleRemoveByld 1',
      '1:1: unknown directive SecRuleRemoveByld (did you mean SecRuleRemoveById?)',
    ],
    [
      'variable',
      'SecRule REQUEST_HEADER:Host a "id:1"',
      '1:9: unknown variable REQUEST_HEADER (did you mean REQUEST_HEADERS?)',
    ],
    [
      'variable behind !',
      'SecRule ARGS|!ARGS_NAME a "id:1"',
      '1:15: unknown variable ARGS_NAME (did you mean ARGS_NAMES?)',
    ],
    [
      'variable of an update',
      'SecRuleUpdateTargetById 1 "!REQUEST_COOKIE:a"',
      '1:29: unknown variable REQUEST_COOKIE (did you mean REQUEST_COOKIES?)',
    ],
    [
      'operator',
      'SecRule ARGS "@beginWith a" "id:1"',
      '1:15: unknown operator @beginWith (did you mean beginsWith?)',
    ],
    [
      'negated operator',
      'SecRule ARGS "!@detectSQL" "id:1"',
      '1:16: unknown operator @detectSQL (did you mean detectSQLi?)',
    ],
    [
      'transformation',
      'SecRule ARGS a "id:1,t:urlDecodeUnicode"',
      '1:22: unknown transformation urlDecodeUnicode (did you mean urlDecodeUni?)',
    ],
    [
      'action',
      'SecAction "id:1,phase:1,setvars:tx.a=1"',
      '1:25: unknown action setvars (did you mean setvar?)',
    ],
    [
      'action of the defaults',
      'SecDefaultAction "phase:1,lo,pass"',
      '1:27: unknown action lo (did you mean log?)',
    ],
    [
      'control',
      'SecAction "id:1,ctl:ruleRemoveTargetByTags=a;ARGS"',
      '1:17: unknown control ctl:ruleRemoveTargetByTags (did you mean ruleRemoveTargetByTag?)',
    ],
    [
      'severity',
      'SecAction "id:1,severity:CRITCAL"',
      '1:17: there is no severity CRITCAL (did you mean CRITICAL?)',
    ],
    [
      'body processor',
      'SecAction "id:1,ctl:requestBodyProcessor=URLENCODE"',
      '1:17: ctl:requestBodyProcessor cannot be URLENCODE (did you mean URLENCODED?)',
    ],
    ['phase', 'SecAction "id:1,phase:respnse"', '1:17: there is no phase respnse (did you mean response?)'],
    ['phase number', 'SecAction "id:1,phase:6"', '1:17: there is no phase 6 (phases are 1 to 5)'],
    [
      'engine mode',
      'SecRuleEngine DetectOnly',
      '1:15: SecRuleEngine cannot be DetectOnly (did you mean DetectionOnly?)',
    ],
    [
      'on a continued line',
      'SecRule ARGS \\\n  "@rx a" \\\n  "id:1,\\\n   t:lowercas"',
      '4:4: unknown transformation lowercas (did you mean lowercase?)',
    ],
  ]
  for (const [kind, text, want] of mistakes) {
    it(kind, () => {
      const outcome = compile([{ name: 'x.conf', text }], { readData: () => undefined })
      assert.deepEqual(outcome.ok ? [] : outcome.diagnostics.map(formatDiagnostic), [`x.conf:${want}`])
    })
  }
})
