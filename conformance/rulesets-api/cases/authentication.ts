import { email, key } from '../../../src/api/testing/test-api.ts'
import {
  block,
  type Case,
  custom,
  entryPoint,
  levels,
  logFields,
  managed,
  type Request,
  unknownId,
} from '../case.ts'

const without = { authorization: undefined }
const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
const stranger = bearer('x'.repeat(40))
const made = bearer('<value>')
const json = { 'content-type': 'application/json' }

const zoneScope = 'com.cloudflare.api.account.zone'
const policy = (group: string, resource = `${zoneScope}.<zone>`) => ({
  effect: 'allow',
  permission_groups: [{ id: group }],
  resources: { [resource]: '*' },
})
const wafWrite = 'fb6778dc191143babbfaa57993f1d275'
const wafRead = 'dbc512b354774852af2b5a5f4ba3d470'
const zoneRead = 'c8fed203ed3043cba015a93ad1616f1f'
const logsWrite = '3e0b5820118e47f3922f7c989e673882'

const userToken = (group: string, more: object = {}): Request => [
  'POST',
  '/user/tokens',
  { name: 'made', policies: [policy(group)], ...more },
]
const accountToken = (group: string): Request => [
  'POST',
  '/accounts/<account>/tokens',
  { name: 'made', policies: [policy(group)] },
]

const chained = (code: number, message: string) => ({
  errors: [{ code: 6003, message: 'Invalid request headers', error_chain: [{ code, message }] }],
})
const unrouted = (path: string) => ({
  errors: [
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  ],
})

const credentials: readonly Case[] = [
  {
    name: '1.4 9106: no credentials',
    request: ['GET', '/zones', undefined, without],
    status: 400,
    error: [9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers'],
  },
  ...['Bearer', 'Bearer a b', 'Bearer ü', 'Basic YTpi', 'Token abc'].map(
    (authorization): Case => ({
      name: `1.4 6111: Authorization "${authorization}"`,
      request: ['GET', '/zones', undefined, { authorization }],
      status: 400,
      body: chained(6111, 'Invalid format for Authorization header'),
    }),
  ),
  {
    name: '1.4 6103: a malformed key',
    request: ['GET', '/zones', undefined, { ...without, 'x-auth-email': email, 'x-auth-key': 'two words' }],
    status: 400,
    body: chained(6103, 'Invalid format for X-Auth-Key header'),
  },
  {
    name: '1.4 6102: a malformed email',
    request: ['GET', '/zones', undefined, { ...without, 'x-auth-email': 'no-address', 'x-auth-key': key }],
    status: 400,
    body: chained(6102, 'Invalid format for X-Auth-Email header'),
  },
  {
    name: '1.4 9103: an unknown key pair',
    request: [
      'GET',
      '/zones',
      undefined,
      { ...without, 'x-auth-email': email, 'x-auth-key': 'f'.repeat(40) },
    ],
    status: 403,
    error: [9103, 'Unknown X-Auth-Key or X-Auth-Email'],
  },
  {
    name: '1.4 the key pair has all rights',
    request: ['GET', '/zones', undefined, { ...without, 'x-auth-email': email, 'x-auth-key': key }],
    result: [{ id: '<zone>' }],
  },
  {
    name: '1.4 a token goes before the key pair',
    request: ['GET', '/zones', undefined, { 'x-auth-email': email, 'x-auth-key': 'f'.repeat(40) }],
    result: [{ id: '<zone>' }],
  },
  {
    name: '1.4 1000: an unknown token is verified',
    request: ['GET', '/user/tokens/verify', undefined, stranger],
    status: 401,
    error: [1000, 'Invalid API Token'],
  },
  {
    name: '1.4 1000: a token of an account is verified as one of a user',
    given: [accountToken(wafRead)],
    request: ['GET', '/user/tokens/verify', undefined, made],
    status: 401,
    error: [1000, 'Invalid API Token'],
  },
  ...['/accounts', '/zones', '/accounts/<account>', '/zones/<zone>'].map(
    (path): Case => ({
      name: `1.4 9109: an unknown token at ${path}`,
      request: ['GET', path, undefined, stranger],
      status: 403,
      error: [9109, 'Invalid access token'],
    }),
  ),
  ...levels.map(
    ({ level, scope }): Case => ({
      name: `1.4 10000: an unknown token at rulesets of the ${level}`,
      request: ['GET', `${scope}/rulesets`, undefined, stranger],
      status: 401,
      error: [10000, 'Authentication error'],
    }),
  ),
  {
    name: '1.4 9109: a token from another address',
    given: [userToken(zoneRead, { condition: { request_ip: { in: ['192.0.2.0/24'] } } })],
    request: ['GET', '/zones/<zone>', undefined, made],
    status: 403,
    error: [9109, /^Cannot use the access token from location: \S+$/],
  },
  {
    name: '1.4 1001: accounts are not listed with a token of an account',
    given: [accountToken(wafRead)],
    request: ['GET', '/accounts', undefined, made],
    status: 400,
    error: [1001, 'List accounts endpoint does not support account owned tokens.'],
  },
  {
    name: '1.3 10000: a token without any permission for rulesets',
    given: [userToken(zoneRead)],
    request: ['GET', '/zones/<zone>/rulesets', undefined, made],
    status: 403,
    error: [10000, 'Authentication error'],
  },
  {
    name: '1.3 no code: a token for another phase',
    given: [userToken(logsWrite)],
    request: ['PUT', entryPoint(custom), { rules: [] }, made],
    status: 403,
    error: [undefined, 'request is not authorized'],
    body: { messages: [] },
  },
  {
    name: '1.5 Zone WAF writes the phases of the firewall',
    given: [userToken(wafWrite)],
    request: ['PUT', entryPoint(custom), { rules: [block('a')] }, made],
    result: { version: '1' },
  },
  {
    name: '1.5 Zone WAF Read reads and does not write',
    given: [userToken(wafRead)],
    request: ['PUT', entryPoint(managed), { rules: [] }, made],
    status: 403,
    error: [10000, 'Authentication error'],
  },
  {
    name: '1.5 Logs write custom log fields',
    given: [userToken(logsWrite)],
    request: ['PUT', entryPoint(logFields), { rules: [] }, made],
    result: { phase: logFields },
  },
  ...['/nothing', '/zones/xyz/rulesets', '/accounts/12/rulesets', `/zones/${unknownId}/rulesets`].map(
    (path): Case => ({
      name: `1.4 7003: ${path}`,
      request: ['GET', path],
      status: 404,
      body: unrouted(path),
    }),
  ),
  {
    name: '1.4 10405: a method that the path does not have',
    request: ['DELETE', '/zones/<zone>/rulesets'],
    status: 405,
    error: [10405, 'Method not allowed for this authentication scheme; available here: GET, HEAD, POST'],
  },
]

const verified = {
  result: { id: '<token>', status: 'active' },
  messages: [{ code: 10000, message: 'This API Token is valid and active', type: null }],
}

const tokens: readonly Case[] = [
  {
    name: '1.5 a token of a user is verified',
    given: [userToken(zoneRead)],
    request: ['GET', '/user/tokens/verify', undefined, made],
    body: verified,
  },
  {
    name: '1.5 a token of an account is verified',
    given: [accountToken(wafRead)],
    request: ['GET', '/accounts/<account>/tokens/verify', undefined, made],
    body: verified,
  },
  {
    name: '1.5 times of a token are told by verify',
    given: [userToken(zoneRead, { not_before: '2026-01-01T00:00:00Z', expires_on: '2099-01-01T00:00:00Z' })],
    request: ['GET', '/user/tokens/verify', undefined, made],
    result: { status: 'active', not_before: '2026-01-01T00:00:00Z', expires_on: '2099-01-01T00:00:00Z' },
  },
  {
    name: '1.5 a disabled token is told by verify',
    given: [
      userToken(zoneRead),
      ['PUT', '/user/tokens/<token>', { name: 'off', status: 'disabled', policies: [policy(zoneRead)] }],
    ],
    request: ['GET', '/user/tokens/verify', undefined, made],
    result: { status: 'disabled' },
  },
  {
    name: '1.5 a token that is made shows its value',
    request: userToken(zoneRead),
    result: {
      id: /^[0-9a-f]{32}$/,
      name: 'made',
      status: 'active',
      value: /^[A-Za-z0-9._~+/-]{40,}=*$/,
      issued_on: /Z$/,
      modified_on: /Z$/,
      policies: [
        {
          id: /^[0-9a-f]{32}$/,
          effect: 'allow',
          permission_groups: [{ id: zoneRead, name: 'Zone Read' }],
          resources: { [`${zoneScope}.<zone>`]: '*' },
        },
      ],
    },
  },
  {
    name: '1.5 a token that is read does not',
    given: [userToken(zoneRead)],
    request: ['GET', '/user/tokens/<token>'],
    result: { name: 'made', value: undefined },
  },
  {
    name: '1.5 a new value is a text',
    given: [userToken(zoneRead)],
    request: ['PUT', '/user/tokens/<token>/value', {}],
    result: /^[A-Za-z0-9._~+/-]{40,}=*$/,
  },
  {
    name: '1.5 a token is deleted',
    given: [userToken(zoneRead)],
    request: ['DELETE', '/user/tokens/<token>'],
    result: { id: '<token>' },
  },
  {
    name: '1.5 all zones of an account, as a resource in a resource',
    request: [
      'POST',
      '/user/tokens',
      {
        name: 'all',
        policies: [
          {
            ...policy(wafWrite),
            resources: { 'com.cloudflare.api.account.<account>': { [`${zoneScope}.*`]: '*' } },
          },
        ],
      },
    ],
    result: {
      policies: [{ resources: { 'com.cloudflare.api.account.<account>': { [`${zoneScope}.*`]: '*' } } }],
    },
  },
  {
    name: '1.5 a denial outweighs an allowance',
    given: [
      [
        'POST',
        '/user/tokens',
        { name: 'denied', policies: [policy(wafWrite), { ...policy(wafWrite), effect: 'deny' }] },
      ],
    ],
    request: ['PUT', entryPoint(custom), { rules: [] }, made],
    status: 403,
  },
]

const pages: readonly Case[] = [
  {
    name: '1.6 result_info of zones',
    request: ['GET', '/zones?page=1&per_page=5'],
    body: { result_info: { page: 1, per_page: 5, count: 1, total_count: 1, total_pages: 1 } },
  },
  ...['/zones', '/accounts', '/user/tokens'].map(
    (path): Case => ({
      name: `1.6 a page of ${path} past the end is empty`,
      request: ['GET', `${path}?page=99&per_page=50`],
      result: new Array(0),
    }),
  ),
  {
    name: '1.6 queries with dots',
    request: ['GET', '/zones?account.id=<account>&status=active'],
    result: [{ id: '<zone>' }],
  },
  {
    name: '1.6 zones of another account',
    request: ['GET', `/zones?account.id=${unknownId}`],
    result: new Array(0),
  },
  {
    name: '1.6 a page of rulesets tells the next in both spellings',
    request: ['GET', '/zones/<zone>/rulesets?per_page=1'],
    body: { result: [{}], result_info: { cursor: /./, cursors: { after: /./ } } },
  },
  ...['0', '51', 'x'].map(
    (size): Case => ({
      name: `1.6 per_page=${size} of rulesets`,
      request: ['GET', `/zones/<zone>/rulesets?per_page=${size}`],
      status: 400,
    }),
  ),
  {
    name: '1.6 an invented cursor',
    request: ['GET', '/zones/<zone>/rulesets?cursor=%00'],
    status: 400,
  },
  {
    name: '2 headers of the SDK are ignored',
    request: [
      'GET',
      '/zones/<zone>/rulesets',
      undefined,
      { accept: '*/*', 'api-version': '2026-01-01', 'x-stainless-lang': 'js', ...json },
    ],
  },
]

export const authenticationCases: readonly Case[] = [...credentials, ...tokens, ...pages]
