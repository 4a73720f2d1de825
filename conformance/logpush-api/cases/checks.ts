import {
  type Case,
  codes,
  create,
  defaultFields,
  Exactly,
  folder,
  job,
  jobs,
  owned,
  type Request,
  unowned,
} from '../case.ts'

/** Sections 1.4 to 1.7, 3.3 and 3.4: ownership, destinations, options, and the fields of the datasets. */

const ownership = '/<scope>/logpush/ownership'
const validate = '/<scope>/logpush/validate'
const challenge: Request = ['POST', ownership, { destination_conf: unowned }]
const withChallenge = (ownership_challenge: unknown, destination_conf = unowned) => ({
  destination_conf,
  ownership_challenge,
})

const owners: readonly Case[] = [
  {
    name: '3.3 a challenge is written below the path',
    request: challenge,
    result: new Exactly({ filename: 'owned/ownership-challenge.txt', valid: true, message: '' }),
  },
  {
    name: '3.3 {DATE} of the path is the day',
    request: ['POST', ownership, { destination_conf: unowned.replace('owned', 'owned/{DATE}') }],
    result: { filename: /^owned\/\d{8}\/ownership-challenge\.txt$/, valid: true, message: '' },
  },
  {
    name: '1.4 a directory',
    request: ['POST', ownership, { destination_conf: folder }],
    result: { filename: /ownership-challenge\.txt$/, valid: true, message: '' },
  },
  ...['gopher://x', 'file:///proc/x/y', 's3://no-such-bucket/x?region=us-east-1&endpoint=<s3>'].map(
    (destination_conf): Case => ({
      name: `1.4 ownership of ${destination_conf}`,
      request: ['POST', ownership, { destination_conf }],
      result: { filename: /^/, valid: false, message: /./ },
    }),
  ),
  {
    name: '3.3 the token of the challenge',
    given: [challenge],
    request: ['POST', `${ownership}/validate`, withChallenge('<challenge>')],
    result: new Exactly({ valid: true }),
  },
  {
    name: '3.3 blanks around the token do no harm',
    given: [challenge],
    request: ['POST', `${ownership}/validate`, withChallenge('<challenge>\n')],
    result: { valid: true },
  },
  {
    name: '3.3 a newer challenge takes nothing from an older token',
    given: [challenge, challenge],
    request: ['POST', `${ownership}/validate`, withChallenge('<challenge>')],
    result: { valid: true },
  },
  ...['', 'x', 'a.b.c', '<challenge>x', '<challenge>.x'].map(
    (text): Case => ({
      name: `3.3 no token: ${text}`,
      given: [challenge],
      request: ['POST', `${ownership}/validate`, withChallenge(text)],
      result: { valid: false },
    }),
  ),
  ...[`${unowned}&sse=AES256`, unowned.replace('owned', 'owned2')].map(
    (destination): Case => ({
      name: `3.3 the token is for another destination than ${destination}`,
      given: [challenge],
      request: ['POST', `${ownership}/validate`, withChallenge('<challenge>', destination)],
      result: { valid: false },
    }),
  ),
  {
    name: '3.3 the token is for one scope',
    given: [challenge],
    request: ['POST', '/<other>/logpush/ownership/validate', withChallenge('<challenge>')],
    result: { valid: false },
  },
  {
    name: '3.3 a job with the token',
    given: [challenge],
    request: ['POST', jobs, withChallenge('<challenge>')],
    result: { destination_conf: unowned, ownership_challenge: undefined },
  },
  {
    name: '3.3 two jobs with one token',
    given: [challenge, ['POST', jobs, withChallenge('<challenge>')]],
    request: ['POST', jobs, withChallenge('<challenge>')],
    result: { destination_conf: unowned },
  },
  ...[undefined, '', 'x', 'a.b.c'].map(
    (text): Case => ({
      name: `3.3 a job with the token ${text}`,
      request: ['POST', jobs, withChallenge(text)],
      status: 400,
      error: [1002, /^incorrect ownership challenge: it /, '/ownership_challenge'],
    }),
  ),
  {
    name: '3.3 a job with the token of another destination',
    given: [challenge],
    request: ['POST', jobs, withChallenge('<challenge>', `${unowned}&sse=AES256`)],
    status: 400,
    error: [1002, /^incorrect ownership challenge: it /],
  },
  {
    name: '3.3 a job of the other scope with the token',
    given: [challenge],
    request: ['POST', '/<other>/logpush/jobs', withChallenge('<challenge>')],
    status: 400,
    error: [1002, /^incorrect ownership challenge: it /],
  },
  {
    name: '1.3 a change of the destination needs a token',
    given: [create()],
    request: ['PUT', job, { destination_conf: unowned }],
    status: 400,
    error: [1002, /^incorrect ownership challenge: it /],
  },
  {
    name: '1.3 a change of the destination with a token',
    given: [create(), challenge],
    request: ['PUT', job, withChallenge('<challenge>')],
    result: { destination_conf: unowned },
  },
  {
    name: '1.3 a change of something else needs none',
    given: [challenge, ['POST', jobs, withChallenge('<challenge>')]],
    request: ['PUT', job, { enabled: true, destination_conf: unowned }],
    result: { enabled: true },
  },
  {
    name: '1.3 credentials in the destination can be rotated',
    given: [challenge, ['POST', jobs, withChallenge('<challenge>')]],
    request: ['PUT', job, { destination_conf: owned }],
    result: { destination_conf: owned },
  },
  { name: '3.1 own keys need no token', request: ['POST', jobs, { destination_conf: owned }], result: {} },
]

const destinations: readonly Case[] = [
  ...[folder, owned, unowned, `${folder}/{DATE}`, `${folder}/{DATE}/{HOUR}`].map(
    (destination_conf): Case => ({
      name: `3.4 ${destination_conf} can be written`,
      request: ['POST', `${validate}/destination`, { destination_conf }],
      result: new Exactly({ valid: true, message: '' }),
    }),
  ),
  ...[
    'gopher://x',
    'file:///proc/x/y',
    's3://no-such-bucket/x?region=us-east-1&endpoint=<s3>',
    owned.replace('right', 'wrong'),
  ].map(
    (destination_conf): Case => ({
      name: `3.4 ${destination_conf} cannot be written`,
      request: ['POST', `${validate}/destination`, { destination_conf }],
      result: { valid: false, message: /^(?!.*wrong-secret)./ },
    }),
  ),
  ...['file:///proc/x/y', owned.replace('right', 'wrong')].flatMap((destination_conf): readonly Case[] =>
    [true, false].map(enabled => ({
      name: `3.4 a job that is ${enabled} at ${destination_conf}`,
      request: ['POST', jobs, { destination_conf, enabled }],
      status: 400,
      error: [
        1002,
        /^error validating destination: error writing object: (?!.*wrong-secret)/,
        '/destination_conf',
      ],
    })),
  ),
  {
    name: '1.4 a destination that no job has',
    given: [create()],
    request: ['POST', `${validate}/destination/exists`, { destination_conf: `${folder}/x` }],
    result: new Exactly({ exists: false }),
  },
  {
    name: '1.4 a destination that a job has',
    given: [create()],
    request: ['POST', `${validate}/destination/exists`, { destination_conf: folder }],
    result: new Exactly({ exists: true }),
  },
  {
    name: '1.4 jobs may share a destination',
    given: [create({ enabled: true })],
    request: create({ enabled: true }),
    result: { destination_conf: folder },
  },
]

const origins: readonly Case[] = [
  ...[
    null,
    '',
    'fields=RayID',
    'fields=RayID,ClientIP&timestamps=rfc3339&sample=0.5&CVE-2021-44228=true',
    'https://api.test/zones/x/logs/received?start=1&end=2&count=3&fields=RayID',
  ].map(
    (logpull_options): Case => ({
      name: `1.4 the options ${logpull_options}`,
      request: ['POST', `${validate}/origin`, { logpull_options }],
      result: new Exactly({ valid: true, message: '' }),
    }),
  ),
  ...['fields=NoSuchField', 'timestamps=never', 'colour=red', 'sample=2'].map(
    (logpull_options): Case => ({
      name: `1.4 the options ${logpull_options}`,
      request: ['POST', `${validate}/origin`, { logpull_options }],
      result: { valid: false, message: /./ },
    }),
  ),
  {
    name: '1.4 the options of a dataset',
    request: [
      'POST',
      `${validate}/origin`,
      { logpull_options: 'fields=MatchIndex', dataset: 'firewall_events' },
    ],
    result: { valid: true, message: '' },
  },
  {
    name: '1.4 the options of a dataset that is not there',
    request: ['POST', `${validate}/origin`, { logpull_options: '', dataset: 'nothing' }],
    result: { valid: false, message: /nothing/ },
  },
]

const bad: readonly Case[] = (
  [
    [ownership, {}],
    [ownership, { destination_conf: 1 }],
    [ownership, { destination_conf: null }],
    [ownership, { destination_conf: 'x'.repeat(4097) }],
    [`${ownership}/validate`, { destination_conf: folder }],
    [`${ownership}/validate`, { ownership_challenge: 'x' }],
    [`${validate}/destination`, {}],
    [`${validate}/destination`, { destination_conf: '' }],
    [`${validate}/destination/exists`, {}],
    [`${validate}/origin`, {}],
    [`${validate}/origin`, { logpull_options: 1 }],
    [`${validate}/origin`, { logpull_options: 'x'.repeat(4097) }],
  ] as const
).map(
  ([path, body]): Case => ({
    name: `1.4 ${path} of ${JSON.stringify(body).slice(0, 60)}`,
    request: ['POST', path, body],
    status: 400,
    error: [undefined, /./],
  }),
)

const datasets = '/<scope>/logpush/datasets'
const described = (...names: readonly string[]) =>
  Object.fromEntries(
    names.map(name => [name, /^(string|int|int or string|bool|float|array\[\w+\]|object|timestamp); /]),
  )

const fields: readonly Case[] = [
  {
    name: '1.5 fields are an object of texts',
    request: ['GET', `${datasets}/http_requests/fields`],
    result: { ClientASN: /^int; ./, BotDetectionIDs: /^array\[int\]; ./, RayID: /^string; ./ },
  },
  {
    name: '1.5 fields of firewall_events',
    request: ['GET', `${datasets}/firewall_events/fields`],
    result: { MatchIndex: /^int; ./, Metadata: /^object; ./, ZoneName: /^string; ./ },
  },
  {
    name: '1.5 the default fields',
    request: ['GET', `${datasets}/http_requests/fields/default`],
    result: described(...defaultFields),
  },
  {
    name: '1.5 fields of audit_logs',
    level: 'account',
    request: ['GET', `${datasets}/audit_logs/fields`],
    result: { ActionType: /^string; ./, When: /; ./ },
  },
  ...['fields', 'fields/default', 'jobs'].flatMap((path): readonly Case[] => [
    {
      name: `1.5 ${path} of a dataset that is not there`,
      request: ['GET', `${datasets}/nothing/${path}`],
      status: 404,
      error: [codes.notAllowed, /nothing/],
    },
    {
      name: `1.6 ${path} of a dataset of accounts`,
      level: 'zone',
      request: ['GET', `${datasets}/audit_logs/${path}`],
      status: 400,
      error: [codes.notAllowed, /accounts/],
    },
  ]),
]

/** The names that the official clients know. */
const elsewhere =
  'access_requests audit_logs_v2 biso_user_actions casb_findings device_posture_results dex_application_tests dex_device_state_events dlp_forensic_copies dns_firewall_logs dns_logs email_security_alerts email_security_post_delivery_events gateway_dns gateway_http gateway_network ipsec_logs magic_ids_detections mcp_portal_logs mnm_flow_logs nel_reports network_analytics_logs page_shield_events sinkhole_http_logs spectrum_events ssh_logs turnstile_events warp_config_changes warp_toggle_changes websocket_analytics workers_trace_events zaraz_events zero_trust_network_sessions account_abuse_protection_events magic_bgp_logs'

const names: readonly Case[] = [
  ...['http_requests', 'firewall_events'].map(
    (dataset): Case => ({ name: `1.6 ${dataset}`, request: create({ dataset }), result: { dataset } }),
  ),
  {
    name: '1.6 audit_logs',
    level: 'account',
    request: create({ dataset: 'audit_logs' }),
    result: { dataset: 'audit_logs' },
  },
  {
    name: '1.6 audit_logs of a zone',
    level: 'zone',
    request: create({ dataset: 'audit_logs' }),
    status: 400,
    error: [codes.notAllowed, /accounts/, '/dataset'],
  },
  ...[...elsewhere.split(' '), '', 'Http_Requests', '__proto__', 'a b'].map(
    (dataset): Case => ({
      name: `1.6 no records of '${dataset}' here`,
      request: create({ dataset }),
      status: 400,
      error: [codes.field, /http_requests/, '/dataset'],
    }),
  ),
  {
    name: '1.6 a dataset that is null',
    request: create({ dataset: null }),
    result: { dataset: 'http_requests' },
  },
  {
    name: '1.9 too many jobs',
    level: 'zone',
    given: Array.from({ length: 100 }, () => create()),
    request: create({ dataset: 'firewall_events' }),
    status: 403,
    error: [
      1004,
      /^creating a new job \(for firewall_events dataset\) is not allowed: exceeded max jobs allowed$/,
    ],
  },
]

export const checkCases = [...owners, ...destinations, ...origins, ...bad, ...fields, ...names]
