import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagOf, formatProblem, readSettings, type Settings, settingDeclarations } from './index.ts'

function read(environment: Record<string, string>, flags: Record<string, string> = {}): Settings {
  const settings = readSettings(environment, new Map(Object.entries(flags)))
  assert.ok(settings.ok, JSON.stringify(settings))
  return settings.value
}

function problems(environment: Record<string, string>, flags: Record<string, string> = {}): string[] {
  const settings = readSettings(environment, new Map(Object.entries(flags)))
  assert.ok(!settings.ok)
  return settings.diagnostics.map(formatProblem)
}

test('without settings everything has its default', () => {
  const { workers, ...others } = read({ PATH: '/bin', SLUICED: 'not ours' })
  assert.deepEqual(others, {
    data: './data',
    apiListen: { host: '127.0.0.1', port: 8787 },
    apiTlsListen: undefined,
    edgeListen: [{ host: '127.0.0.1', port: 8080, proxyProtocol: false }],
    edgeTlsListen: [{ host: '127.0.0.1', port: 8443, proxyProtocol: false }],
    tlsCertificates: [],
    originSockets: [],
    acmeDirectory: undefined,
    acmeTermsAgreed: undefined,
    acmeEmail: undefined,
    acmeCa: undefined,
    acmeEabKid: undefined,
    acmeEabHmacKey: undefined,
    tlsJa4: true,
    inspectHttpListen: { host: '127.0.0.1', port: 8081 },
    inspectSpoeListen: { host: '127.0.0.1', port: 8082 },
    inspectGrpcListen: { host: '127.0.0.1', port: 8083 },
    healthListen: undefined,
    adminToken: undefined,
    adminEmail: 'admin@localhost',
    adminKey: undefined,
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcRoleClaim: 'groups',
    oidcRoles: [],
    smtpUrl: undefined,
    smtpFrom: undefined,
    crs: undefined,
    crsSetup: undefined,
    roles: new Set(['control', 'edge', 'delivery']),
    databaseUrl: undefined,
    databaseConnections: 5,
    rolloutShare: 0,
    rolloutPeriod: 300_000,
    secretKey: undefined,
    redisUrl: undefined,
    redisCa: undefined,
    redisPrefix: 'sluice:',
    traces: false,
    natsUrl: undefined,
    natsCredentials: undefined,
    natsCa: undefined,
    natsStream: 'SLUICE_RECORDS',
    natsSubject: 'sluice.records',
    natsPartitions: 8,
    natsBytes: undefined,
    natsReplicas: 1,
    natsCluster: undefined,
    natsTags: [],
    natsDuplicateWindow: 600_000,
    spoolSync: 'interval',
    spoolBytes: 1024 ** 3,
    spoolFull: 'drop-oldest',
    batchBytes: 512 * 1024 ** 2,
    notEnforced: 'refuse',
    spoolAge: 24 * 3_600_000,
    clickhouseUrl: undefined,
    clickhousePasswordFile: undefined,
    clickhouseCa: undefined,
    analyticsBytes: 2 * 1024 ** 3,
    analyticsAge: 30 * 86_400_000,
    auditLog: undefined,
    auditLogMode: 'matched',
    auditLogFormat: 'json',
    onError: 'block',
    defaultZone: undefined,
    originConnections: 1024,
    clientConnections: 1024,
    requestsInFlight: 1024,
    bodyBytes: 256 * 1024 ** 2,
    trustedProxies: [],
    geoDatabases: [],
    leakedPasswords: undefined,
    origins: 'private',
    destinations: 'public',
    destinationDirectory: undefined,
  })
  assert.ok(workers >= 1)
})

test('an allowed value is accepted, as variable and as flag', () => {
  const secret = 'aB3-._~+/aB3-._~'
  const rows: [variable: string, text: string, key: keyof Settings, want: unknown][] = [
    ['SLUICE_DATA', '/var/lib/sluice', 'data', '/var/lib/sluice'],
    ['SLUICE_API_LISTEN', '0.0.0.0:0', 'apiListen', { host: '0.0.0.0', port: 0 }],
    ['SLUICE_API_LISTEN', '[::1]:65535', 'apiListen', { host: '::1', port: 65535 }],
    ['SLUICE_API_TLS_LISTEN', '0.0.0.0:8789', 'apiTlsListen', { host: '0.0.0.0', port: 8789 }],
    [
      'SLUICE_EDGE_LISTEN',
      'edge.internal:80, [::]:80 proxy_protocol, unix:/run/a.sock, unix:/b proxy_protocol mode=606',
      'edgeListen',
      [
        { host: 'edge.internal', port: 80, proxyProtocol: false },
        { host: '::', port: 80, proxyProtocol: true },
        { path: '/run/a.sock', mode: 0o660, proxyProtocol: false },
        { path: '/b', mode: 0o606, proxyProtocol: true },
      ],
    ],
    ['SLUICE_EDGE_LISTEN', 'none', 'edgeListen', []],
    [
      'SLUICE_EDGE_TLS_LISTEN',
      '0.0.0.0:443, [::1]:444 proxy_protocol',
      'edgeTlsListen',
      [
        { host: '0.0.0.0', port: 443, proxyProtocol: false },
        { host: '::1', port: 444, proxyProtocol: true },
      ],
    ],
    ['SLUICE_EDGE_TLS_LISTEN', 'none', 'edgeTlsListen', []],
    ['SLUICE_TLS_CERTIFICATES', '/etc/a.pem, /etc/tls', 'tlsCertificates', ['/etc/a.pem', '/etc/tls']],
    ['SLUICE_ORIGIN_SOCKETS', '/run/app.sock, /run/sites', 'originSockets', ['/run/app.sock', '/run/sites']],
    ['SLUICE_ACME_DIRECTORY', 'https://ca.test/dir', 'acmeDirectory', 'https://ca.test/dir'],
    ['SLUICE_SMTP_URL', 'smtp://u:p@mail.test:587', 'smtpUrl', 'smtp://u:p@mail.test:587'],
    ['SLUICE_SMTP_FROM', 'sluice@shop.test', 'smtpFrom', 'sluice@shop.test'],
    ['SLUICE_OIDC_ISSUER', 'https://login.test/team', 'oidcIssuer', 'https://login.test/team'],
    ['SLUICE_OIDC_ISSUER', 'http://[::1]:9/', 'oidcIssuer', 'http://[::1]:9/'],
    ['SLUICE_OIDC_CLIENT_ID', 'sluice', 'oidcClientId', 'sluice'],
    ['SLUICE_OIDC_CLIENT_SECRET', 'a secret', 'oidcClientSecret', 'a secret'],
    ['SLUICE_OIDC_ROLE_CLAIM', 'roles', 'oidcRoleClaim', 'roles'],
    [
      'SLUICE_OIDC_ROLES',
      'Web team=editor, *=analyst',
      'oidcRoles',
      [
        { value: 'Web team', role: 'editor' },
        { value: '*', role: 'analyst' },
      ],
    ],
    ['SLUICE_ACME_TERMS_AGREED', 'yes', 'acmeTermsAgreed', true],
    ['SLUICE_ACME_EMAIL', 'mary@example.com', 'acmeEmail', 'mary@example.com'],
    ['SLUICE_ACME_CA', 'ca.pem', 'acmeCa', 'ca.pem'],
    ['SLUICE_ACME_EAB_KID', 'kid-1', 'acmeEabKid', 'kid-1'],
    ['SLUICE_ACME_EAB_HMAC_KEY', 'zWNDZM6eQGHWpSRTPal5eIUY', 'acmeEabHmacKey', 'zWNDZM6eQGHWpSRTPal5eIUY'],
    ['SLUICE_TLS_JA4', 'off', 'tlsJa4', false],
    ['SLUICE_ADMIN_TOKEN', secret, 'adminToken', secret],
    ['SLUICE_ADMIN_TOKEN', 'x'.repeat(256), 'adminToken', 'x'.repeat(256)],
    ['SLUICE_ADMIN_EMAIL', 'mary@example.com', 'adminEmail', 'mary@example.com'],
    ['SLUICE_ADMIN_KEY', `${secret}==`, 'adminKey', `${secret}==`],
    ['SLUICE_CRS', './crs.tar.gz', 'crs', './crs.tar.gz'],
    ['SLUICE_CRS_SETUP', 'setup.conf', 'crsSetup', 'setup.conf'],
    ['SLUICE_ROLES', 'edge', 'roles', new Set(['edge'])],
    ['SLUICE_ROLES', 'inspect', 'roles', new Set(['inspect'])],
    ['SLUICE_INSPECT_HTTP_LISTEN', '[::1]:81', 'inspectHttpListen', { host: '::1', port: 81 }],
    ['SLUICE_INSPECT_HTTP_LISTEN', 'none', 'inspectHttpListen', 'none'],
    ['SLUICE_INSPECT_SPOE_LISTEN', '0.0.0.0:9000', 'inspectSpoeListen', { host: '0.0.0.0', port: 9000 }],
    ['SLUICE_INSPECT_SPOE_LISTEN', 'none', 'inspectSpoeListen', 'none'],
    ['SLUICE_INSPECT_GRPC_LISTEN', '[::1]:83', 'inspectGrpcListen', { host: '::1', port: 83 }],
    ['SLUICE_INSPECT_GRPC_LISTEN', 'none', 'inspectGrpcListen', 'none'],
    ['SLUICE_ROLES', 'delivery, control', 'roles', new Set(['delivery', 'control'])],
    ['SLUICE_WORKERS', '1', 'workers', 1],
    ['SLUICE_WORKERS', '256', 'workers', 256],
    ['SLUICE_DATABASE_URL', 'postgres://a:b@db:5432/x', 'databaseUrl', 'postgres://a:b@db:5432/x'],
    ['SLUICE_DATABASE_URL', 'postgresql://db/x', 'databaseUrl', 'postgresql://db/x'],
    [
      'SLUICE_DATABASE_URL',
      'postgres://db/x?sslmode=verify-ca&sslrootcert=/ca.pem',
      'databaseUrl',
      'postgres://db/x?sslmode=verify-ca&sslrootcert=/ca.pem',
    ],
    ['SLUICE_DATABASE_CONNECTIONS', '2', 'databaseConnections', 2],
    ['SLUICE_DATABASE_CONNECTIONS', '65535', 'databaseConnections', 65535],
    ['SLUICE_ROLLOUT_SHARE', '0', 'rolloutShare', 0],
    ['SLUICE_ROLLOUT_SHARE', '50', 'rolloutShare', 50],
    ['SLUICE_ROLLOUT_PERIOD', '90s', 'rolloutPeriod', 90_000],
    ['SLUICE_SECRET_KEY', '0F'.repeat(32), 'secretKey', new Uint8Array(32).fill(15)],
    ['SLUICE_SECRET_KEY', `${'____'.repeat(10)}__8=`, 'secretKey', new Uint8Array(32).fill(255)],
    ['SLUICE_SECRET_KEY', `${'////'.repeat(10)}//8`, 'secretKey', new Uint8Array(32).fill(255)],
    ['SLUICE_ORIGINS', 'public', 'origins', 'public'],
    ['SLUICE_DESTINATION_DIRECTORY', '/srv/logs', 'destinationDirectory', '/srv/logs'],
    ['SLUICE_DESTINATIONS', 'loopback', 'destinations', 'loopback'],
    ['SLUICE_DESTINATIONS', 'private', 'destinations', 'private'],
    ['SLUICE_REDIS_URL', 'redis://10.0.0.5', 'redisUrl', 'redis://10.0.0.5'],
    [
      'SLUICE_REDIS_URL',
      'rediss://u:p@redis.internal:6380/2',
      'redisUrl',
      'rediss://u:p@redis.internal:6380/2',
    ],
    ['SLUICE_REDIS_CA', 'ca.pem', 'redisCa', 'ca.pem'],
    ['SLUICE_REDIS_PREFIX', 'edge.eu:', 'redisPrefix', 'edge.eu:'],
    ['SLUICE_TRACES', 'on', 'traces', true],
    ['SLUICE_NATS_URL', 'nats://127.0.0.1:4222', 'natsUrl', 'nats://127.0.0.1:4222'],
    ['SLUICE_NATS_URL', 'tls://nats.internal', 'natsUrl', 'tls://nats.internal'],
    ['SLUICE_NATS_URL', 'nats://a:4222, nats://u:p@b', 'natsUrl', 'nats://a:4222,nats://u:p@b'],
    ['SLUICE_NATS_URL', 'nats://u:p@a,nats://u:p@b', 'natsUrl', 'nats://u:p@a,nats://u:p@b'],
    ['SLUICE_NATS_CREDENTIALS', 'user.creds', 'natsCredentials', 'user.creds'],
    ['SLUICE_NATS_CA', 'ca.pem', 'natsCa', 'ca.pem'],
    ['SLUICE_NATS_STREAM', 'EDGE_LOGS', 'natsStream', 'EDGE_LOGS'],
    ['SLUICE_NATS_SUBJECT', 'edge.logs', 'natsSubject', 'edge.logs'],
    ['SLUICE_NATS_PARTITIONS', '64', 'natsPartitions', 64],
    ['SLUICE_NATS_BYTES', '50GiB', 'natsBytes', 50 * 1024 ** 3],
    ['SLUICE_NATS_REPLICAS', '3', 'natsReplicas', 3],
    ['SLUICE_NATS_CLUSTER', 'eu', 'natsCluster', 'eu'],
    ['SLUICE_NATS_TAGS', 'ssd, zone:a', 'natsTags', ['ssd', 'zone:a']],
    ['SLUICE_NATS_DUPLICATE_WINDOW', '2m', 'natsDuplicateWindow', 120_000],
    ['SLUICE_CLICKHOUSE_URL', 'https://ch:8443/logs', 'clickhouseUrl', 'https://ch:8443/logs'],
    ['SLUICE_CLICKHOUSE_PASSWORD_FILE', 'password', 'clickhousePasswordFile', 'password'],
    ['SLUICE_CLICKHOUSE_CA', 'ca.pem', 'clickhouseCa', 'ca.pem'],
    ['SLUICE_SPOOL_SYNC', 'always', 'spoolSync', 'always'],
    ['SLUICE_SPOOL_SYNC', 'never', 'spoolSync', 'never'],
    ['SLUICE_SPOOL_BYTES', '1048576', 'spoolBytes', 1024 ** 2],
    ['SLUICE_SPOOL_BYTES', '512MiB', 'spoolBytes', 512 * 1024 ** 2],
    ['SLUICE_SPOOL_BYTES', '2 TiB', 'spoolBytes', 2 * 1024 ** 4],
    ['SLUICE_BATCH_BYTES', '64MiB', 'batchBytes', 64 * 1024 ** 2],
    ['SLUICE_SPOOL_FULL', 'refuse-requests', 'spoolFull', 'refuse-requests'],
    ['SLUICE_NOT_ENFORCED', 'keep', 'notEnforced', 'keep'],
    ['SLUICE_SPOOL_AGE', '0s', 'spoolAge', 0],
    ['SLUICE_SPOOL_AGE', '90s', 'spoolAge', 90_000],
    ['SLUICE_SPOOL_AGE', '30m', 'spoolAge', 1_800_000],
    ['SLUICE_SPOOL_AGE', '36h', 'spoolAge', 36 * 3_600_000],
    ['SLUICE_SPOOL_AGE', '365d', 'spoolAge', 365 * 86_400_000],
    ['SLUICE_ANALYTICS_AGE', '1h', 'analyticsAge', 3_600_000],
    ['SLUICE_ANALYTICS_AGE', '365d', 'analyticsAge', 365 * 86_400_000],
    ['SLUICE_ANALYTICS_BYTES', '1MiB', 'analyticsBytes', 1024 ** 2],
    ['SLUICE_ON_ERROR', 'allow', 'onError', 'allow'],
    ['SLUICE_AUDIT_LOG', 'audit.log', 'auditLog', 'audit.log'],
    ['SLUICE_AUDIT_LOG_MODE', 'all', 'auditLogMode', 'all'],
    ['SLUICE_AUDIT_LOG_FORMAT', 'modsecurity', 'auditLogFormat', 'modsecurity'],
    ['SLUICE_DEFAULT_ZONE', 'Shop.Example', 'defaultZone', 'shop.example'],
    ['SLUICE_ORIGIN_CONNECTIONS', '65535', 'originConnections', 65_535],
    ['SLUICE_CLIENT_CONNECTIONS', '1', 'clientConnections', 1],
    ['SLUICE_REQUESTS_IN_FLIGHT', '2048', 'requestsInFlight', 2048],
    ['SLUICE_BODY_BYTES', '64MiB', 'bodyBytes', 64 * 1024 ** 2],
    ['SLUICE_HEALTH_LISTEN', '[::1]:8788', 'healthListen', { host: '::1', port: 8788 }],
    ['SLUICE_TRUSTED_PROXIES', '10.0.0.0/8, ::1', 'trustedProxies', ['10.0.0.0/8', '::1']],
    ['SLUICE_LEAKED_PASSWORDS', '/var/pwned.txt', 'leakedPasswords', '/var/pwned.txt'],
    ['SLUICE_GEO_DATABASES', 'city.mmdb, /var/asn.mmdb', 'geoDatabases', ['city.mmdb', '/var/asn.mmdb']],
  ]
  const declarationOf = (name: string) => settingDeclarations.find(({ variable }) => variable === name)!
  const tried = new Set<string>()
  for (const [variable, text, key, want] of rows) {
    tried.add(variable)
    const declaration = declarationOf(variable)
    const needed: Record<string, string> = {}
    for (
      let { needs } = declaration;
      needs !== undefined && needs !== variable;
      { needs } = declarationOf(needs)
    )
      needed[needs] = rows.find(([name]) => name === needs)![1]
    assert.deepEqual(read({ ...needed, [variable]: text })[key], want, `${variable}=${text}`)
    const flag = flagOf(declaration)
    assert.match(flag, /^--[a-z0-9-]+$/)
    const fromFlag = read({ ...needed, [variable]: 'nonsense beside the flag' }, { [flag.slice(2)]: text })
    assert.deepEqual(fromFlag[key], want, `${flag} ${text}`)
  }
  assert.deepEqual([...tried].sort(), settingDeclarations.map(({ variable }) => variable).sort())
})

test('a setting that needs another is refused without it', () => {
  assert.deepEqual(problems({ SLUICE_NATS_CA: 'ca.pem' }), [
    'SLUICE_NATS_CA has no effect without SLUICE_NATS_URL, which is not set',
  ])
  assert.deepEqual(problems({ SLUICE_ACME_DIRECTORY: 'https://ca.test/dir' }), [
    'SLUICE_ACME_DIRECTORY has no effect without SLUICE_ACME_TERMS_AGREED, which is not set',
  ])
  assert.deepEqual(problems({}, { 'nats-stream': 'LOGS' }), [
    'SLUICE_NATS_STREAM has no effect without SLUICE_NATS_URL, which is not set',
  ])
})

test('space that is too small for the streams of log records is refused with the space that they need', () => {
  const nats = { SLUICE_NATS_URL: 'nats://127.0.0.1:4222', SLUICE_NATS_PARTITIONS: '4' }
  const refused = ['SLUICE_NATS_BYTES is too small for 4 streams; set it to at least 8MiB']
  assert.deepEqual(problems({ ...nats, SLUICE_NATS_BYTES: '7MiB' }), refused)
  assert.equal(read({ ...nats, SLUICE_SPOOL_BYTES: '1MiB' }).natsBytes, undefined)
  assert.equal(read({ ...nats, SLUICE_NATS_BYTES: '8MiB', SLUICE_SPOOL_BYTES: '1MiB' }).natsPartitions, 4)
})

test('a value that is not allowed is refused with the setting, its value and the allowed values', () => {
  const rows: [variable: string, text: string][] = [
    ['SLUICE_DATA', ''],
    ['SLUICE_ACME_TERMS_AGREED', 'no'],
    ['SLUICE_API_LISTEN', '8787'],
    ['SLUICE_API_TLS_LISTEN', 'none'],
    ['SLUICE_API_LISTEN', ':8787'],
    ['SLUICE_API_LISTEN', '127.0.0.1:65536'],
    ['SLUICE_API_LISTEN', '::1:8787'],
    ['SLUICE_API_LISTEN', 'http://127.0.0.1:8787'],
    ['SLUICE_EDGE_LISTEN', '127.0.0.1:'],
    ['SLUICE_EDGE_LISTEN', '127.0.0.1:80 mode=660'],
    ['SLUICE_EDGE_LISTEN', 'unix:edge.sock'],
    ['SLUICE_EDGE_LISTEN', 'unix:/run/'],
    ['SLUICE_EDGE_LISTEN', 'unix:/run/edge.sock mode=888'],
    ['SLUICE_EDGE_LISTEN', `unix:/${'x'.repeat(90)}`],
    ['SLUICE_EDGE_TLS_LISTEN', 'unix:/run/edge.sock'],
    ['SLUICE_EDGE_TLS_LISTEN', '127.0.0.1:443 proxy'],
    ['SLUICE_EDGE_TLS_LISTEN', '127.0.0.1:443,'],
    ['SLUICE_TLS_JA4', 'yes'],
    ['SLUICE_ADMIN_EMAIL', 'mary'],
    ['SLUICE_ADMIN_EMAIL', 'mary @example.com'],
    ['SLUICE_CRS', ''],
    ['SLUICE_CRS_SETUP', ''],
    ['SLUICE_ROLES', ''],
    ['SLUICE_ROLES', 'edge,'],
    ['SLUICE_ROLES', 'edge,proxy'],
    ['SLUICE_INSPECT_HTTP_LISTEN', '8081'],
    ['SLUICE_INSPECT_SPOE_LISTEN', 'off'],
    ['SLUICE_INSPECT_GRPC_LISTEN', ''],
    ['SLUICE_WORKERS', '0'],
    ['SLUICE_WORKERS', '257'],
    ['SLUICE_WORKERS', '1.5'],
    ['SLUICE_WORKERS', '-1'],
    ['SLUICE_WORKERS', 'two'],
    ['SLUICE_SPOOL_SYNC', 'sometimes'],
    ['SLUICE_SPOOL_BYTES', '1048575'],
    ['SLUICE_SPOOL_BYTES', '1GB'],
    ['SLUICE_SPOOL_BYTES', '1.5GiB'],
    ['SLUICE_SPOOL_BYTES', '8192TiB'],
    ['SLUICE_SPOOL_FULL', 'refuse'],
    ['SLUICE_NOT_ENFORCED', 'drop'],
    ['SLUICE_SPOOL_AGE', '24'],
    ['SLUICE_SPOOL_AGE', '366d'],
    ['SLUICE_SPOOL_AGE', '-1s'],
    ['SLUICE_AUDIT_LOG', ''],
    ['SLUICE_AUDIT_LOG_MODE', 'none'],
    ['SLUICE_AUDIT_LOG_FORMAT', 'xml'],
    ['SLUICE_DESTINATIONS', 'everything'],
    ['SLUICE_ON_ERROR', 'ignore'],
    ['SLUICE_DEFAULT_ZONE', 'shop/example'],
    ['SLUICE_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SLUICE_TRUSTED_PROXIES', '10.0.0.0/8,'],
    ['SLUICE_TRUSTED_PROXIES', 'proxy.internal'],
  ]
  for (const [variable, text] of rows) {
    const { allowed } = settingDeclarations.find(declaration => declaration.variable === variable)!
    assert.deepEqual(problems({ [variable]: text }), [
      `'${text}' is not a valid value for ${variable}: allowed is ${allowed}`,
    ])
  }
})

test('secrets that are refused are not shown', () => {
  const rows: [variable: string, text: string][] = [
    ['SLUICE_ADMIN_TOKEN', 'hunter2'],
    ['SLUICE_ADMIN_TOKEN', 'x'.repeat(15)],
    ['SLUICE_ADMIN_TOKEN', 'x'.repeat(257)],
    ['SLUICE_ADMIN_TOKEN', 'with a space in it'],
    ['SLUICE_ADMIN_KEY', 'hunter2'],
    ['SLUICE_DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['SLUICE_DATABASE_URL', 'postgres://root:hunter2@db/x?sslmode=prefer'],
    ['SLUICE_DATABASE_URL', 'postgres://root:hunter2@db/x?sslmode=verify-ca'],
    ['SLUICE_SECRET_KEY', 'hunter2'],
    ['SLUICE_SECRET_KEY', 'a'.repeat(63)],
    ['SLUICE_SECRET_KEY', 'a'.repeat(65)],
    ['SLUICE_SECRET_KEY', 'a'.repeat(42)],
    ['SLUICE_SECRET_KEY', `${'a'.repeat(42)}!`],
    ['SLUICE_REDIS_URL', 'http://root:hunter2@redis'],
    ['SLUICE_REDIS_URL', 'redis://root:hunter2@redis/first'],
    ['SLUICE_REDIS_URL', 'redis://root:hunter2@redis?tls=true'],
    ['SLUICE_NATS_URL', 'http://root:hunter2@nats'],
    ['SLUICE_NATS_URL', 'nats://a,tls://b'],
    ['SLUICE_NATS_URL', 'nats://a,'],
    ['SLUICE_NATS_URL', 'nats://root:hunter2@a,nats://root:hunter3@b'],
    ['SLUICE_NATS_URL', 'nats://hunter2@a,nats://b,nats://other@c'],
    ['SLUICE_CLICKHOUSE_URL', 'clickhouse://root:hunter2@ch'],
    ['SLUICE_CLICKHOUSE_URL', 'http://root:hunter2@ch/two/names'],
  ]
  for (const [variable, text] of rows) {
    const [message, ...others] = problems({ [variable]: text })
    assert.deepEqual(others, [])
    assert.match(message!, new RegExp(`\\(not shown\\) is not a valid value for ${variable}: allowed is`))
    assert.ok(!message!.includes(text) && !message!.includes('hunter2'), 'the secret is shown')
  }
})

test('unknown settings are refused with the nearest known one', () => {
  const rows: [environment: Record<string, string>, flags: Record<string, string>, want: string[]][] = [
    [{ SLUICE_WORKER: '2' }, {}, ['there is no setting SLUICE_WORKER; did you mean SLUICE_WORKERS?']],
    [{ SLUICE_SOMETHING_ELSE: '' }, {}, ['there is no setting SLUICE_SOMETHING_ELSE']],
    [{}, { 'api-listn': ':1' }, ['there is no setting --api-listn; did you mean --api-listen?']],
    [{}, { colour: 'red' }, ['there is no setting --colour']],
  ]
  for (const [environment, flags, want] of rows) assert.deepEqual(problems(environment, flags), want)
})

test('all faults are reported at once, and a flag by its name', () => {
  const told = problems({ SLUICE_COLOUR: 'red', SLUICE_WORKERS: '0' }, { 'edge-listen': 'x', roles: 'y' })
  assert.equal(told.length, 4)
  const names = ['SLUICE_COLOUR', 'SLUICE_WORKERS', '--edge-listen', '--roles']
  for (const name of names) assert.equal(told.filter(message => message.includes(name)).length, 1, name)
})
