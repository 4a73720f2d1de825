import { asJson, asXml, conform, form, post, upload, values } from '../testing/conformance-rows.ts'
import type { TestRequest } from '../testing/requests.ts'

/** Every variable of requests in every form of CRS 4.28.0 and 3.3.10, and common forms of their users. */

const cookies: TestRequest = { headers: [['Cookie', 'sid="x;y"; _ga=1;  _GA_2=%41; bare; b=c=d']] }
const headers: TestRequest = {
  headers: [
    ['Host', 'example.com'],
    ['X-One', '1'],
    ['x-one', '2'],
    ['X-Empty', ''],
  ],
}

conform(
  'variables of requests and their forms',
  `TX key, TX count key, TX regex, TX count regex, ARGS, ARGS count, ARGS key, ARGS count key, ARGS_NAMES, ARGS_NAMES not regex,
   ARGS_GET, ARGS_GET_NAMES, ARGS_POST, ARGS_POST_NAMES, ARGS_COMBINED_SIZE, XML text, XML attributes, REQUEST_COOKIES,
   REQUEST_COOKIES regex, REQUEST_COOKIES key, REQUEST_COOKIES count key, REQUEST_COOKIES not regex, REQUEST_COOKIES_NAMES,
   REQUEST_HEADERS, REQUEST_HEADERS key, REQUEST_HEADERS count key, REQUEST_HEADERS not key, REQUEST_HEADERS_NAMES,
   REQUEST_FILENAME, REQUEST_BASENAME, REQUEST_URI, REQUEST_URI_RAW, REQUEST_LINE, REQUEST_METHOD, REQUEST_PROTOCOL, QUERY_STRING`,
  [
    values('TX key', 'TX:name', {}, '[TX:Name=v]', {
      before: setTx('tx.Name=v'),
      shows: 'names in any case',
    }),
    values('TX key', 'TX:none', {}, ''),
    values('TX count key', '&TX:a|&TX:b', {}, '[&TX:a=1][&TX:b=0]', {
      before: setTx("'tx.a='"),
      shows: 'an empty one counts',
    }),
    values('TX regex', 'TX:/^H_/', {}, '[TX:h_a=1][TX:h_b=2]', {
      before: setTx('tx.h_a=1', 'tx.other=3', 'tx.h_b=2'),
    }),
    values('TX count regex', '&TX:/^h_/', {}, '[&TX:/^h_/=2]', { before: setTx('tx.h_a=1', 'tx.h_b=2') }),

    values(
      'ARGS',
      'ARGS',
      form('a=3&%62=x%3dy', '/?a=1&a=2+%25&&c'),
      '[ARGS:a=1][ARGS:a=2 %][ARGS:=][ARGS:c=][ARGS:a=3][ARGS:b=x=y]',
      {
        shows: 'query, then body, once decoded, one value per occurrence, empty pairs count',
      },
    ),
    values('ARGS', 'ARGS', { target: '/?a=%u0041%zz%4&b=1;c=2' }, '[ARGS:a=%u0041%zz%4][ARGS:b=1;c=2]', {
      shows: 'bad escapes and semicolons stay',
    }),
    values('ARGS', 'ARGS', { target: '/?a=1' }, '[ARGS:a=1]', {
      phase: 1,
      shows: 'the query is there in phase 1',
    }),
    values('ARGS', 'ARGS', upload, '[ARGS:a%41=v+%41]', { shows: 'fields of multipart are not decoded' }),
    values(
      'ARGS',
      'ARGS',
      post('application/json', '{"a":"x","b":{"c":[1,{"d":true},null]},"e":1.50,"f":{},"g":[]}'),
      '[ARGS:a=x][ARGS:b.c.c=1][ARGS:b.c.c.d=true][ARGS:b.c.c=][ARGS:e=1.50]',
      { before: asJson, shows: 'JSON leaves by their path' },
    ),
    values(
      'ARGS',
      'ARGS',
      post('application/json', '[1,{"x":"y"},[3]]'),
      '[ARGS:array.array=1][ARGS:array.array.x=y][ARGS:array.array.array=3]',
      { before: asJson, shows: 'JSON arrays' },
    ),
    values('ARGS count', '&ARGS', form('a=3', '/?a=1&b'), '[&ARGS=3]'),
    values('ARGS key', 'ARGS:A', { target: '/?a=1&A=2&ab=3' }, '[ARGS:a=1][ARGS:A=2]', {
      shows: 'keys in any case',
    }),
    values('ARGS count key', '&ARGS:a', { target: '/?a=1&a=2&b=3' }, '[&ARGS:a=2]'),
    values(
      'ARGS_NAMES',
      'ARGS_NAMES',
      form('c=3', '/?%61=1&a=2'),
      '[ARGS_NAMES:a=a][ARGS_NAMES:a=a][ARGS_NAMES:c=c]',
    ),
    values(
      'ARGS_NAMES not regex',
      'ARGS_NAMES|!ARGS_NAMES:/^x_/',
      { target: '/?x_a=1&ax_=2' },
      '[ARGS_NAMES:ax_=ax_]',
    ),
    values('ARGS_GET', 'ARGS_GET', form('c=3', '/?a=1'), '[ARGS_GET:a=1]'),
    values('ARGS_GET_NAMES', 'ARGS_GET_NAMES', form('c=3', '/?a=1'), '[ARGS_GET_NAMES:a=a]'),
    values('ARGS_POST', 'ARGS_POST', form('c=3', '/?a=1'), '[ARGS_POST:c=3]'),
    values('ARGS_POST', 'ARGS_POST', post('application/json', '{"a":1}'), '', {
      before: asJson,
      shows: 'empty for JSON',
    }),
    values('ARGS_POST_NAMES', 'ARGS_POST_NAMES', form('c=3', '/?a=1'), '[ARGS_POST_NAMES:c=c]'),
    values('ARGS_COMBINED_SIZE', 'ARGS_COMBINED_SIZE', form('ccc=%41', '/?a=12&b'), '[ARGS_COMBINED_SIZE=8]'),

    values(
      'XML text',
      'XML:/*',
      post('text/xml', '<r a="1">x<b c="2">y&amp;&#65;<![CDATA[<z>]]></b></r>'),
      '[XML=xy&A<z>]',
      { before: asXml },
    ),
    values('XML text', 'XML:/*', post('text/xml', '<r>x</r>'), '', {
      shows: 'empty without the XML processor',
    }),
    values(
      'XML attributes',
      'XML://@*',
      post('text/xml', '<r a="1">x<b c="2&lt;"/></r>'),
      '[XML=1][XML=2<]',
      { before: asXml },
    ),

    values(
      'REQUEST_COOKIES',
      'REQUEST_COOKIES',
      cookies,
      '[REQUEST_COOKIES:sid="x][REQUEST_COOKIES:y"=][REQUEST_COOKIES:_ga=1][REQUEST_COOKIES:_GA_2=%41][REQUEST_COOKIES:bare=][REQUEST_COOKIES:b=c=d]',
      {
        shows: 'split at every semicolon, not decoded, quotes kept, also without =',
      },
    ),
    values(
      'REQUEST_COOKIES regex',
      'REQUEST_COOKIES:/^_ga/',
      cookies,
      '[REQUEST_COOKIES:_ga=1][REQUEST_COOKIES:_GA_2=%41]',
    ),
    values('REQUEST_COOKIES key', 'REQUEST_COOKIES:BARE', cookies, '[REQUEST_COOKIES:bare=]'),
    values('REQUEST_COOKIES count key', '&REQUEST_COOKIES:b', cookies, '[&REQUEST_COOKIES:b=1]'),
    values(
      'REQUEST_COOKIES not regex',
      'REQUEST_COOKIES|!REQUEST_COOKIES:/^(?:_ga|sid|y)/',
      cookies,
      '[REQUEST_COOKIES:bare=][REQUEST_COOKIES:b=c=d]',
    ),
    values(
      'REQUEST_COOKIES_NAMES',
      'REQUEST_COOKIES_NAMES',
      { headers: [['Cookie', 'a=1; b']] },
      '[REQUEST_COOKIES_NAMES:a=a][REQUEST_COOKIES_NAMES:b=b]',
    ),

    values('REQUEST_HEADERS key', 'REQUEST_HEADERS:host', headers, '[REQUEST_HEADERS:Host=example.com]', {
      shows: 'in any case',
    }),
    values(
      'REQUEST_HEADERS count key',
      '&REQUEST_HEADERS:X-Empty|&REQUEST_HEADERS:Referer',
      headers,
      '[&REQUEST_HEADERS:X-Empty=1][&REQUEST_HEADERS:Referer=0]',
      {
        shows: 'an empty header counts',
      },
    ),
    values(
      'REQUEST_HEADERS not key',
      'REQUEST_HEADERS|!REQUEST_HEADERS:x-one|!REQUEST_HEADERS:X-EMPTY',
      headers,
      '[REQUEST_HEADERS:Host=example.com]',
    ),
    values(
      'REQUEST_HEADERS',
      'REQUEST_HEADERS',
      {
        headers: [
          ['Host', 'h'],
          ['A_b', ''],
        ],
      },
      '[REQUEST_HEADERS:Host=h][REQUEST_HEADERS:A_b=]',
    ),
    values(
      'REQUEST_HEADERS_NAMES',
      'REQUEST_HEADERS_NAMES',
      {
        headers: [
          ['HOST', 'h'],
          ['a-B', ''],
        ],
      },
      '[REQUEST_HEADERS_NAMES:HOST=HOST][REQUEST_HEADERS_NAMES:a-B=a-B]',
      {
        shows: 'as sent',
      },
    ),

    values(
      'REQUEST_FILENAME',
      'REQUEST_FILENAME',
      { target: '//a//b/%2e%2e/c?x' },
      '[REQUEST_FILENAME=/a/c]',
      { shows: 'decoded and normalised' },
    ),
    values('REQUEST_BASENAME', 'REQUEST_BASENAME', { target: '/a/b.php?x=/y' }, '[REQUEST_BASENAME=b.php]'),
    values('REQUEST_BASENAME', 'REQUEST_BASENAME', { target: '/a\\b.php' }, '[REQUEST_BASENAME=b.php]', {
      shows: 'after a backslash, too',
    }),
    values('REQUEST_URI', 'REQUEST_URI', { target: 'http://h/a/b?c=%41#d' }, '[REQUEST_URI=/a/b?c=%41]', {
      shows: 'without scheme, host and fragment',
    }),
    values(
      'REQUEST_URI_RAW',
      'REQUEST_URI_RAW',
      { target: 'http://h//a?c=%41#d' },
      '[REQUEST_URI_RAW=http://h//a?c=%41#d]',
    ),
    values(
      'REQUEST_LINE',
      'REQUEST_LINE',
      { method: 'get', target: '//x?y', protocol: 'HTTP/1.0' },
      '[REQUEST_LINE=get //x?y HTTP/1.0]',
    ),
    values('REQUEST_METHOD', 'REQUEST_METHOD', { method: 'gEt' }, '[REQUEST_METHOD=gEt]'),
    values('REQUEST_PROTOCOL', 'REQUEST_PROTOCOL', { protocol: 'HTTP/2.0' }, '[REQUEST_PROTOCOL=HTTP/2.0]'),
    values('QUERY_STRING', 'QUERY_STRING', { target: '/?a=%41&b?' }, '[QUERY_STRING=a=%41&b?]'),
  ],
)

function setTx(...assignments: readonly string[]): string {
  return `SecAction "id:90,phase:1,nolog,${assignments.map(text => `setvar:${text}`).join(',')}"`
}
