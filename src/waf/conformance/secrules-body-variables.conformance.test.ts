import { asJson, asXml, conform, form, multipart, post, upload, values } from '../testing/conformance-rows.ts'
import type { TestRequest } from '../testing/requests.ts'

/** Every variable of bodies, responses and matches in every form of CRS 4.28.0 and 3.3.10. */

const reply: TestRequest = {
  response: {
    status: 404,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['X-A', '1'],
    ],
    body: '<b>',
  },
}

conform(
  'variables of bodies, answers and matches',
  `REQUEST_BODY, REQUEST_BODY_LENGTH, REQBODY_PROCESSOR, REQBODY_ERROR, REQBODY_ERROR_MSG, FILES, FILES_NAMES,
   FILES_COMBINED_SIZE, MULTIPART_PART_HEADERS, MULTIPART_PART_HEADERS count, MULTIPART_PART_HEADERS count key,
   MULTIPART_STRICT_ERROR, MULTIPART_UNMATCHED_BOUNDARY, MATCHED_VAR, MATCHED_VARS, MATCHED_VARS_NAMES, REMOTE_ADDR, UNIQUE_ID,
   RESPONSE_STATUS, RESPONSE_HEADERS key, RESPONSE_BODY, IP key, IP count key, DURATION, GEO key`,
  [
    values('REQUEST_BODY', 'REQUEST_BODY', form('a=%41'), '[REQUEST_BODY=a=%41]', {
      shows: 'of a form, raw',
    }),
    ...(
      [
        ['multipart', upload, ''],
        ['XML', post('text/xml', '<a/>'), asXml],
        ['JSON', post('application/json', '{}'), asJson],
        ['a type without a processor', post('text/plain', 'x'), ''],
      ] as const
    ).map(([what, request, before]) =>
      values('REQUEST_BODY', 'REQUEST_BODY', request, '', { before, shows: `nothing for ${what}` }),
    ),
    values('REQUEST_BODY_LENGTH', 'REQUEST_BODY_LENGTH', form('a=%41'), '[REQUEST_BODY_LENGTH=5]'),
    values(
      'REQBODY_PROCESSOR',
      'REQBODY_PROCESSOR',
      post('Multipart/Form-Data; boundary=b', '--b--'),
      '[REQBODY_PROCESSOR=MULTIPART]',
      { phase: 1 },
    ),
    values(
      'REQBODY_PROCESSOR',
      'REQBODY_PROCESSOR',
      post('application/x-www-form-urlencoded; charset=utf-8', 'a'),
      '[REQBODY_PROCESSOR=URLENCODED]',
      { phase: 1 },
    ),
    values(
      'REQBODY_PROCESSOR',
      'REQBODY_PROCESSOR',
      post('application/json', '{}'),
      '[REQBODY_PROCESSOR=JSON]',
      { before: asJson, shows: 'JSON when a rule says so' },
    ),
    values('REQBODY_PROCESSOR', 'REQBODY_PROCESSOR', post('text/xml', '<a/>'), '[REQBODY_PROCESSOR=XML]', {
      before: asXml,
      shows: 'XML when a rule says so',
    }),
    values('REQBODY_PROCESSOR', 'REQBODY_PROCESSOR', post('text/plain', 'x'), '[REQBODY_PROCESSOR=]', {
      shows: 'empty for the rest',
    }),
    values('REQBODY_ERROR', 'REQBODY_ERROR', post('application/json', '{"a":1,'), '[REQBODY_ERROR=1]', {
      before: asJson,
      shows: 'broken JSON',
    }),
    values('REQBODY_ERROR', 'REQBODY_ERROR', post('text/xml', '<a>'), '[REQBODY_ERROR=1]', {
      before: asXml,
      shows: 'broken XML',
    }),
    values(
      'REQBODY_ERROR',
      'REQBODY_ERROR|ARGS',
      post('application/json', '{"a":1,}'),
      '[REQBODY_ERROR=1][ARGS:a=1]',
      { before: asJson, shows: 'keeps the parsed part' },
    ),
    values('REQBODY_ERROR', 'REQBODY_ERROR', form('a=%zz'), '[REQBODY_ERROR=0]', {
      shows: 'a bad escape is none',
    }),
    {
      item: 'REQBODY_ERROR_MSG',
      shows: 'describes the error',
      rules: `${asJson}\nSecRule REQBODY_ERROR_MSG "@rx ." "id:1"`,
      request: post('application/json', '{'),
      want: ['1'],
    },

    values('FILES', 'FILES', upload, '[FILES:up=x.php]'),
    values('FILES_NAMES', 'FILES_NAMES', upload, '[FILES_NAMES:up=up]'),
    values('FILES_COMBINED_SIZE', 'FILES_COMBINED_SIZE', upload, '[FILES_COMBINED_SIZE=3]'),
    values(
      'MULTIPART_PART_HEADERS',
      'MULTIPART_PART_HEADERS',
      upload,
      '[MULTIPART_PART_HEADERS:a%41=Content-Disposition: form-data; name="a%41"][MULTIPART_PART_HEADERS:up=Content-Disposition: form-data; name="up"; filename="x.php"][MULTIPART_PART_HEADERS:up=Content-Type: text/plain]',
      {
        shows: 'whole lines without their end',
      },
    ),
    values('MULTIPART_PART_HEADERS count', '&MULTIPART_PART_HEADERS', upload, '[&MULTIPART_PART_HEADERS=3]'),
    values(
      'MULTIPART_PART_HEADERS count key',
      '&MULTIPART_PART_HEADERS:up|&MULTIPART_PART_HEADERS:_charset_',
      upload,
      '[&MULTIPART_PART_HEADERS:up=2][&MULTIPART_PART_HEADERS:_charset_=0]',
    ),
    values('MULTIPART_STRICT_ERROR', 'MULTIPART_STRICT_ERROR', upload, '[MULTIPART_STRICT_ERROR=0]', {
      shows: 'not for a good body',
    }),
    ...(
      [
        [
          'data before the first boundary',
          'x\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
        ],
        ['data after the last', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\nx'],
        ['bare line feeds', '--b\nContent-Disposition: form-data; name="a"\n\n1\n--b--\n'],
        ['a folded header', '--b\r\nContent-Disposition: form-data;\r\n name="a"\r\n\r\n1\r\n--b--\r\n'],
        ['a missing semicolon', '--b\r\nContent-Disposition: form-data name="a"\r\n\r\n1\r\n--b--\r\n'],
        ['single quotes', "--b\r\nContent-Disposition: form-data; name='a'\r\n\r\n1\r\n--b--\r\n"],
        ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n'],
      ] as const
    ).map(([shows, body]) =>
      values(
        'MULTIPART_STRICT_ERROR',
        'MULTIPART_STRICT_ERROR',
        post('multipart/form-data; boundary=b', body),
        '[MULTIPART_STRICT_ERROR=1]',
        { shows },
      ),
    ),
    values(
      'MULTIPART_STRICT_ERROR',
      'MULTIPART_STRICT_ERROR',
      post(
        'multipart/form-data; boundary="b"',
        '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
      ),
      '[MULTIPART_STRICT_ERROR=1]',
      { shows: 'a quoted boundary' },
    ),
    values(
      'MULTIPART_UNMATCHED_BOUNDARY',
      'MULTIPART_UNMATCHED_BOUNDARY',
      multipart(['Content-Disposition: form-data; name="a"', '--other\r\nx']),
      '[MULTIPART_UNMATCHED_BOUNDARY=2]',
      { shows: '2: a line that looks like a boundary' },
    ),
    values(
      'MULTIPART_UNMATCHED_BOUNDARY',
      'MULTIPART_UNMATCHED_BOUNDARY',
      post('multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'),
      '[MULTIPART_UNMATCHED_BOUNDARY=1]',
      { shows: '1: the last boundary is missing' },
    ),
    values(
      'MULTIPART_UNMATCHED_BOUNDARY',
      'MULTIPART_UNMATCHED_BOUNDARY',
      upload,
      '[MULTIPART_UNMATCHED_BOUNDARY=0]',
      { shows: '0: all is well' },
    ),

    {
      item: 'MATCHED_VAR',
      shows: 'the last match',
      rules: 'SecRule ARGS "@rx ^[12]$" "id:1,phase:2,nolog"\nSecRule MATCHED_VAR "@streq 2" "id:2,phase:2"',
      request: { target: '/?a=1&b=2&c=3' },
      want: ['2'],
    },
    {
      item: 'MATCHED_VARS',
      shows: 'all of this chain, transformed',
      rules: `SecRule ARGS "@rx ^[ab]$" "id:1,phase:2,nolog,t:lowercase,chain"
        SecRule REQUEST_METHOD "@streq GET" "chain"
          SecRule MATCHED_VARS "@unconditionalMatch" "setvar:'tx.seen=%{tx.seen}[%{MATCHED_VAR_NAME}=%{MATCHED_VAR}]'"
        SecAction "id:99,phase:5,msg:'%{tx.seen}'"`,
      request: { target: '/?x=A&y=b&z=c' },
      want: ['99 [ARGS:x=a][ARGS:y=b][REQUEST_METHOD=GET]'],
    },
    {
      item: 'MATCHED_VARS_NAMES',
      shows: 'their names',
      rules: `SecRule ARGS "@rx ^a$" "id:1,phase:2,nolog,chain"
        SecRule MATCHED_VARS_NAMES "@unconditionalMatch" "setvar:'tx.seen=%{tx.seen}[%{MATCHED_VAR}]'"
        SecAction "id:99,phase:5,msg:'%{tx.seen}'"`,
      request: { target: '/?x=a&y=a' },
      want: ['99 [ARGS:x][ARGS:y]'],
    },
    values('REMOTE_ADDR', 'REMOTE_ADDR', { clientIp: '2001:db8::1' }, '[REMOTE_ADDR=2001:db8::1]', {
      phase: 1,
    }),
    values('UNIQUE_ID', 'UNIQUE_ID', {}, '[UNIQUE_ID=unique]', { phase: 1 }),
    values('RESPONSE_STATUS', 'RESPONSE_STATUS', reply, '[RESPONSE_STATUS=404]', { phase: 3 }),
    values('RESPONSE_HEADERS key', 'RESPONSE_HEADERS:x-a', reply, '[RESPONSE_HEADERS:X-A=1]', { phase: 3 }),
    values('RESPONSE_BODY', 'RESPONSE_BODY', reply, '[RESPONSE_BODY=<b>]', { phase: 4 }),
    values(
      'RESPONSE_BODY',
      'RESPONSE_BODY',
      { response: { headers: [['Content-Type', 'image/png']], body: '<b>' } },
      '',
      { phase: 4, shows: 'only of the types named' },
    ),
    values('IP key', 'IP:n', {}, '[IP:n=2]', {
      before: 'SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR},setvar:ip.n=2"',
    }),
    values('IP key', 'IP:n', {}, '', {
      before: 'SecAction "id:1,phase:1,nolog,setvar:ip.n=2"',
      shows: 'nothing without initcol',
    }),
    values('IP count key', '&IP:n|&IP:m', {}, '[&IP:n=1][&IP:m=0]', {
      before: 'SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR},setvar:ip.n=2"',
    }),
    {
      item: 'DURATION',
      shows: 'milliseconds since the start',
      rules: 'SecRule DURATION "@ge 0" "id:1,phase:5,msg:\'%{DURATION}\'"',
      want: ['1 0'],
    },
    values('GEO key', '&GEO:COUNTRY_CODE', {}, '[&GEO:COUNTRY_CODE=0]', {
      before: 'SecRule REMOTE_ADDR "@geoLookup" "id:1,phase:1"',
      shows: 'without a database there is none',
    }),
  ],
)
